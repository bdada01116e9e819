//! When does a server of language models serve whom? A discrete-event model of one, in virtual µs.
//!
//! A [`Model`] is told who arrives and who goes away, and tells when each request gets its place in a batch, when its input is
//! read, when its tokens leave and when it is over ([`Emission`]). It reads no clock: whoever drives it says which time it is, so
//! that a test runs it as fast as it can and a server runs it as time goes by, with the same result for the same arrivals.
//! What it models and what not is written down in `docs/engine.md`.

mod course;
mod parameters;
mod preset;
mod query;
mod replica;
mod request;
mod routing;
mod speculation;
#[cfg(test)]
mod tests;

pub use course::{Course, simulate};
pub use parameters::{Parameters, Router, StepTime};
pub use preset::ModelPreset;
pub use query::{MODEL_PARAMETERS, Modelled};
pub use request::{Asked, Emission, Refused, RequestId, What};
pub use routing::Model;
pub use speculation::steps_of;
