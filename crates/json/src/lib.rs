//! JSON of one event, read once into a flat list of values. Nothing is copied before it is asked for, so that an event
//! costs one pass over its bytes and no allocation; the list is used again for the next event.
//!
//! A crate of its own, since all bytes of all replies go through it: the page is built for size, and this part of it for speed.

mod number;
#[cfg(any(test, fuzzing))]
pub mod peer;
mod read;
mod text;

use std::borrow::Cow;

pub use number::number;

/// Where and why a text is not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotJson {
    /// It ended too early.
    #[error("the JSON ends too early")]
    Cut,
    /// A byte that can't stand there.
    #[error("no JSON at byte {0}")]
    At(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Null,
    True,
    False,
    Number,
    Text,
    /// With at least one backslash in it.
    Escaped,
    Array,
    Object,
}

/// One value: its bytes, where in the list the value after it begins, and its name if it is a member.
#[derive(Clone, Copy, Debug)]
struct Node {
    kind: Kind,
    start: u32,
    end: u32,
    next: u32,
    name: Name,
}

/// What stands between the quotes of a member's name.
#[derive(Clone, Copy, Debug, Default)]
struct Name {
    start: u32,
    end: u32,
    escaped: bool,
}

/// The values of one text, in the order in which they begin.
#[derive(Debug, Default)]
pub struct Tape {
    nodes: Vec<Node>,
    open: Vec<u32>,
}

impl Tape {
    /// Reads a whole text that is one JSON value, of less than 4 GiB.
    pub fn read<'a>(&'a mut self, text: &'a str) -> Result<Json<'a>, NotJson> {
        self.fill(text)?;
        Ok(Json { text, nodes: &self.nodes, at: 0 })
    }
}

/// One value.
#[derive(Clone, Copy, Debug)]
pub struct Json<'a> {
    text: &'a str,
    nodes: &'a [Node],
    at: usize,
}

impl<'a> Json<'a> {
    fn node(self) -> Node {
        self.nodes[self.at]
    }

