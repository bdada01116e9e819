//! Server-sent events: the grammar of the HTML standard (LF, CRLF and CR; a BOM; several data lines; comments), and beyond
//! it what real servers need: an event that has a name but no data is given (LangServe's `end`), the field `error` is an
//! event (older llama.cpp), and a last event without its blank line is taken and noted.

use super::{LIMIT, Part, Sink, text_of};

/// Holds the event that is not complete yet.
#[derive(Default)]
pub(crate) struct Framing {
    /// The line that is not over yet.
    line: Vec<u8>,
    name: Vec<u8>,
    /// The event's data lines, each with a line end behind it.
    data: Vec<u8>,
    /// The last line ended with CR: a LF after it belongs to that end.
    after_cr: bool,
    /// The first line is past, and with it the place of a BOM.
    begun: bool,
    over: bool,
}

impl Framing {
    /// Takes one read.
    pub(crate) fn push(&mut self, mut bytes: &[u8], sink: Sink<'_>) {
        if std::mem::take(&mut self.after_cr) {
            match bytes.first() {
                Some(b'\n') => bytes = &bytes[1..],
                Some(_) => {}
                None => self.after_cr = true,
            }
        }
        while let Some(at) = memchr::memchr2(b'\n', b'\r', bytes) {
            if let Some(rest) = bytes[at..].strip_prefix(b"\n\n")
                && self.is_alone(at)
                && let Some(value) = bytes[..at].strip_prefix(b"data:")
            {
                self.give(value.strip_prefix(b" ").unwrap_or(value), sink);
                bytes = rest;
                continue;
            }
            if self.line.is_empty() {
                self.take(&bytes[..at], sink);
            } else {
                let mut line = std::mem::take(&mut self.line);
                line.extend_from_slice(&bytes[..at]);
                self.take(&line, sink);
                line.clear();
                self.line = line;
            }
            let cr = bytes[at] == b'\r';
            bytes = &bytes[at + 1..];
            if cr {
                match bytes.first() {
                    Some(b'\n') => bytes = &bytes[1..],
                    Some(_) => {}
                    None => self.after_cr = true,
                }
            }
        }
        self.line.extend_from_slice(bytes);
        if self.line.len() + self.data.len() > LIMIT {
            self.too_large(sink);
        }
    }

    /// The body ended.
    pub(crate) fn end(&mut self, sink: Sink<'_>) {
        let line = std::mem::take(&mut self.line);
        if !line.is_empty() {
            self.take(&line, sink);
        }
        if self.close(sink) {
            sink(Part::Unterminated);
        }
    }

    /// The next line, of this length, stands whole in one read and nothing of its event's data came before it. Nearly every event
    /// is one such line of data with an empty line behind it: it is given from where it stands.
    fn is_alone(&self, length: usize) -> bool {
        self.begun && self.line.is_empty() && self.data.is_empty() && length <= LIMIT
    }

    fn take(&mut self, line: &[u8], sink: Sink<'_>) {
        if self.data.len() + line.len() > LIMIT {
            return self.too_large(sink);
        }
        let mut line = line;
        if !std::mem::replace(&mut self.begun, true) {
            line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        }
        // Nearly every line is one of these two.
        if let Some(value) = line.strip_prefix(b"data:") {
            return self.add(value.strip_prefix(b" ").unwrap_or(value));
        }
        if line.is_empty() {
            self.close(sink);
            return;
        }
        let (field, value) = match memchr::memchr(b':', line) {
            Some(at) => (&line[..at], line[at + 1..].strip_prefix(b" ").unwrap_or(&line[at + 1..])),
            None => (line, &b""[..]),
        };
        match field {
            b"" => sink(Part::Comment),
            b"data" => self.add(value),
            b"event" => {
                self.name.clear();
                // The grammar's word for an event without a name.
                self.name.extend_from_slice(if value == b"message" { b"" } else { value });
            }
            b"error" => sink(Part::Event { name: "error", data: &text_of(value) }),
            _ => {}
        }
    }

    fn add(&mut self, value: &[u8]) {
        self.data.extend_from_slice(value);
        self.data.push(b'\n');
    }

    fn too_large(&mut self, sink: Sink<'_>) {
        if !std::mem::replace(&mut self.over, true) {
            sink(Part::TooLarge);
        }
        (self.line, self.data) = (Vec::new(), Vec::new());
    }

    /// The event is complete; says whether there was one.
    fn close(&mut self, sink: Sink<'_>) -> bool {
        if self.data.is_empty() && self.name.is_empty() {
            return false;
        }
        let mut data = std::mem::take(&mut self.data);
        self.give(data.strip_suffix(b"\n").unwrap_or(&data), sink);
        data.clear();
        self.data = data;
        true
    }

    fn give(&mut self, data: &[u8], sink: Sink<'_>) {
        sink(Part::Event { name: &text_of(&self.name), data: &text_of(data) });
        self.name.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sse_core::{SseDecoder, SseEvent};

    fn ours(bytes: &[u8]) -> Vec<(String, String)> {
        let mut events = Vec::new();
        let mut sink = |part: Part<'_>| {
            if let Part::Event { name, data } = part {
                events.push((name.to_owned(), data.to_owned()));
            }
        };
        let mut framing = Framing::default();
        framing.push(bytes, &mut sink);
        framing.end(&mut sink);
        events
    }

    /// What a well-kept decoder of the standard gives, with the last event closed.
    fn theirs(bytes: &[u8]) -> Vec<(String, String)> {
        let closed = [bytes, b"\n\n"].concat();
        let mut rest = closed.as_slice();
        let mut decoder = SseDecoder::new();
        let mut events = Vec::new();
        while let Some(event) = decoder.next(&mut rest) {
            if let Ok(SseEvent::Message(m)) = event {
                let name = if m.event == "message" { String::new() } else { m.event.to_string() };
                events.push((name, m.data.to_string()));
            }
        }
        events
    }

    #[test]
    fn beyond_the_standard() {
        assert_eq!(ours(b"event: end\n\n"), [("end".to_owned(), String::new())]);
        assert_eq!(ours(b"error: {\"code\":5}\n\n"), [("error".to_owned(), "{\"code\":5}".to_owned())]);
        assert_eq!(ours(b"\xEF\xBB\xBF\xEF\xBB\xBFdata: x\n\n"), []);
    }

    proptest! {
        #[test]
        fn the_standard_is_kept(
            bom in any::<bool>(),
            lines in prop::collection::vec(
                (
                    prop_oneof!["data: ?[a-z:é ]{0,4}", "data", ":[a-z]{0,3}", "event: ?[a-z]{1,3}\ndata: x", "id: ?1", "retry: 3", "datax: y", " data: z", ""],
                    prop_oneof![Just("\n"), Just("\r\n"), Just("\r"), Just("\n\n"), Just("\r\r"), Just("\r\n\r\n")],
                ),
                0..10,
            ),
        ) {
            let mut text = if bom { "\u{feff}".to_owned() } else { String::new() };
            lines.into_iter().for_each(|(line, end)| text.extend([line.as_str(), end]));
            // An event without data is the one thing that the standard drops.
            let ours: Vec<_> = ours(text.as_bytes());
            prop_assert_eq!(ours, theirs(text.as_bytes()));
        }
    }
}
