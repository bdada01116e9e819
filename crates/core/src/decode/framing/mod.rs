//! From bytes to the parts of a reply: one file per framing. Any split into reads gives the same parts, each with the read
//! that completed it.

pub(crate) mod aws;
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
