//! The forwarder: `/forward/NAME/…` for endpoints that refuse browsers, to the targets named at start and nowhere else.
//!
//! It streams both ways, adds only the time that its spans tell, and keeps and prints nothing of a request.

mod client;
mod error;
mod guard;
mod headers;
mod passing;
mod path;
mod reason;
mod route;
mod target;
mod timing;

pub(crate) use client::{Sender, sender};
pub(crate) use guard::Own;
pub(crate) use reason::Reason;
pub(crate) use route::{Forwarder, route};
pub use target::{ForwardError, Forwards};

/// Where forwarders are, on both origins; a target's name follows.
pub const PREFIX: &str = "/forward/";
