//! The library behind the `firstlight` binary: the page, the built-in endpoint with its ground truth, and real browsers.
//!
//! [`Server::start`] gives a [`Running`] server. What the endpoint really wrote and when is read from [`Running::truth`],
//! in this process only: the measuring side can't see it.

mod api;
mod automation;
pub mod browser;
mod clock;
mod collect;
pub mod endpoint;
mod forward;
mod https;
mod jobs;
pub mod otlp;
mod page;
pub mod recorded;
mod reply;
mod server;
mod timer;
mod truth;
pub mod webdriver;
mod wire;

pub use automation::{Automation, line_broke};
pub use clock::Clock;
pub use collect::{Collect, CollectError, CollectOptions, OriginError, Origins, UpstreamError};
pub use forward::{ForwardError, Forwards, PREFIX as FORWARD_PREFIX};
pub use https::{Certificate, CertificateError};
pub use jobs::{ReportError, SubmitError};
pub use server::{Options, Public, Running, Server, StartError};
pub use truth::{Truth, Written};
