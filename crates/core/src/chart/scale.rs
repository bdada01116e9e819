//! A linear scale and its ticks.

/// From data to a length of screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Smallest data value.
    pub from: f64,
    /// Largest data value.
    pub to: f64,
    /// Length on the screen.
    pub length: f64,
}

impl Scale {
    /// The position of a value; the middle of an empty range.
    pub fn at(&self, value: f64) -> f64 {
        if self.to <= self.from {
            return self.length / 2.0;
        }
        (value - self.from) / (self.to - self.from) * self.length
    }
}

/// Round values from 0 to at most `to`, about `wanted` of them, at steps of 1, 2 or 5 times a power of ten.
pub fn ticks(to: f64, wanted: usize) -> Vec<f64> {
    if to.is_nan() || to <= 0.0 || wanted == 0 {
        return vec![0.0];
    }
    let rough = to / wanted as f64;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|s| *s >= rough).unwrap_or(10.0 * power);
    let count = (to / step + 1e-9).floor() as usize;
    (0..=count).map(|i| i as f64 * step).collect()
}

/// Ticks with their numbers, all with as many decimals as their step needs.
pub fn labelled_ticks(to: f64, wanted: usize) -> Vec<(f64, String)> {
    let ticks = ticks(to, wanted);
    let step = ticks.get(1).copied().unwrap_or(1.0);
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    let label = |tick: f64| match decimals {
        0 => crate::format::count(tick.round() as usize),
        _ => format!("{tick:.decimals$}"),
    };
    ticks.into_iter().map(|tick| (tick, label(tick))).collect()
}

/// Round values inside a range, about `wanted` of them, each with its number.
pub fn range_ticks(from: f64, to: f64, wanted: usize) -> Vec<(f64, String)> {
    if from == 0.0 {
        return labelled_ticks(to, wanted);
    }
    let steps = ticks(to - from, wanted);
    let Some(step) = steps.get(1).copied() else { return vec![(from, crate::format::significant(from, 2))] };
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    let (first, last) = ((from / step - 1e-9).ceil() as i64, (to / step + 1e-9).floor() as i64);
    let label = |value: f64| format!("{value:.decimals$}").replacen('-', "−", 1);
    (first..=last)
        .map(|n| n as f64 * step)
        .map(|value| match decimals {
            0 if value >= 0.0 => (value, crate::format::count(value.round() as usize)),
            _ => (value, label(value)),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks(1400.0, 5), [0.0, 500.0, 1000.0]);
        assert_eq!(ticks(100.0, 5), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(ticks(0.0, 5), [0.0]);
        assert_eq!(ticks(f64::NAN, 5), [0.0]);
    }

    #[test]
    fn labels_have_the_decimals_of_their_step() {
        let labels = |to| labelled_ticks(to, 5).into_iter().map(|(_, label)| label).collect::<Vec<_>>();
        assert_eq!(labels(1400.0), ["0", "500", "1,000"]);
        assert_eq!(labels(1.2), ["0.0", "0.5", "1.0"]);
        assert_eq!(labels(0.0), ["0"]);
    }

    #[test]
    fn ranges_below_zero_have_ticks_at_zero_too() {
        let labels = |from, to| range_ticks(from, to, 4).into_iter().map(|(_, label)| label).collect::<Vec<_>>();
        assert_eq!(labels(-30.0, 50.0), ["−20", "0", "20", "40"]);
        assert_eq!(labels(-0.3, 0.5), ["−0.2", "0.0", "0.2", "0.4"]);
        assert_eq!(labels(0.0, 1400.0), ["0", "500", "1,000"]);
        assert_eq!(range_ticks(5.0, 5.0, 4), [(5.0, "5.00".to_owned())]);
    }

    #[test]
    fn positions() {
        let scale = Scale { from: 0.0, to: 200.0, length: 600.0 };
        assert_eq!(scale.at(50.0), 150.0);
        assert_eq!(Scale { to: 0.0, ..scale }.at(7.0), 300.0);
    }
}
