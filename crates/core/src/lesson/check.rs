//! What is predicted of one figure, and which values bear the prediction out?

use super::figure::Figure;
use crate::text::Les;

/// What the browser and the way may add to a time of the endpoint's schedule.
const MAY_ADD_MS: i64 = 100;
/// What a timer or a coarse clock may take away.
const MAY_LACK_MS: i64 = 5;

/// The values that bear a prediction out, in the figure's own unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// This and more; none: no lower end.
    pub from: Option<i64>,
    /// This and less; none: no upper end.
    pub to: Option<i64>,
}

/// A figure, what is predicted of it, and what counts as borne out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// What the figure is of.
    pub says: Les,
    /// The figure.
    pub figure: Figure,
    /// What follows from the endpoint's parameters, in µs, or in thousandths of a rate.
    pub predicted: i64,
    /// What bears it out.
    pub counts: Counts,
}

impl Check {
    /// A time of the endpoint's schedule in ms, to which the browser and the way add a little.
    pub fn time(says: Les, figure: Figure, ms: i64) -> Check {
        Check::between(says, figure, ms, ms - MAY_LACK_MS, ms + MAY_ADD_MS)
    }

    /// A difference of two times in ms, of which what the browser and the way add may go either way.
    pub fn difference(says: Les, figure: Figure, ms: i64) -> Check {
        Check::between(says, figure, ms, ms - MAY_ADD_MS, ms + MAY_ADD_MS)
    }

    /// A time in ms, borne out from one value to another.
    pub fn between(says: Les, figure: Figure, ms: i64, from: i64, to: i64) -> Check {
        let counts = Counts { from: Some(from * 1000), to: Some(to * 1000) };
        Check { says, figure, predicted: ms * 1000, counts }
    }

    /// A time or a difference in ms, borne out by anything from here on.
    pub fn from(says: Les, figure: Figure, ms: i64, from: i64) -> Check {
        Check { says, figure, predicted: ms * 1000, counts: Counts { from: Some(from * 1000), to: None } }
    }

    /// A rate, borne out from one to another share of it, in percent.
    pub fn rate(says: Les, figure: Figure, per_second: f64, from: i64, to: i64) -> Check {
        let predicted = (per_second * 1000.0).round() as i64;
        let share = |percent: i64| Some(predicted * percent / 100);
        Check { says, figure, predicted, counts: Counts { from: share(from), to: share(to) } }
    }

    /// A stop rule ends the run, or does not.
    pub fn stopped(says: Les, run: usize, stopped: bool) -> Check {
        let fired = i64::from(stopped);
        Check { says, figure: Figure::Stopped { run }, predicted: fired, counts: Counts { from: Some(fired), to: Some(fired) } }
    }
}
