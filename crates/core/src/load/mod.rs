//! What is sent when, as data from a seed: the shape of a load, the plan that follows from it, and what became of it.

mod arrivals;
mod came;
mod lag;
mod lateness;
mod omission;
pub(crate) mod plan;
mod replay;
mod saturation;
mod shape;
#[cfg(test)]
mod simulator;
mod spelling;
#[cfg(test)]
mod tests;
mod versus;

pub use arrivals::{Arrival, arrivals};
pub use came::{Rates, paused, rates, response_times, window_end};
pub use lag::{Lag, Lags};
pub use lateness::{ClientLimit, LATE, Lateness, MAIN_THREAD_SHARE, STAMPING_LAG, client_limited, lateness};
pub use omission::{Corrected, MOST_INVENTED, expected_interval};
pub use plan::{Cases, WARMUP_CAP, levels, plan, total_of};
pub use replay::{ReplayError, read_replay};
pub use saturation::{FAILURES, KEEPS_UP, Level, NO_GAIN, Saturated, saturation};
pub use shape::{Cancel, Load, MAX_PLANNED, MAX_RATE, MAX_TIME_MS, Over, Shape, Spacing, Step, Wrong};
pub use spelling::{Unspelled, spell_time, spelled_time};
pub use versus::{Versus, What};
