//! Counts, pace and notes of a run, as texts.

use super::Summary;
use crate::Micros;
use crate::format::{count, signed_millis, significant};
use crate::metrics::Metric;
use crate::order::by_key;
use crate::report::Run;
use crate::server_report::{ALLOW_TIMING, Access, From, Source};
use crate::stats::{Interval, P50};
use crate::text::{Lang, Res, absence, diagnostic, fill, metric_name};
use crate::trace::{Mode, Trace};

/// Throughput and steady state of one mode.
pub fn pace_line(summary: &Summary, mode: Mode, lang: Lang) -> String {
    let say = |key: Res, values: &[&str]| fill(key.get(lang), values);
    let rate = |value: f64, estimated: bool| format!("{}{}", if estimated { "~" } else { "" }, significant(value, 2));
    let throughput = summary.throughput.iter().find(|(m, _)| *m == mode).map(|(_, t)| t);
    let mut parts = Vec::new();
    let mut items = false;
    match throughput {
        Some(Ok(t)) => {
            items = t.items.is_some();
            parts.push(say(Res::PaceRequests, &[&rate(t.requests, false), &significant(t.window.as_secs(), 2)]));
            parts.extend(t.tokens.map(|(tokens, estimated)| say(Res::PaceTokens, &[&rate(tokens, estimated)])));
            parts.extend(t.items.map(|items| say(Res::PaceItems, &[&rate(items, false)])));
        }
        Some(Err(why)) => parts.push(say(Res::PaceNone, &[absence(lang, *why)])),
        None => {}
    }
    let steady = summary.steady.iter().find(|(m, _)| *m == mode).map(|(_, s)| s);
    let per_second = if items { Res::SteadyItems } else { Res::SteadyTokens };
    match steady {
        Some(Ok(value)) => parts.push(say(per_second, &[&rate(*value, false)])),
        Some(Err(why)) => parts.push(say(Res::SteadyNone, &[absence(lang, *why)])),
        None => {}
    }
    parts.join(" · ")
}

/// One line of paired differences, in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairedLine {
    /// Which metric.
    pub metric: Metric,
    /// Its name.
    pub name: &'static str,
    /// Number of pairs.
    pub n: String,
    /// Median of the differences.
    pub median: String,
    /// Its interval, or what one needs.
    pub interval: String,
}

/// The paired differences.
pub fn paired_lines(summary: &Summary, step: Micros, lang: Lang) -> Vec<PairedLine> {
    let signed = |value: i64| signed_millis(value, step);
    let line = |paired: &super::Paired| {
        let d = &paired.differences;
        let interval = match d.interval(P50) {
            Interval::Between { lower, upper } => {
                fill(Res::MarkBounds.get(lang), &[&signed(lower.value), &signed(upper.value)])
            }
            Interval::Needs { at_least, .. } => fill(crate::text::Sum::Needs.get(lang), &[&count(at_least)]),
        };
        PairedLine {
            metric: paired.metric,
            name: metric_name(lang, paired.metric),
            n: count(d.n()),
            median: d.median().map(signed).unwrap_or_default(),
            interval,
        }
    };
    summary.paired.iter().map(line).collect()
}

/// Notes on measured requests, each once, with how many requests it is of, in words; the most frequent first.
pub fn notes(run: &Run, lang: Lang) -> Vec<String> {
    let mut found: Vec<(&crate::trace::Diagnostic, usize)> = Vec::new();
    for note in measured(run).flat_map(|t| &t.diagnostics) {
        match found.iter_mut().find(|(known, _)| *known == note) {
            Some((_, n)) => *n += 1,
            None => found.push((note, 1)),
        }
    }
    by_key(&mut found, |(_, n)| std::cmp::Reverse(*n));
    let words = |(note, n): &(&crate::trace::Diagnostic, usize)| {
        fill(Res::NoteTimes.get(lang), &[&diagnostic(lang, note.code, &note.detail), &count(*n)])
    };
    found.iter().map(words).collect()
}

