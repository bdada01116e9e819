//! The pure part of Firstlight: what a reply means, when it happened, what follows from it.
//!
//! What this crate does **not** do: read a clock, open a connection, touch a browser type, ask the system for randomness.
//! Every time stamp enters as data ([`Micros`]), every byte as a slice, every seed as a number, so that a metric is a pure
//! function of one [`trace::Trace`] and a run's figures are pure functions of its traces and its plan.
//!
//! The way through: bytes → [`decode`] → events → [`record::Recorder`] → [`trace::Trace`] → [`metrics`] → [`stats`] →
//! [`summary`]; beside it [`server_report`] (what the server said) and [`gap`] (where the two differ).

pub mod align;
pub mod breakdown;
mod by_id;
pub mod chart;
pub mod compare;
pub mod config;
pub mod cost;
pub mod decision;
pub mod decode;
pub mod delivery;
pub mod diagnosis;
pub mod export;
pub mod format;
pub mod gap;
pub mod gate;
pub mod history;
pub mod joint;
pub mod lesson;
pub mod link;
pub mod load;
pub mod mark;
pub mod markdown;
pub mod metrics;
pub mod network;
mod order;
pub mod outcome;
pub mod paint;
pub mod passive;
#[cfg(test)]
mod peers;
pub mod race;
pub mod record;
pub mod report;
pub mod scrape;
pub mod sections;
pub mod server_report;
pub mod session;
pub mod slo;
pub mod stats;
pub mod stop_rule;
pub mod summary;
pub mod text;
pub mod trace;
pub mod typed;
mod units;
pub mod validity;
pub mod workload;

pub use by_id::ById;
pub use firstlight_json::number;
pub use units::Micros;
