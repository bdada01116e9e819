//! One sentence that a person can repeat: what users saw, against what the server said.

use super::context::with_subset;
use super::{Edge, Role, Summary};
use crate::Micros;
use crate::format::{clock_decimals, count, millis, quantile, significant};
use crate::metrics::Metric;
use crate::report::Run;
use crate::stats::P50;
use crate::text::{Lang, Sum, fill};
use crate::trace::Mode;

/// The sentences of one mode, and their context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headline {
    /// Of requests asked for in this way.
    pub mode: Mode,
    /// What users saw.
    pub seen: String,
    /// The figure inside `seen`, and whose evidence it is.
    pub figure: Option<(Role, String)>,
    /// How it compares with what the server said.
    pub against_server: String,
    /// The figure inside `against_server`.
    pub outside: Option<String>,
    /// The context line.
    pub context: String,
    /// The marks between which its figure runs; empty if there is none.
    pub boundary: &'static str,
    /// The statistic of its figure; empty if there is none.
    pub statistic: String,
}

/// The first wait that has figures decides the words: seen, else the bounds of seen, else received.
pub fn headline(run: &Run, summary: &Summary, lang: Lang) -> Vec<Headline> {
    run.config.modes().iter().map(|mode| one(run, summary, lang, *mode)).collect()
}

fn one(run: &Run, summary: &Summary, lang: Lang, mode: Mode) -> Headline {
    let step = Micros(run.clock.step_us);
    let first_shown = if mode == Mode::Streaming { Sum::SeenFirst } else { Sum::SeenWhole };
    let candidates = [
        (Metric::FirstVisible, Edge::Value, first_shown, "sent → first visible"),
        (Metric::FirstVisible, Edge::Earliest, Sum::SeenAtLeast, "sent → first visible (earliest)"),
        (Metric::FirstAnswer, Edge::Value, Sum::ReceivedFirst, "sent → first answer received"),
        (Metric::EndToEnd, Edge::Value, Sum::ReceivedWhole, "sent → last output received"),
    ];
    let found = candidates.into_iter().find_map(|(metric, edge, words, boundary)| {
        let row = summary.row(metric, mode, edge)?;
        let median = row.distribution.percentile(P50)?;
        let number = quantile(median, |value| millis(value, step));
        let statistic = fill(Sum::StatisticP50.get(lang), &[&count(row.distribution.n())]);
        let statistic = with_subset(run, lang, metric, mode, &statistic);
        let role = if metric.is_seen() { Role::Seen } else { Role::Received };
        let context = super::context_line(run, lang, Some(mode), boundary, &statistic);
        Some((fill(words.get(lang), &[&number]), Some((role, format!("{number} ms"))), context, boundary, statistic))
    });
    let (seen, figure, context, boundary, statistic) = found.unwrap_or_else(|| {
        let context = super::context_line(run, lang, Some(mode), "", "");
        (Sum::NothingMeasured.get(lang).to_owned(), None, context, "", String::new())
    });
    let (against_server, outside) = against_server(summary, lang, mode, step);
    Headline { mode, seen, figure, against_server, outside, context, boundary, statistic }
}

fn against_server(summary: &Summary, lang: Lang, mode: Mode, step: Micros) -> (String, Option<String>) {
    let mine = || summary.gaps.iter().filter(|(m, _, _)| *m == mode);
    let reported = mine().find(|(_, _, gaps)| gaps.outside.n() > 0);
    let Some((_, wait, gaps)) = reported else {
        let inconsistent = mine().any(|(_, _, gaps)| gaps.inconsistent > 0);
        let words = if inconsistent { Sum::ServerInconsistent } else { Sum::ServerSilent };
        return (words.get(lang).to_owned(), None);
    };
    let words = if wait.is_first() { Sum::OutsideFirst } else { Sum::OutsideComplete };
    let median = gaps.outside.median().unwrap_or(0);
    let share = significant(gaps.share.median().unwrap_or(0) as f64 / 10.0, 0);
    let outside = significant(median as f64 / 1000.0, clock_decimals(step));
    (fill(words.get(lang), &[&outside, &share, &count(gaps.outside.n())]), Some(format!("{outside} ms")))
}
