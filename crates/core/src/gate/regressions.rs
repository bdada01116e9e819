//! Limits on what may have changed since a baseline.

use super::{Case, Said};
use crate::Micros;
use crate::compare::{Changed, Regression, changed, measured};
use crate::format::{count, significant};
use crate::report::Run;
use crate::sections::{figure, of_mode};
use crate::slo::Subject;
use crate::stats::{Bounds, Interval};
use crate::text::{GateText, Lang, Sec, fill};
use crate::trace::Mode;

/// A case for each limit and each mode that both runs measured it in; one that nobody can tell where there is none.
pub fn regressions(base: &Run, run: &Run, allowed: &[Regression], lang: Lang) -> Vec<Case> {
    allowed.iter().flat_map(|limit| of(base, run, *limit, lang)).collect()
}

fn of(base: &Run, run: &Run, limit: Regression, lang: Lang) -> Vec<Case> {
    let found: Vec<(Mode, Changed)> = Mode::ALL
        .into_iter()
        .filter_map(|mode| Some((mode, changed(limit, &measured(base, mode), &measured(run, mode), base.config.seed)?)))
        .collect();
    if found.is_empty() {
        let message = GateText::NotInBoth.get(lang).to_owned();
        return vec![Case { name: limit.to_string(), said: Said::Unknown, message }];
    }
    let several = found.len() > 1;
    let step = Micros(base.clock.step_us.max(run.clock.step_us));
    let case = |(mode, changed): (Mode, Changed)| {
        let name = if several { of_mode(&limit.to_string(), mode, lang) } else { limit.to_string() };
        let said = match changed.regressed() {
            Some(true) => Said::Failed,
            Some(false) => Said::Passed,
            None => Said::Unknown,
        };
        Case { name, said, message: message(&changed, step, lang) }
    };
    found.into_iter().map(case).collect()
}

fn message(changed: &Changed, step: Micros, lang: Lang) -> String {
    let shown = |value: i64| match changed.allowed.subject {
        Subject::Percentile(_, metric) => figure(metric, value, step),
        Subject::ErrorRate | Subject::PassRate => format!("{} %", significant(value as f64 / 1e4, 2)),
    };
    let signed = |value: i64| format!("{}{}", if value > 0 { "+" } else { "" }, shown(value));
    let bounds = |of: Bounds, show: &dyn Fn(i64) -> String| match (of.lower, of.upper) {
        (Some(low), Some(high)) if low == high => show(low),
        (low, high) => format!("{} … {}", low.map(show).unwrap_or_default(), high.map(show).unwrap_or_default()),
    };
    let share = match (changed.a.lower, changed.a.upper, changed.b.lower, changed.b.upper) {
        (Some(a), Some(same_a), Some(b), Some(same_b)) if a == same_a && b == same_b && a != 0 => {
            let percent = (b - a) as f64 / a as f64 * 100.0;
            format!("{}{} %", if percent > 0.0 { "+" } else { "" }, significant(percent, 1))
        }
        _ => "–".to_owned(),
    };
    let (key, above) = match changed.above_allowed {
        Interval::Between { lower, upper } => (GateText::Changed, bounds(Bounds { lower, upper }, &signed)),
        Interval::Needs { at_least, has } => {
            (GateText::ChangedNeeds, fill(Sec::TooFew.get(lang), &[&count(at_least), &count(has)]))
        }
    };
    let (a, b) = (bounds(changed.a, &shown), bounds(changed.b, &shown));
    fill(key.get(lang), &[&a, &b, &share, &above, &count(changed.n.0), &count(changed.n.1)])
}
