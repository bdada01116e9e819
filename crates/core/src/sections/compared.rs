//! Two sides beside each other: the arms of one run, or a run and a saved one. What differs besides stands first.

use super::{Section, Table, Tone, both_arms, heads};
use crate::Micros;
use crate::compare::{
    Arms, MetricDifference, compare_arms, compare_runs, context_lines, failure_sentence, sentence, what_it_shows,
};
use crate::config::ModeChoice;
use crate::format::value;
use crate::metrics::{Metric, Unit};
use crate::report::Run;
use crate::stats::{Bounds, Interval, P50, P95, Verdict};
use crate::summary::context_line;
use crate::text::{Lang, Sec, Sum, fill, metric_name};
use crate::trace::{Mode, Trace};

/// The waits and the pace are said in sentences; everything else stands in the table.
const SAID: [Metric; 3] = [Metric::FirstVisible, Metric::FirstAnswer, Metric::EndToEnd];

/// What was compared inside the run.
pub(super) fn versus(run: &Run, lang: Lang) -> Option<Section> {
    let set = both_arms(run);
    let of = |holds: &dyn Fn(&Trace) -> bool| set.iter().copied().filter(|t| holds(t)).collect::<Vec<_>>();
    let margin = margin(run);
    let (a, b, names) = if run.config.versus.is_some() {
        let names = [Sec::Present.get(lang), Sec::Candidate.get(lang)];
        (of(&|t| t.planned.arm == 0), of(&|t| t.planned.arm == 1), names)
    } else if run.config.mode == ModeChoice::Both {
        let names = [Sum::NotStreaming.get(lang), Sum::Streaming.get(lang)];
        (of(&|t| t.planned.mode == Mode::NonStreaming), of(&|t| t.planned.mode == Mode::Streaming), names)
    } else {
        return None;
    };
    let title = if run.config.versus.is_some() { Sec::VersusTitle.get(lang).to_owned() } else { names.join(" / ") };
    let mut section = Section::new("versus", &title);
    let step = Micros(run.clock.step_us);
    add(&mut section, &compare_arms(&a, &b, run.config.seed, margin), names, step, lang);
    section.say(Tone::Plain, what_it_shows(true, lang));
    if run.config.versus.is_some() {
        section.say(Tone::Plain, Sec::OnePresent.get(lang).to_owned());
    }
    Some(section)
}

/// Differences of this size and less don't matter, if the decision says so.
pub(crate) fn margin(run: &Run) -> Option<i64> {
    run.config.decision.as_ref()?.baseline.as_ref()?.margin_us
}

/// A run beside a saved one, which is the baseline.
pub fn compared(base: &Run, run: &Run, lang: Lang) -> Section {
    compared_within(base, run, None, lang)
}

/// The same with a margin of its own, in µs, instead of the one that the run's decision states.
pub fn compared_within(base: &Run, run: &Run, margin_us: Option<i64>, lang: Lang) -> Section {
    let comparison = compare_runs(base, run, margin_us.or_else(|| margin(run)));
    let mut section = Section::new("compare", &fill(Sec::CompareTitle.get(lang), &[&base.created]));
    let tone = if comparison.context.is_empty() { Tone::Plain } else { Tone::Warn };
    context_lines(&comparison.context, lang).into_iter().for_each(|line| section.say(tone, line));
    let names = [Sec::ColBaseline.get(lang), Sec::ColThis.get(lang)];
    let step = Micros(run.clock.step_us.max(base.clock.step_us));
    for (_, arms) in &comparison.modes {
        add(&mut section, arms, names, step, lang);
    }
    section.say(Tone::Plain, what_it_shows(false, lang));
    section.context = format!("{} · {}", context_line(base, lang, None, "", ""), context_line(run, lang, None, "", ""));
    section
}

fn add(section: &mut Section, arms: &Arms, [a, b]: [&str; 2], step: Micros, lang: Lang) {
    // What was seen, or else what was received.
    let seen = arms.metrics.iter().any(|d| d.metric == Metric::FirstVisible);
    let said = |d: &&MetricDifference| {
        SAID.contains(&d.metric) && (d.metric != Metric::FirstAnswer || !seen) && [P50, P95].contains(&d.difference.p)
    };
    for difference in arms.metrics.iter().filter(said) {
        let tone = match difference.verdict {
            Verdict::Higher | Verdict::Lower => Tone::Good,
            _ => Tone::Plain,
        };
        section.say(tone, sentence(difference, a, b, step, lang));
    }
    section.say(Tone::Plain, failure_sentence(&arms.failures, a, b, lang));
    let head = heads([Sec::ColWhat.get(lang), a, b, Sec::ColDifference.get(lang), Sec::ColInterval.get(lang)]);
    let rows = arms.metrics.iter().map(|d| row(d, step, lang)).collect();
    section.tables.push(Table { caption: String::new(), head, rows });
}

fn row(d: &MetricDifference, step: Micros, lang: Lang) -> Vec<String> {
    let unit = d.metric.unit();
    let shown = |v: i64| value(v, unit, step);
    let signed = |v: i64| format!("{}{}", if v > 0 { "+" } else { "" }, shown(v));
    let bounds = |of: Bounds, show: &dyn Fn(i64) -> String| match (of.lower, of.upper) {
        (Some(low), Some(high)) if low == high => show(low),
        (low, high) => format!("{}…{}", low.map(show).unwrap_or_default(), high.map(show).unwrap_or_default()),
    };
    let interval = match d.difference.interval {
        Interval::Between { lower, upper } => bounds(Bounds { lower, upper }, &signed),
        Interval::Needs { at_least, has } => fill(Sec::TooFew.get(lang), &[&at_least.to_string(), &has.to_string()]),
    };
    let unit = match unit {
        Unit::Time => "",
        Unit::TokenRate => " (tok/s)",
        Unit::Count => " (–)",
    };
    let name = format!("{} {}{unit}", d.difference.p.name(), metric_name(lang, d.metric));
    vec![name, bounds(d.a, &shown), bounds(d.b, &shown), bounds(d.difference.estimate, &signed), interval]
}
