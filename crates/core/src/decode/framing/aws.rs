//! `application/vnd.amazon.eventstream`: binary messages with a checked length and two CRCs.

use super::crc::crc32;
use super::{LIMIT, Part, Sink};

/// Total length, length of the headers, and their CRC.
const PRELUDE: usize = 12;
const CRC: usize = 4;

/// Holds the message that is not complete yet.
#[derive(Default)]
pub(crate) struct Messages {
    bytes: Vec<u8>,
    over: bool,
}

impl Messages {
    /// Takes one read.
    pub(crate) fn push(&mut self, bytes: &[u8], sink: Sink<'_>) {
        if self.over {
            return;
        }
        self.bytes.extend_from_slice(bytes);
        let mut at = 0;
        while !self.over {
            match message(&self.bytes[at..]) {
                Ok(None) => break,
                Ok(Some((length, message))) => {
                    at += length;
                    sink(message.part());
                }
                Err(part) => {
                    self.over = true;
                    sink(part);
                }
            }
        }
        self.bytes.drain(..at);
    }

    /// The body ended.
    pub(crate) fn end(&mut self, sink: Sink<'_>) {
        if !self.over && !self.bytes.is_empty() {
            sink(Part::Unreadable("a message that was cut"));
        }
    }
}

#[derive(Default)]
struct Message<'a> {
    kind: &'a str,
    event: &'a str,
    exception: &'a str,
    payload: &'a str,
}

impl<'a> Message<'a> {
    fn part(&self) -> Part<'a> {
        let name = if matches!(self.kind, "exception" | "error") { self.exception } else { self.event };
        Part::Event { name, data: self.payload }
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    let four = bytes.get(at..at + 4)?;
    Some(u32::from_be_bytes([four[0], four[1], four[2], four[3]]) as usize)
}

/// The first message and its length; none if more bytes are needed.
fn message(bytes: &[u8]) -> Result<Option<(usize, Message<'_>)>, Part<'static>> {
    let (Some(total), Some(headers), Some(crc)) = (u32_at(bytes, 0), u32_at(bytes, 4), u32_at(bytes, 8)) else {
        return Ok(None);
    };
    if crc32(&bytes[..8]) as usize != crc {
        return Err(Part::Damaged("the CRC of a message's length does not fit"));
    }
    if total > LIMIT {
        return Err(Part::TooLarge);
    }
    if total < PRELUDE + headers + CRC {
        return Err(Part::Damaged("a message is shorter than its headers"));
    }
    let Some(whole) = bytes.get(..total) else { return Ok(None) };
    let end = total - CRC;
    if u32_at(whole, end) != Some(crc32(&whole[..end]) as usize) {
        return Err(Part::Damaged("the CRC of a message does not fit"));
    }
    let payload = std::str::from_utf8(&whole[PRELUDE + headers..end]);
    let mut message = Message { payload: payload.map_err(|_| Part::Damaged("a message is not UTF-8"))?, ..Message::default() };
    let mut rest = &whole[PRELUDE..PRELUDE + headers];
    while !rest.is_empty() {
        let (name, value, after) = header(rest).ok_or(Part::Damaged("a message's headers can't be read"))?;
        match name {
            ":message-type" => message.kind = value,
            ":event-type" => message.event = value,
            ":exception-type" | ":error-code" => message.exception = value,
            _ => {}
        }
        rest = after;
    }
    Ok(Some((total, message)))
}

/// Name, value (empty unless it is a text) and what follows.
fn header(bytes: &[u8]) -> Option<(&str, &str, &[u8])> {
    let (length, bytes) = bytes.split_first()?;
    let (name, bytes) = bytes.split_at_checked(usize::from(*length))?;
    let name = std::str::from_utf8(name).ok()?;
    let (kind, bytes) = bytes.split_first()?;
    let size = match kind {
        0 | 1 => 0,
        2 => 1,
        3 => 2,
        4 => 4,
        5 | 8 => 8,
        9 => 16,
        6 | 7 => {
            let (size, bytes) = bytes.split_at_checked(2)?;
            let (value, after) = bytes.split_at_checked(usize::from(u16::from_be_bytes([size[0], size[1]])))?;
            return Some((name, if *kind == 7 { std::str::from_utf8(value).ok()? } else { "" }, after));
        }
        _ => return None,
    };
    Some((name, "", bytes.split_at_checked(size)?.1))
}
