//! What the built-in endpoint sends and when, as pure data with known truth.
//!
//! A [`Plan`] is read from query parameters; with what one request asks ([`Ask`]) it gives a [`Schedule`]: a status, headers
//! and timed pieces of a body. Nothing here reads a clock, waits, or touches a socket, so the same plan and the same
//! question always give the same bytes at the same times. What a [`Limit`] did to a request enters as data ([`Service`]); who is
//! served and who waits is decided by a [`Line`]. Where a plan names a modelled server, a [`model::Model`] says the times instead
//! of the plan ([`Timeline`]).

mod ask;
mod at_once;
mod dialect;
mod error;
mod fault;
mod format;
mod limit;
mod line;
pub mod model;
mod parameters;
mod piece;
mod plan;
mod preset;
mod reply;
mod report;
mod schedule;
mod streamed;
mod timeline;
mod whole;
mod words;
mod writes;

pub use ask::Ask;
pub use dialect::Said;
pub use error::ScheduleError;
pub use fault::Fault;
pub use format::Format;
pub use limit::{Freeze, Limit, Service, Window};
pub use line::{Line, Ticket};
pub use parameters::PARAMETERS;
pub use piece::{Ending, Endless, Kind, Piece};
pub use plan::{Component, Plan, ServerTiming, Span};
pub use preset::Preset;
pub use report::Measured;
pub use schedule::{Encoding, Expected, Schedule};
pub use timeline::{Place, Timeline};
pub use words::Writing;
