//! How replies are read, where a person fixed it.

use serde::{Deserialize, Serialize};

use super::{Field, Problem, is_header_name};
use crate::decode::{Choice, dialect};
use crate::server_report::{Boundary, From, Mapping, Unit};

/// What a person fixed of the reading of replies. Everything left out is recognised.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Reading {
    /// The stable name of a format; empty: recognised.
    pub format: String,
    /// JSON pointer (RFC 6901) to the text of an event, or to the result of one body.
    pub text: Option<String>,
    /// JSON pointer to the list of results of one body.
    pub items: Option<String>,
    /// Split `<think>` off the answer.
    pub split_think: bool,
    /// Headers and fields that are spans, one a line: see [`mapping`].
    pub spans: Vec<String>,
}

/// Reads a line `SOURCE = NAME UNIT BOUNDARY`: the source is a header's name or a JSON pointer, the unit `s`, `ms`, `us` or
/// `ns`, the boundary one of [`Boundary::ALL`]'s codes.
pub fn mapping(line: &str) -> Option<Mapping> {
    let (source, rest) = line.split_once('=')?;
    let source = source.trim();
    let mut words = rest.split_whitespace();
    let (name, unit, boundary) = (words.next()?, words.next()?, words.next()?);
    let from = match source.starts_with('/') {
        true => From::Pointer(source.to_owned()),
        false if is_header_name(source) => From::Header(source.to_owned()),
        false => return None,
    };
    let unit = Unit::from_code(unit)?;
    let boundary = Boundary::from_code(boundary)?;
    words.next().is_none().then(|| Mapping { from, name: name.to_owned(), unit, boundary })
}

/// The lines of a text that a person typed, without the empty ones.
pub fn parse_spans(text: &str) -> Result<Vec<String>, Problem> {
    let lines: Vec<(usize, &str)> = text.lines().map(str::trim).enumerate().filter(|(_, l)| !l.is_empty()).collect();
    lines.into_iter().map(|(n, line)| mapping(line).map(|_| line.to_owned()).ok_or(Problem::Span(n + 1))).collect()
}

impl Reading {
    /// What is wrong with it.
    pub fn problem(&self) -> Option<Problem> {
        let pointer = |field, pointer: &Option<String>| {
            let wrong = pointer.as_ref().is_some_and(|p| !p.is_empty() && !p.starts_with('/'));
            wrong.then_some(Problem::Pointer(field))
        };
        let format = !self.format.is_empty() && dialect(&self.format).is_none();
        let span = self.spans.iter().position(|line| mapping(line).is_none());
        (format.then(|| Problem::Format(self.format.clone())))
            .or(pointer(Field::TextPointer, &self.text))
            .or(pointer(Field::ItemsPointer, &self.items))
            .or(span.map(|n| Problem::Span(n + 1)))
    }

    /// The decoder's choice.
    pub fn choice(&self) -> Choice {
        Choice {
            dialect: dialect(&self.format),
            text: self.text.clone(),
            items: self.items.clone(),
            split_think: self.split_think,
            spans: self.spans.iter().filter_map(|line| mapping(line)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_maps_a_header_or_a_pointer() {
        let pointer = mapping("/usage/wait = queue s queue").expect("a mapping");
        assert_eq!(pointer.from, From::Pointer("/usage/wait".into()));
        assert_eq!((pointer.name.as_str(), pointer.unit, pointer.boundary), ("queue", Unit::S, Boundary::Queue));
        assert_eq!(mapping("X-Model-Ms=model ms component").map(|m| m.from), Some(From::Header("X-Model-Ms".into())));
        for wrong in
            ["", "x", "x = a ms", "x = a min total", "x = a ms whole", "a b = c ms total", "= c ms total", "x = a ms total y"]
        {
            assert_eq!(mapping(wrong), None, "{wrong}");
        }
        assert_eq!(parse_spans("\n x = a ms total \n\nnonsense"), Err(Problem::Span(4)));
        assert_eq!(parse_spans(" x = a ms total "), Ok(vec!["x = a ms total".to_owned()]));
    }

    #[test]
    fn problems_name_their_field() {
        let check = |reading: Reading, field| assert_eq!(reading.problem().map(|p| p.field()), field, "{reading:?}");
        check(Reading::default(), None);
        check(Reading { text: Some(String::new()), ..Reading::default() }, None);
        check(Reading { format: "x".into(), ..Reading::default() }, Some(Field::Format));
        check(Reading { text: Some("a/b".into()), ..Reading::default() }, Some(Field::TextPointer));
        check(Reading { items: Some("a".into()), ..Reading::default() }, Some(Field::ItemsPointer));
        check(Reading { spans: vec!["x".into()], ..Reading::default() }, Some(Field::Spans));
    }
}
