//! A comparison in sentences, with what it does and doesn't show.

use super::{ContextDifference, ContextItem, FailureDifference, MetricDifference};
use crate::Micros;
use crate::format::{count, significant, value};
use crate::metrics::Unit;
use crate::stats::{Bounds, Interval, Verdict};
use crate::text::{Cmp, Draw, Lang, fill, metric_name};

/// One line for each thing that differs besides; first a line that says so, or that nothing known does.
pub fn context_lines(context: &[ContextDifference], lang: Lang) -> Vec<String> {
    if context.is_empty() {
        return vec![Cmp::SameContext.get(lang).to_owned()];
    }
    let known = |text: &str| if text.is_empty() { Cmp::NotKnown.get(lang).to_owned() } else { text.to_owned() };
    let line = |d: &ContextDifference| fill(Cmp::Differs.get(lang), &[&item_name(&d.item, lang), &known(&d.a), &known(&d.b)]);
    std::iter::once(Cmp::OtherContext.get(lang).to_owned()).chain(context.iter().map(line)).collect()
}

fn item_name(item: &ContextItem, lang: Lang) -> String {
    match item {
        ContextItem::Target => Cmp::Target,
        ContextItem::Model => Cmp::Model,
        ContextItem::Workload => Cmp::Workload,
        ContextItem::Mode => Cmp::Mode,
        ContextItem::Concurrency => Cmp::Concurrency,
        ContextItem::Requests => Cmp::Requests,
        ContextItem::WarmUp => Cmp::WarmUp,
        ContextItem::TimeLimit => Cmp::TimeLimit,
        ContextItem::Rendering => return Draw::Rendering.get(lang).to_owned(),
        ContextItem::Protocol => Cmp::Protocol,
        ContextItem::Browser => Cmp::Browser,
        ContextItem::Device => Cmp::Device,
        ContextItem::Isolation => Cmp::Isolation,
        ContextItem::Thread => Cmp::Thread,
        ContextItem::Clock => Cmp::Clock,
        ContextItem::Path => Cmp::Path,
        ContextItem::Setting(name) => return fill(Cmp::Setting.get(lang), &[name]),
    }
    .get(lang)
    .to_owned()
}

/// What was found of one percentile. `a` and `b` are the names of both sides, `step` the coarser clock's.
pub fn sentence(d: &MetricDifference, a: &str, b: &str, step: Micros, lang: Lang) -> String {
    let unit = d.metric.unit();
    let suffix = match unit {
        Unit::Time => " ms",
        Unit::TokenRate => " tok/s",
        Unit::Count => "",
    };
    let bare = |v: i64| value(v, unit, step);
    let signed = |v: i64| format!("{}{}", if v > 0 { "+" } else { "" }, bare(v));
    let bounds = |of: Bounds, show: &dyn Fn(i64) -> String| match (of.lower, of.upper) {
        (Some(low), Some(high)) if low == high => format!("{}{suffix}", show(low)),
        (Some(low), Some(high)) => format!("{} … {}{suffix}", show(low), show(high)),
        (Some(low), None) => format!("≥ {}{suffix}", show(low)),
        (None, Some(high)) => format!("≤ {}{suffix}", show(high)),
        (None, None) => "–".to_owned(),
    };
    let what = format!("{} {}", d.difference.p.name(), metric_name(lang, d.metric));
    let interval = match d.difference.interval {
        Interval::Between { lower, upper } => bounds(Bounds { lower, upper }, &signed),
        Interval::Needs { .. } => String::new(),
    };
    let (in_a, in_b) = (bounds(d.a, &bare), bounds(d.b, &bare));
    let key = match d.verdict {
        Verdict::Higher => Cmp::Higher,
        Verdict::Lower => Cmp::Lower,
        Verdict::NoDifference => Cmp::NoDifference,
        Verdict::Undecided => Cmp::Undecided,
        Verdict::NotEnoughData { at_least, has } => {
            return fill(Cmp::NotEnoughData.get(lang), &[&what, a, b, &in_a, &in_b, &count(at_least), &count(has)]);
        }
    };
    fill(key.get(lang), &[&what, a, b, &in_a, &in_b, &interval])
}

/// What was found of failures.
pub fn failure_sentence(d: &FailureDifference, a: &str, b: &str, lang: Lang) -> String {
    let Some((lower, upper)) = d.interval else { return Cmp::NoFailureRate.get(lang).to_owned() };
    let key = match (lower > 0.0, upper < 0.0) {
        (true, _) => Cmp::MoreFailures,
        (_, true) => Cmp::FewerFailures,
        _ => Cmp::FailuresUndecided,
    };
    let points =
        |share: f64| format!("{}{}", if share > 0.0 { "+" } else { "" }, significant(share * 100.0, 2)).replace('-', "−");
    let of = |share: crate::stats::Share| format!("{}/{}", count(share.hits), count(share.of));
    fill(key.get(lang), &[a, b, &of(d.a), &of(d.b), &points(lower), &points(upper)])
}

/// What a comparison does and doesn't show. `interleaved`: both sides were measured in turn inside one run.
pub fn what_it_shows(interleaved: bool, lang: Lang) -> String {
    let key = if interleaved { Cmp::ShowsInterleaved } else { Cmp::ShowsRuns };
    format!("{} {}", key.get(lang), Cmp::ShowsIntervals.get(lang))
}
