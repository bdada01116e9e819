//! What the built-in endpoint sends and when, as pure data with known truth.
//!
//! A [`Plan`] is read from query parameters; with what one request asks ([`Ask`]) it gives a [`Schedule`]: a status, headers
//! and timed pieces of a body. Nothing here reads a clock, waits, or touches a socket, so the same plan and the same
//! question always give the same bytes at the same times.

mod answer;
mod ask;
mod at_once;
mod chunk;
mod error;
mod fault;
mod format;
mod parameters;
mod piece;
mod plan;
mod preset;
mod reply;
mod report;
mod schedule;
mod streamed;
mod whole;
mod words;
mod writes;

pub use ask::Ask;
pub use error::ScheduleError;
pub use fault::Fault;
pub use format::Format;
pub use parameters::PARAMETERS;
pub use piece::{Ending, Endless, Kind, Piece};
pub use plan::{Component, Plan, ServerTiming, Span};
pub use preset::Preset;
pub use report::Measured;
pub use schedule::{Expected, Schedule};
