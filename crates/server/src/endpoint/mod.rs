//! The built-in endpoint: the engine's schedules over real HTTP.

mod access;
mod aligned;
mod answer;
mod body;
mod instance;
mod live;
mod metrics;
mod modelled;
mod packed;
mod path;
mod pool;
mod question;
mod record;

pub use access::{Access, Preflight, Wanted, WantedError};
pub use aligned::Aligned;
pub(crate) use aligned::probe;
pub(crate) use answer::route;
pub(crate) use instance::Instances;
pub(crate) use metrics::{Metrics, metrics};
pub(crate) use path::PATHS;
pub(crate) use pool::Pools;
pub(crate) use record::Held;

/// Where the endpoint answers on both origins, whatever the format.
pub const PATH: &str = "/v1/chat/completions";

/// Where both origins tell the time of the clock that stamps stages.
pub const CLOCK_PATH: &str = "/clock";
/// Where it tells of itself in sum, on both origins.
pub const METRICS_PATH: &str = "/metrics";
