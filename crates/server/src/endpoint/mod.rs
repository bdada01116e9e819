//! The built-in endpoint: the engine's schedules over real HTTP.

mod access;
mod answer;
mod body;
mod question;
mod record;

pub use access::{Access, Preflight, Wanted, WantedError};
pub(crate) use answer::route;

/// Where the endpoint answers on both origins.
pub const PATH: &str = "/v1/chat/completions";
