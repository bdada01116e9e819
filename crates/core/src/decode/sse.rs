//! Server-sent events: framing. The grammar is `sse-core`'s; this adds what a measurement needs: comments are counted, a
//! last event without its blank line is taken and noted, and one event is bounded.

use std::num::NonZeroUsize;

use sse_core::{MessageEvent, SseDecoder, SseEvent};

use super::{Decoded, Event};

/// The most that one event may hold.
pub(crate) const MAX_EVENT: NonZeroUsize = match NonZeroUsize::new(16 << 20) {
    Some(n) => n,
    None => NonZeroUsize::MIN,
};

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// A framing decoder, fed with reads.
pub(crate) struct Framing {
    events: SseDecoder,
    /// How many bytes of a leading BOM were seen; none once the start is past.
    bom: Option<usize>,
    line_start: bool,
    bytes_seen: bool,
}

impl Default for Framing {
    fn default() -> Self {
        Framing { events: SseDecoder::with_limit(MAX_EVENT), bom: Some(0), line_start: true, bytes_seen: false }
    }
}

impl Framing {
    /// Takes one read; `decode` makes facts of one event.
    pub(crate) fn push(&mut self, bytes: &[u8], out: &mut Decoded, decode: impl Fn(&MessageEvent, &mut Vec<Event>)) {
        self.count_comments(bytes, out);
        self.bytes_seen |= !bytes.is_empty();
        self.drain(bytes, out, &decode);
    }

    /// The body ended.
    pub(crate) fn end(&mut self, out: &mut Decoded, decode: impl Fn(&MessageEvent, &mut Vec<Event>)) {
        let before = out.framed;
        if self.bytes_seen {
            // A lone CR at the end is a line end already; LF LF closes whatever is open.
            self.drain(b"\n\n", out, &decode);
        }
        if out.framed > before {
            out.events.push(Event::Note("unterminated_event", String::new()));
        }
    }

    fn drain(&mut self, mut bytes: &[u8], out: &mut Decoded, decode: &impl Fn(&MessageEvent, &mut Vec<Event>)) {
        while let Some(event) = self.events.next(&mut bytes) {
            match event {
                Ok(SseEvent::Message(message)) => out.frame(|events| decode(&message, events)),
                Ok(_) => {}
                Err(_) => out.events.push(Event::Error(format!("one event is larger than {} MiB", MAX_EVENT.get() >> 20))),
            }
        }
    }

    fn count_comments(&mut self, bytes: &[u8], out: &mut Decoded) {
        for &byte in bytes {
            match self.bom {
                Some(n) if BOM.get(n) == Some(&byte) => {
                    self.bom = Some(n + 1);
                    continue;
                }
                _ => self.bom = None,
            }
            if self.line_start && byte == b':' {
                out.comments += 1;
            }
            self.line_start = byte == b'\n' || byte == b'\r';
        }
    }
}
