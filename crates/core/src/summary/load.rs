//! The load of a run in one line: the part of every figure's context that says when requests were sent.

use crate::config::RunConfig;
use crate::format::significant;
use crate::load::{Shape, Spacing, Step, levels};
use crate::report::Run;
use crate::text::{GridText, Lang, LoadText, fill, levels_text};

/// A number as a person would write it: no digits that are zero.
fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn seconds(ms: u32) -> String {
    number(f64::from(ms) / 1000.0)
}

fn spaced(spacing: Spacing, lang: Lang, rate: &str) -> String {
    match spacing {
        Spacing::Even => fill(LoadText::Even.get(lang), &[rate]),
        Spacing::Poisson => fill(LoadText::Poisson.get(lang), &[rate]),
        Spacing::Gamma { burstiness } => fill(LoadText::Gamma.get(lang), &[rate, &number(burstiness)]),
    }
}

/// Up to six levels in full; of more, the ends.
fn list(levels: &[f64]) -> String {
    let all: Vec<String> = levels.iter().map(|l| number(*l)).collect();
    if all.len() <= 6 { all.join(", ") } else { format!("{}, {}, … {}", all[0], all[1], all[all.len() - 1]) }
}

fn shape(config: &RunConfig, lang: Lang) -> String {
    let all = list(&levels(config));
    match &config.load.shape {
        Shape::Closed => fill(LoadText::Closed.get(lang), &[&config.concurrency.to_string()]),
        Shape::Open { per_second, spacing } => spaced(*spacing, lang, &fill(LoadText::Rate.get(lang), &[&number(*per_second)])),
        Shape::Ramp { from, to, over_ms, spacing } => {
            let rate = fill(LoadText::RampRate.get(lang), &[&number(*from), &number(*to), &seconds(*over_ms)]);
            spaced(*spacing, lang, &rate)
        }
        Shape::Steps { over, spacing, steps } => {
            let text = fill(levels_text(*over, false).get(lang), &[&steps_list(steps, &all)]);
            if config.load.shape.is_open() { spaced(*spacing, lang, &text) } else { text }
        }
        Shape::Sweep { over, spacing, .. } => {
            let text = fill(levels_text(*over, true).get(lang), &[&all, &config.requests.to_string()]);
            if config.load.shape.is_open() { spaced(*spacing, lang, &text) } else { text }
        }
        Shape::Replay { speed, .. } => fill(LoadText::Replay.get(lang), &[&number(*speed)]),
    }
}

/// Steps with their times, where each has one and there are few.
fn steps_list(steps: &[Step], all: &str) -> String {
    let timed: Option<Vec<String>> =
        steps.iter().map(|s| Some(format!("{} ({} s)", number(s.level), seconds(s.for_ms?)))).collect();
    timed.filter(|t| t.len() <= 6).map_or_else(|| all.to_owned(), |t| t.join(", "))
}

/// The load.
pub fn load_line(run: &Run, lang: Lang) -> String {
    let (config, load) = (&run.config, &run.config.load);
    let most = load.max_in_flight.filter(|_| load.shape.is_open());
    let cancel = load.cancel.map(|c| {
        let share = significant(c.share * 100.0, 0);
        fill(LoadText::Cancelling.get(lang), &[&share, &seconds(c.from_ms), &seconds(c.to_ms)])
    });
    let parts = [
        Some(shape(config, lang)),
        load.duration_ms.map(|ms| fill(LoadText::For.get(lang), &[&seconds(ms)])),
        most.map(|n| fill(LoadText::AtMost.get(lang), &[&n.to_string()])),
        cancel,
        config.versus.as_ref().map(|v| fill(LoadText::Against.get(lang), &[&v.one_in.to_string()])),
    ];
    let each = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    // What one browser sends is a part of the load where others send beside it.
    match run.environment.grid.as_deref() {
        None => each,
        Some(grid) if grid.asked == 1 => each,
        Some(grid) if grid.measured < grid.asked => {
            fill(GridText::LoadSome.get(lang), &[&grid.measured.to_string(), &grid.asked.to_string(), &each])
        }
        Some(grid) => fill(GridText::Load.get(lang), &[&grid.measured.to_string(), &each]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{Load, Over};
    use crate::summary::fixture::run;

    #[test]
    fn a_load_is_said_in_the_words_of_its_shape() {
        let check = |shape: Shape, want: &str| {
            let mut run = run(Vec::new());
            (run.config.concurrency, run.config.requests) = (20, 100);
            run.config.load.shape = shape;
            assert_eq!(load_line(&run, Lang::En), want);
            assert!(!load_line(&run, Lang::Ko).contains('{'));
        };
        check(Shape::Closed, "closed loop, 20 at once");
        let open = |spacing| Shape::Open { per_second: 5.0, spacing };
        check(open(Spacing::Poisson), "open loop, Poisson, 5/s");
        check(open(Spacing::Gamma { burstiness: 0.25 }), "open loop, gamma (burstiness 0.25), 5/s");
        let ramp = Shape::Ramp { from: 1.0, to: 12.5, over_ms: 1500, spacing: Spacing::Even };
        check(ramp, "open loop, even, 1 → 12.5/s in 1.5 s");
        let sweep = |over| Shape::Sweep { over, levels: vec![1.0, 2.0], settle_ms: 0, spacing: Spacing::Poisson };
        check(sweep(Over::Rate), "open loop, Poisson, sweep over 1, 2/s, 100 requests each");
        check(sweep(Over::Concurrency), "closed loop, sweep over 1, 2 at once, 100 requests each");
    }

    #[test]
    fn limits_and_cancellation_are_said() {
        let mut run = run(Vec::new());
        run.config.load = Load { duration_ms: Some(90_000), max_in_flight: Some(32), ..Load::default() };
        run.config.load.shape = Shape::Open { per_second: 0.5, spacing: Spacing::Even };
        run.config.load.cancel = Some(crate::load::Cancel { share: 0.1, from_ms: 500, to_ms: 2000 });
        let want = "open loop, even, 0.5/s, for 90 s, at most 32 under way, 10 % cancelled as planned after 0.5–2 s";
        assert_eq!(load_line(&run, Lang::En), want);
    }
}
