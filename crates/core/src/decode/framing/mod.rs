//! From bytes to the parts of a reply: one file per framing. Any split into reads gives the same parts, each with the read
//! that completed it.

use std::borrow::Cow;

pub(crate) mod aws;
mod crc;
pub(crate) mod lines;
pub(crate) mod sse;
pub(crate) mod text;
pub(crate) mod values;

/// The most that one event or one whole body may hold.
pub(crate) const LIMIT: usize = 16 << 20;

/// One part of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part<'a> {
    /// An event: its name (empty if the framing gives none) and its data.
    Event {
        /// Name.
        name: &'a str,
        /// Data.
        data: &'a str,
    },
    /// A keep-alive comment.
    Comment,
    /// The last event was not closed, but is whole as far as it goes.
    Unterminated,
    /// Bytes that are no event; reading goes on after them.
    Unreadable(&'a str),
    /// Bytes after which nothing can be read.
    Damaged(&'static str),
    /// One event is over [`LIMIT`].
    TooLarge,
    /// The framing's own end.
    End,
}

/// Takes parts in order.
pub(crate) type Sink<'s> = &'s mut dyn FnMut(Part<'_>);

/// Bytes as text; what is not UTF-8 becomes the replacement character. Nearly all is UTF-8, and to look for that is quicker.
fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}
