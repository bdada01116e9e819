//! How the clocks of two threads are joined: by their time origins, checked by pings.

use crate::Micros;

/// One question to the other thread: the asking thread's clock before and after, and the other's clock in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ping {
    /// The asking thread's clock when it asked.
    pub asked: Micros,
    /// The other thread's clock when it answered.
    pub answered: Micros,
    /// The asking thread's clock when the answer came.
    pub heard: Micros,
}

/// What is added to the other thread's stamps to get those of the asking thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Joint {
    /// The addend.
    pub offset: Micros,
    /// How far from the truth it may be.
    pub error: Micros,
}

/// Joins two clocks. `origins` is the difference of their time origins: it is taken as long as it contradicts no ping. Where it
/// does (the wall clock was set between the start of one thread and the other), the pings' own middle is taken.
/// `step` is what each clock rounds to. None without pings.
pub fn join(origins: Micros, pings: &[Ping], step: Micros) -> Option<Joint> {
    // The truth lies between these: the other clock was read after the question and before the answer was heard.
    let low = pings.iter().map(|p| p.asked - p.answered).max()? - step;
    let high = pings.iter().map(|p| p.heard - p.answered).min()? + step;
    if high < low {
        // Clocks that drift against each other by more than their steps: the whole of what pings say.
        return Some(Joint { offset: Micros((low.0 + high.0) / 2), error: low - high });
    }
    let offset = if (low..=high).contains(&origins) { origins } else { Micros((low.0 + high.0) / 2) };
    Some(Joint { offset, error: (high - offset).max(offset - low) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ping(asked: i64, answered: i64, heard: i64) -> Ping {
        Ping { asked: Micros(asked), answered: Micros(answered), heard: Micros(heard) }
    }

    #[test]
    fn time_origins_that_no_ping_contradicts_are_taken() {
        // The other thread began 5,000 µs later, so 5,000 is added.
        let pings = [ping(10_000, 5_100, 10_400), ping(20_000, 15_080, 20_100)];
        let joint = join(Micros(5_000), &pings, Micros(5)).expect("joined");
        // From 10,000 − 5,100 = 4,900 and 20,000 − 15,080 = 4,920; to 20,100 − 15,080 = 5,020.
        assert_eq!(joint, Joint { offset: Micros(5_000), error: Micros(85) });
    }

    #[test]
    fn a_wall_clock_that_was_set_between_the_two_starts_is_found_out() {
        let pings = [ping(20_000, 15_080, 20_100)];
        let joint = join(Micros(3_605_000), &pings, Micros(5)).expect("joined");
        assert_eq!(joint, Joint { offset: Micros(4_970), error: Micros(55) });
    }

    #[test]
    fn without_pings_nothing_is_claimed() {
        assert_eq!(join(Micros(1), &[], Micros(5)), None);
    }
}
