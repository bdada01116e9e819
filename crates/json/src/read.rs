//! The pass over the bytes: RFC 8259, whole, without recursion.

use super::{Kind, Name, Node, NotJson, Tape};

impl Tape {
    pub(super) fn fill(&mut self, text: &str) -> Result<(), NotJson> {
        self.nodes.clear();
        self.open.clear();
        let bytes = text.as_bytes();
        let mut at = space(bytes, 0);
        // Of the next value; those of a list have none, and nobody asks for it.
        let mut name = Name::default();
        loop {
            // Here stands a value.
            at = match byte(bytes, at)? {
                b'{' => {
                    self.begin(Kind::Object, at, name);
                    at = space(bytes, at + 1);
                    if byte(bytes, at)? != b'}' {
                        (name, at) = member(bytes, at)?;
                        continue;
                    }
                    at
                }
                b'[' => {
                    self.begin(Kind::Array, at, name);
                    at = space(bytes, at + 1);
                    if byte(bytes, at)? != b']' {
                        continue;
                    }
                    at
                }
                b'"' => {
                    let (end, escaped) = string(bytes, at)?;
                    self.leaf(if escaped { Kind::Escaped } else { Kind::Text }, at, end, name)
                }
                b't' => self.leaf(Kind::True, at, word(bytes, at, b"true")?, name),
                b'f' => self.leaf(Kind::False, at, word(bytes, at, b"false")?, name),
                b'n' => self.leaf(Kind::Null, at, word(bytes, at, b"null")?, name),
                _ => self.leaf(Kind::Number, at, number(bytes, at)?, name),
            };
            // Here stands what may follow a value, or the end of an empty object or list.
            loop {
                at = space(bytes, at);
                let Some(&open) = self.open.last() else {
                    return if at == bytes.len() { Ok(()) } else { Err(NotJson::At(at)) };
                };
                let object = self.nodes[open as usize].kind == Kind::Object;
                match (byte(bytes, at)?, object) {
                    (b',', true) => {
                        (name, at) = member(bytes, space(bytes, at + 1))?;
                        break;
                    }
                    (b',', false) => {
                        at = space(bytes, at + 1);
                        break;
                    }
                    (b'}', true) | (b']', false) => {
                        at += 1;
                        self.close(at);
                    }
                    _ => return Err(NotJson::At(at)),
                }
            }
        }
    }

    fn begin(&mut self, kind: Kind, at: usize, name: Name) {
        self.open.push(self.nodes.len() as u32);
        self.leaf(kind, at, at, name);
    }

    fn close(&mut self, end: usize) {
        let next = self.nodes.len() as u32;
        if let Some(open) = self.open.pop() {
            let node = &mut self.nodes[open as usize];
            (node.end, node.next) = (end as u32, next);
        }
    }

    /// A value without values inside; gives where it ends.
    fn leaf(&mut self, kind: Kind, start: usize, end: usize, name: Name) -> usize {
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(Node { kind, start: start as u32, end: end as u32, next, name });
        end
    }
}

/// A member's name and its colon; gives the name, and where the value begins.
#[inline(always)]
fn member(bytes: &[u8], at: usize) -> Result<(Name, usize), NotJson> {
    if byte(bytes, at)? != b'"' {
        return Err(NotJson::At(at));
    }
    let (end, escaped) = string(bytes, at)?;
    let colon = space(bytes, end);
    if byte(bytes, colon)? != b':' {
        return Err(NotJson::At(colon));
    }
    Ok((Name { start: at as u32 + 1, end: end as u32 - 1, escaped }, space(bytes, colon + 1)))
}

/// Gives where the string ends, and whether there is a backslash in it.
#[inline(always)]
fn string(bytes: &[u8], start: usize) -> Result<(usize, bool), NotJson> {
    let at = plain(bytes, start + 1);
    if bytes.get(at) == Some(&b'"') {
        return Ok((at + 1, false));
    }
    Ok((special(bytes, at)?, true))
}

/// From the first byte of a string that does not stand for itself; gives where the string ends.
#[cold]
fn special(bytes: &[u8], mut at: usize) -> Result<usize, NotJson> {
    loop {
        match byte(bytes, at)? {
            b'"' => return Ok(at + 1),
            b'\\' => at = plain(bytes, escape(bytes, at + 1)?),
            _ => return Err(NotJson::At(at)),
        }
    }
}

/// Gives where the word ends.
fn word(bytes: &[u8], at: usize, word: &[u8]) -> Result<usize, NotJson> {
    for (n, wanted) in word.iter().enumerate() {
        if byte(bytes, at + n)? != *wanted {
            return Err(NotJson::At(at + n));
        }
    }
    Ok(at + word.len())
}

/// Gives where the first byte stands that does not stand for itself inside a string: eight bytes at a time, then one by one.
#[inline(always)]
fn plain(bytes: &[u8], mut at: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    /// The high bit of a byte is set if the byte is zero; above one that is, also others may be.
    const fn zeros(word: u64) -> u64 {
        word.wrapping_sub(ONES) & !word & HIGHS
    }
    while let Some(eight) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let word = u64::from_le_bytes(*eight);
        let control = word.wrapping_sub(ONES * 0x20) & !word & HIGHS;
        let special = control | zeros(word ^ (ONES * b'"' as u64)) | zeros(word ^ (ONES * b'\\' as u64));
        if special != 0 {
            return at + special.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while bytes.get(at).is_some_and(|b| *b >= 0x20 && *b != b'"' && *b != b'\\') {
        at += 1;
    }
    at
}

fn byte(bytes: &[u8], at: usize) -> Result<u8, NotJson> {
    bytes.get(at).copied().ok_or(NotJson::Cut)
}

fn space(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|b| matches!(b, b' ' | b'\n' | b'\r' | b'\t')) {
        at += 1;
    }
    at
}

/// After a backslash; gives where the string goes on.
fn escape(bytes: &[u8], at: usize) -> Result<usize, NotJson> {
    match byte(bytes, at)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Ok(at + 1),
        b'u' => {
            for digit in at + 1..at + 5 {
                if !byte(bytes, digit)?.is_ascii_hexdigit() {
                    return Err(NotJson::At(digit));
                }
            }
            Ok(at + 5)
        }
        _ => Err(NotJson::At(at)),
    }
}

/// Gives where the number ends.
fn number(bytes: &[u8], start: usize) -> Result<usize, NotJson> {
    let digits = |at: usize| -> Result<usize, NotJson> {
        if !byte(bytes, at)?.is_ascii_digit() {
            return Err(NotJson::At(at));
        }
        Ok(at + bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count())
    };
    let is = |at: usize, any: &[u8]| bytes.get(at).is_some_and(|b| any.contains(b));
    let mut at = start + usize::from(is(start, b"-"));
    at = if is(at, b"0") { at + 1 } else { digits(at)? };
    if is(at, b".") {
        at = digits(at + 1)?;
    }
    if is(at, b"eE") {
        at += 1;
        at = digits(at + usize::from(is(at, b"+-")))?;
    }
    Ok(at)
}
