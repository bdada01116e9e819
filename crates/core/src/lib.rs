//! The pure part of Firstlight: what a reply means, when it happened, what follows from it.
//!
//! What this crate does **not** do: read a clock, open a connection, touch a browser type, ask the system for randomness.
//! Every time stamp enters as data ([`Micros`]), every byte as a slice, every seed as a number, so that a metric is a pure
//! function of one [`trace::Trace`] and a run's figures are pure functions of its traces and its plan.
//!
//! The way through: bytes → [`decode`] → events → [`record::Recorder`] → [`trace::Trace`] → [`metrics`] → [`stats`] →
//! [`summary`]; beside it [`server_report`] (what the server said) and [`gap`] (where the two differ).

mod by_id;
pub mod chart;
pub mod config;
pub mod decode;
pub mod delivery;
pub mod format;
pub mod gap;
pub mod joint;
pub mod load;
pub mod mark;
pub mod metrics;
pub mod network;
pub mod outcome;
pub mod paint;
#[cfg(test)]
mod peers;
pub mod record;
pub mod report;
pub mod server_report;
pub mod session;
pub mod stats;
pub mod summary;
pub mod text;
pub mod trace;
mod units;
pub mod validity;

pub use by_id::ById;
pub use units::Micros;
