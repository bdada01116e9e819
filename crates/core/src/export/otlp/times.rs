//! From the page's clock to wall time, as far as it is known.

use serde_json::Value;

use super::attributes::{double, flag, text};
use crate::Micros;
use crate::export::instant::epoch_seconds;
use crate::mark::Mark;
use crate::report::Origin;

/// How fine `Date.now()` is.
const WALL_STEP_US: i64 = 1_000;

/// Wall time of a run's instants.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wall {
    /// Wall time at which the page's clock was 0, in µs since 1970.
    origin_us: i64,
    from: Source,
}

/// Where it is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// The page's own time origin; how far the wall clock was from it when the run began.
    Page(Option<i64>),
    /// The time at which the run was begun, and its first request a little later.
    Created,
    /// The file does not say: counted from 1970.
    Nothing,
}

impl Wall {
    pub(super) fn of(origin: &Origin<'_>) -> Wall {
        if let Some(origin_us) = origin.environment.time_origin_us {
            return Wall { origin_us: origin_us - origin.shift.0, from: Source::Page(origin.environment.wall_apart_us) };
        }
        let first = origin.traces.iter().filter_map(|t| t.marks.get(Mark::Sent).ok()).min().unwrap_or_default();
        match epoch_seconds(origin.created) {
            Some(seconds) => Wall { origin_us: (seconds * 1e6).round() as i64 - first.0, from: Source::Created },
            None => Wall { origin_us: -origin.shift.0, from: Source::Nothing },
        }
    }

    /// Nanoseconds since 1970 of an instant of the page's clock, as OTLP writes them. None of that is 0, which means unknown.
    pub(super) fn nanos(&self, at: Micros) -> String {
        let us = (self.origin_us + at.0).max(1);
        format!("{us}000")
    }

    /// What is known of it.
    pub(super) fn attributes(&self) -> Vec<Value> {
        let (source, known) = match self.from {
            Source::Page(_) => ("performance.timeOrigin", true),
            Source::Created => ("created", false),
            Source::Nothing => ("none", false),
        };
        let mut all = vec![text("firstlight.wall_clock.source", source), flag("firstlight.wall_clock.known", known)];
        if let Source::Page(Some(apart)) = self.from {
            all.push(double("firstlight.wall_clock.error", Micros(apart + WALL_STEP_US).as_secs()));
        }
        all
    }
}