    /// The value as it stands in the text.
    pub fn raw(self) -> &'a str {
        &self.text[self.node().start as usize..self.node().end as usize]
    }

    /// The member of that name; the last one if there are several. None if it is missing or null.
    pub fn get(self, name: &str) -> Option<Json<'a>> {
        let [member] = self.all([name]);
        member
    }

    /// The members of these names, in one pass: as [`Self::get`] gives each.
    pub fn all<const N: usize>(self, names: [&str; N]) -> [Option<Json<'a>>; N] {
        let mut all = [None; N];
        self.find(&names, &mut all);
        all
    }

    fn find(self, names: &[&str], all: &mut [Option<Json<'a>>]) {
        for member in self.members() {
            for (found, name) in all.iter_mut().zip(names) {
                if member.is_named(name) {
                    *found = Some(member).filter(|member| !member.is_null());
                }
            }
        }
    }

    /// The name of a member.
    pub fn name(self) -> Cow<'a, str> {
        let name = self.node().name;
        let inside = &self.text[name.start as usize..name.end as usize];
        if name.escaped { Cow::Owned(text::unescaped(inside)) } else { Cow::Borrowed(inside) }
    }

    /// The value is a member of that name. Nearly all are others, and the length says it of most.
    fn is_named(self, name: &str) -> bool {
        let own = self.node().name;
        if own.escaped {
            return self.name() == name;
        }
        let (start, end) = (own.start as usize, own.end as usize);
        end - start == name.len() && self.text.as_bytes()[start..end] == *name.as_bytes()
    }

    /// The member that is reached by names one inside the other.
    pub fn path(self, names: &[&str]) -> Option<Json<'a>> {
        names.iter().try_fold(self, |value, name| value.get(name))
    }

    /// The value at a JSON pointer (RFC 6901). None if it is missing or null.
    pub fn pointer(self, pointer: &str) -> Option<Json<'a>> {
        if pointer.is_empty() {
            return Some(self);
        }
        let step = |value: Json<'a>, step: &str| {
            let name = step.replace("~1", "/").replace("~0", "~");
            match value.node().kind {
                Kind::Array => step.parse().ok().and_then(|n| value.items().nth(n)),
                _ => value.get(&name),
            }
        };
        pointer.strip_prefix('/')?.split('/').try_fold(self, step).filter(|v| !v.is_null())
    }

    /// A text that is not empty.
    pub fn text_at(self, name: &str) -> Option<Cow<'a, str>> {
        self.get(name).and_then(Json::filled)
    }

    /// A whole number that is not negative.
    pub fn u64_at(self, name: &str) -> Option<u64> {
        self.get(name).and_then(Json::as_u64)
    }

    /// The list's values; nothing if it is no list.
    pub fn items(self) -> Values<'a> {
        self.inside(Kind::Array)
    }

    /// The values of the list at a name.
    pub fn items_at(self, name: &str) -> Values<'a> {
        self.get(name).map_or(Values { next: self, end: 0 }, Json::items)
    }

    /// The object's members; nothing if it is no object.
    pub fn members(self) -> Values<'a> {
        self.inside(Kind::Object)
    }

    fn inside(self, kind: Kind) -> Values<'a> {
        let node = self.node();
        let end = if node.kind == kind { node.next as usize } else { 0 };
        Values { next: Json { at: self.at + 1, ..self }, end }
    }

    /// The value is null.
    pub fn is_null(self) -> bool {
        self.node().kind == Kind::Null
    }

    /// The value is an object.
    pub fn is_object(self) -> bool {
        self.node().kind == Kind::Object
    }

    /// The value is a list.
    pub fn is_list(self) -> bool {
        self.node().kind == Kind::Array
    }

    /// The value is a text.
    pub fn is_text(self) -> bool {
        matches!(self.node().kind, Kind::Text | Kind::Escaped)
    }

    /// True or false.
    pub fn as_bool(self) -> Option<bool> {
        match self.node().kind {
            Kind::True => Some(true),
            Kind::False => Some(false),
            _ => None,
        }
    }

    /// The value is an object or a list.
    pub fn is_nested(self) -> bool {
        matches!(self.node().kind, Kind::Array | Kind::Object)
    }

    /// The value is the text `other`.
    pub fn is(self, other: &str) -> bool {
        self.as_text().is_some_and(|text| text == other)
    }

    /// The text, without its escapes.
    pub fn as_text(self) -> Option<Cow<'a, str>> {
        match self.node().kind {
            Kind::Text => Some(Cow::Borrowed(self.quoted())),
            Kind::Escaped => Some(Cow::Owned(text::unescaped(self.quoted()))),
            _ => None,
        }
    }

    /// The text, if it is not empty.
    pub fn filled(self) -> Option<Cow<'a, str>> {
        self.as_text().filter(|t| !t.is_empty())
    }

    /// The number.
    pub fn as_f64(self) -> Option<f64> {
        (self.node().kind == Kind::Number).then(|| number(self.raw()))?
    }

    /// The number, if it is whole, not negative and fits.
    pub fn as_u64(self) -> Option<u64> {
        (self.node().kind == Kind::Number).then(|| self.raw().parse().ok())?
    }

    /// What stands between the quotes.
    fn quoted(self) -> &'a str {
        let node = self.node();
        &self.text[node.start as usize + 1..node.end as usize - 1]
    }
}

/// The values of a list or an object, in order.
#[derive(Clone)]
pub struct Values<'a> {
    next: Json<'a>,
    end: usize,
}

impl<'a> Iterator for Values<'a> {
    type Item = Json<'a>;

    fn next(&mut self) -> Option<Json<'a>> {
        (self.next.at < self.end).then(|| {
            let value = self.next;
            self.next.at = value.node().next as usize;
            value
        })
    }
}

#[cfg(test)]
mod tests;
