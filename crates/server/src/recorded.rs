//! A recorded reply, decoded by the page's own decoder as if it came now.

mod http;
mod replay;
mod timing;

pub use replay::{Replayed, replay};
pub use timing::Timing;

/// Why a recording can't be read.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// It begins like HTTP and is not.
    #[error("the head is not HTTP/1.1: {0}")]
    Head(String),
    /// The head does not end.
    #[error("the head of the reply is cut off: there is no empty line after it")]
    CutHead,
    /// Not a chunk where one must begin.
    #[error("the chunked body is damaged at byte {0}: record the reply as it comes from the socket, or give the bare body")]
    Chunk(usize),
    /// The body is compressed.
    #[error("the body is compressed ({0}): record the reply to a request with Accept-Encoding: identity")]
    Compressed(String),
    /// The file of read times.
    #[error("the read times can't be read: {0}")]
    Timing(String),
    /// Read times that do not fit the recording.
    #[error("read times end at byte {times}, the recording at byte {bytes}")]
    TimingLength {
        /// Where they end.
        times: usize,
        /// Where the recording ends.
        bytes: usize,
    },
}