/// Whether the server's own times could be read: the worst of all replies, since one header mends all.
pub fn server_timing_access(run: &Run) -> Access {
    let of = |access| measured(run).any(|t| t.server_timing_access == access);
    [Access::HiddenOrNotSent, Access::NotSent, Access::Read].into_iter().find(|a| of(*a)).unwrap_or(Access::NoResponse)
}

/// The response header lines that a server of another origin must add for what could not be read: `Server-Timing`, and the
/// headers that a person mapped to spans. None if nothing is missing.
pub fn expose_lines(run: &Run) -> Option<String> {
    let hidden: Vec<&Trace> = measured(run).filter(|t| t.response.as_ref().is_some_and(|r| r.cross_origin)).collect();
    let mut names = Vec::new();
    if hidden.iter().any(|t| t.server_timing_access == Access::HiddenOrNotSent) {
        names.push("Server-Timing".to_owned());
    }
    for mapping in run.config.reading.choice().spans {
        let From::Header(header) = mapping.from else { continue };
        let read = |t: &&Trace| t.spans.iter().any(|s| s.source == Source::Header && s.name == mapping.name);
        if !hidden.is_empty() && !hidden.iter().any(read) {
            names.push(header);
        }
    }
    (!names.is_empty()).then(|| format!("Access-Control-Expose-Headers: {}\n{ALLOW_TIMING}", names.join(", ")))
}

fn measured(run: &Run) -> impl Iterator<Item = &Trace> {
    run.traces.iter().filter(|t| !t.planned.warmup)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::fixture::{run, trace};
    use crate::trace::Diagnostic;

    #[test]
    fn a_mapped_header_that_could_not_be_read_is_in_the_line_to_add() {
        let mut one = trace(0, 10);
        one.response = Some(crate::trace::ResponseFacts { cross_origin: true, ..Default::default() });
        one.server_timing_access = Access::HiddenOrNotSent;
        let mut hidden = run(vec![one.clone()]);
        assert_eq!(
            expose_lines(&hidden).as_deref(),
            Some("Access-Control-Expose-Headers: Server-Timing\nTiming-Allow-Origin: *")
        );
        hidden.config.reading.spans = vec!["x-queue-ms = wait ms queue".into(), "/usage/q = q ms queue".into()];
        assert_eq!(
            expose_lines(&hidden).as_deref(),
            Some("Access-Control-Expose-Headers: Server-Timing, x-queue-ms\nTiming-Allow-Origin: *")
        );
        let span = crate::server_report::Span { name: "wait".into(), source: Source::Header, ..one.spans[0].clone() };
        hidden.traces[0].spans.push(span);
        hidden.traces[0].server_timing_access = Access::Read;
        assert_eq!(expose_lines(&hidden), None);
        hidden.traces[0].response = None;
        hidden.traces[0].spans.clear();
        assert_eq!(expose_lines(&hidden), None);
    }

    #[test]
    fn equal_notes_are_counted_once() {
        let mut traces: Vec<Trace> = (0..3).map(|id| trace(id, 10)).collect();
        let note = |detail: &str| Diagnostic { code: "server_said", detail: detail.into() };
        traces[0].diagnostics.push(note("b"));
        traces[1].diagnostics.push(note("a"));
        traces[2].diagnostics.push(note("a"));
        let lines = notes(&run(traces), Lang::En);
        assert_eq!(lines, ["The server said: a (2 ×)", "The server said: b (1 ×)"]);
    }

    #[test]
    fn a_pace_or_why_there_is_none() {
        let run = run(vec![trace(0, 100)]);
        let line = pace_line(&Summary::of(&run), Mode::Streaming, Lang::En);
        assert!(line.starts_with("No throughput: "), "{line}");
        assert_eq!(server_timing_access(&run), Access::NoResponse);
        assert!(paired_lines(&Summary::of(&run), Micros(5), Lang::En).is_empty());
    }
}
