//! What is told of one request: columns with a name, whose unit stands at its end, and a value or the reason of its absence.

use serde_json::{Value, json};

use crate::Micros;
use crate::breakdown::{Connection, connection};
use crate::delivery::{is_buffered_upstream, is_coalesced};
use crate::mark::{Absence, Mark};
use crate::metrics::{Figure, Metric, Unit, gaps, output_tokens, response_of};
use crate::paint::{Paint, Seen};
use crate::report::{Environment, Labels, Run};
use crate::server_report::{Boundary, Span};
use crate::summary::browser_name;
use crate::trace::{Shape, Trace};
use crate::workload::Source;

/// A value, or the code of the reason why there is none.
pub(super) type Told = Result<Cell, &'static str>;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell {
    /// Words of ours.
    Code(&'static str),
    /// Words of others.
    Text(String),
    /// Yes or no.
    Flag(bool),
    /// A count or a number of something.
    Count(i64),
    /// Thousandths: µs as ms, thousandths of a count or of a rate.
    Thousandths(i64),
    /// What has parts; only where an object may hold them.
    Parts(Value),
}

/// What is known of a request beside its trace.
pub(super) struct Of<'a> {
    run: &'a Run,
    /// When the first request was sent.
    begin: Option<Micros>,
    labels: Labels,
}

impl<'a> Of<'a> {
    /// Where a request was measured.
    fn environment(&self, trace: &Trace) -> &'a Environment {
        self.run.environment_of(trace.planned.id)
    }

    pub(super) fn run(run: &'a Run) -> Of<'a> {
        Of { run, begin: run.traces.iter().filter_map(|t| t.marks.get(Mark::Sent).ok()).min(), labels: run.labels() }
    }
}

/// A column.
#[derive(Clone, Copy)]
pub(super) enum Column {
    /// One of a kind: its name, and where its value comes from.
    One(&'static str, fn(&Of<'_>, &Trace) -> Told),
    /// A metric's value.
    Value(Metric),
    /// Its lower bound, of what was seen.
    Earliest(Metric),
    /// Its upper bound.
    Latest(Metric),
    /// How its instant was found.
    Method(Metric),
    /// The same from `intended`.
    Response(Metric),
    /// What the server reported between such boundaries.
    Reported(Boundary),
}

/// Why something is not there that is no mark and no metric.
mod why {
    pub(super) const NO_CASES: &str = "no_cases";
    pub(super) const NO_LABEL: &str = "no_label";
    pub(super) const NOT_MERGED: &str = "not_merged";
    pub(super) const NOT_PAIRED: &str = "not_paired";
    pub(super) const NO_RESPONSE: &str = "no_response";
    pub(super) const NOT_TOLD: &str = "not_told";
    pub(super) const NOT_REPORTED: &str = "not_reported";
    pub(super) const SEVERAL_SPANS: &str = "several_spans";
    pub(super) const NOT_CHECKED: &str = "not_checked";
    pub(super) const NONE: &str = "none";
    pub(super) const NO_UPPER_BOUND: &str = "no_upper_bound";
}

/// Every column that a cell can hold, in order.
pub(super) fn columns() -> Vec<Column> {
    let mut all: Vec<Column> = BEFORE.to_vec();
    for metric in Metric::ALL.into_iter().filter(|m| *m != Metric::InterChunk) {
        all.push(Column::Value(metric));
        if metric.is_seen() {
            all.extend([Column::Earliest(metric), Column::Latest(metric), Column::Method(metric)]);
        }
    }
    all.extend(Metric::ALL.into_iter().filter(|m| m.has_response()).map(Column::Response));
    all.extend_from_slice(BEHIND);
    all.extend(Boundary::ALL.into_iter().filter(|b| *b != Boundary::Component).map(Column::Reported));
    all
}

/// What only an object can hold: lists.
pub(super) const LISTS: &[Column] = &[
    Column::One("inter_chunk_gaps_ms", |_, t| {
        let gaps = gaps(t).map_err(Absence::code)?;
        Ok(Cell::Parts(gaps.into_iter().map(ms).collect()))
    }),
    Column::One("server_spans", |_, t| Ok(Cell::Parts(t.spans.iter().map(span).collect()))),
];

const BEFORE: &[Column] = &[
    Column::One("request", |_, t| count(t.planned.id)),
    Column::One("warm_up", |_, t| flag(t.planned.warmup)),
    Column::One("case", |_, t| count(t.planned.case)),
    Column::One("case_id", |of, t| {
        let Source::Cases(cases) = &of.run.config.workload.source else { return Err(why::NO_CASES) };
        Ok(Cell::Text(cases.get(t.planned.case as usize).ok_or(why::NO_CASES)?.id.clone()))
    }),
    Column::One("case_class", |of, t| Ok(Cell::Code(of.labels.of(t.planned.case).ok_or(why::NO_CASES)?.class))),
    Column::One("case_group", |of, t| {
        let label = of.labels.of(t.planned.case).ok_or(why::NO_CASES)?;
        label.group.clone().map(Cell::Text).ok_or(why::NO_LABEL)
    }),
    Column::One("turn", |of, t| count(of.labels.of(t.planned.case).ok_or(why::NO_CASES)?.turn)),
    Column::One("mode", |_, t| Ok(Cell::Code(t.planned.mode.code()))),
    Column::One("arm", |_, t| Ok(Cell::Code(if t.planned.arm == 0 { "present" } else { "candidate" }))),
    Column::One("stage", |_, t| count(t.planned.stage)),
    Column::One("pair", |_, t| count(t.planned.pair.ok_or(why::NOT_PAIRED)?)),
    Column::One("in_painted_subset", |_, t| flag(t.planned.painted)),
    Column::One("part", |of, t| {
        let part = of.run.part_of(t.planned.id).and_then(|at| of.run.parts.get(at as usize));
        part.map(|part| Cell::Text(part.label.clone())).ok_or(why::NOT_MERGED)
    }),
    Column::One("browser", |of, t| Ok(Cell::Text(browser_name(&of.environment(t).user_agent)))),
    Column::One("arrival", |of, t| Ok(Cell::Code(of.environment(t).arrival.code()))),
    Column::One("connection", |_, t| match connection(t) {
        Connection::Cold => Ok(Cell::Code("cold")),
        Connection::Warm => Ok(Cell::Code("warm")),
        Connection::Unknown => Err(no_timing(t)),
    }),
    Column::One("protocol", |_, t| {
        let network = t.network.as_ref().map_err(|why| why.code())?;
        network.protocol.clone().filter(|p| !p.is_empty()).map(Cell::Text).ok_or(why::NOT_TOLD)
    }),
    Column::One("outcome", |_, t| Ok(Cell::Code(t.outcome.code()))),
    Column::One("http_status", |_, t| count(t.response.as_ref().ok_or(why::NO_RESPONSE)?.status)),
    Column::One("reply_shape", |_, t| {
        Ok(Cell::Code(match t.shape.ok_or(Absence::NotReached.code())? {
            Shape::Stream => "stream",
            Shape::Whole => "whole",
            Shape::Prediction => "prediction",
        }))
    }),
    Column::One("reply_format", |_, t| Ok(Cell::Code(t.dialect.ok_or(Absence::NotReached.code())?.0))),
    Column::One("sent_ms", |of, t| {
        let sent = t.marks.get(Mark::Sent).map_err(Absence::code)?;
        time(sent - of.begin.unwrap_or(sent))
    }),
    Column::One("elapsed_ms", |_, t| time(t.elapsed().ok_or(Absence::NotReached.code())?)),
    Column::One("late_ms", |_, t| time(t.marks.between(Mark::Intended, Mark::Sent).map_err(Absence::code)?)),
];

const BEHIND: &[Column] = &[
    Column::One("reads", |_, t| count(t.reads.len() as u32)),
    Column::One("output_reads", |_, t| count(t.output_reads().count() as u32)),
    Column::One("body_bytes", |_, t| Ok(Cell::Count(t.reads.iter().map(|r| i64::from(r.bytes)).sum()))),
    Column::One("answer_chars", |_, t| tally(Some(t.amounts.answer_chars))),
    Column::One("reasoning_chars", |_, t| tally(Some(t.amounts.reasoning_chars))),
    Column::One("tool_chars", |_, t| tally(Some(t.amounts.tool_chars))),
    Column::One("input_tokens", |_, t| tally(t.usage.and_then(|u| u.input))),
    Column::One("output_tokens", |_, t| tally(t.usage.and_then(|u| u.output))),
    Column::One("reasoning_tokens", |_, t| tally(t.usage.and_then(|u| u.reasoning))),
    Column::One("cached_tokens", |_, t| tally(t.usage.and_then(|u| u.cached))),
    Column::One("streamed_tokens", |_, t| tally(Some(output_tokens(t).map_err(Absence::code)?.count))),
    Column::One("streamed_tokens_estimated", |_, t| flag(output_tokens(t).map_err(Absence::code)?.estimated)),
    Column::One("items", |_, t| tally(t.items)),
    Column::One("check_passed", |_, t| flag(t.passed().ok_or(why::NOT_CHECKED)?)),
    Column::One("hidden_during", |_, t| flag(t.flags.hidden_during)),
    Column::One("off_screen", |_, t| flag([t.first_visible, t.complete_visible].contains(&Err(Absence::OffScreen)))),
    Column::One("covered", |_, t| Ok(Cell::Code(t.flags.covered.code()))),
    Column::One("main_thread_blocked_ms", |_, t| time(t.flags.blocked)),
    Column::One("main_thread_blocked_first_ms", |_, t| time(t.flags.blocked_first)),
    Column::One("queued_in_browser_ms", |_, t| {
        let queued = t.network.as_ref().ok().and_then(|n| n.queued());
        time(queued.ok_or_else(|| no_timing(t))?)
    }),
    Column::One("from_cache", |_, t| flag(t.network.as_ref().map_err(|why| why.code())?.from_cache)),
    Column::One("service_worker", |_, t| flag(t.network.as_ref().map_err(|why| why.code())?.service_worker)),
    Column::One("redirected", |_, t| flag(t.response.as_ref().ok_or(why::NO_RESPONSE)?.redirected)),
    Column::One("cross_origin", |_, t| flag(t.response.as_ref().ok_or(why::NO_RESPONSE)?.cross_origin)),
    Column::One("content_encoding", |_, t| {
        let response = t.response.as_ref().ok_or(why::NO_RESPONSE)?;
        response.content_encoding.clone().map(Cell::Text).ok_or(why::NOT_TOLD)
    }),
    Column::One("coalesced", |_, t| flag(is_coalesced(t))),
    Column::One("buffered_upstream", |_, t| flag(is_buffered_upstream(t))),
    Column::One("order_violation", |_, t| flag(t.flags.order_violation)),
    Column::One("body_left_open", |_, t| flag(t.flags.body_left_open)),
    Column::One("patched_fetch", |_, t| flag(t.flags.patched_fetch)),
    Column::One("isolated", |of, t| flag(of.environment(t).isolated)),
    Column::One("clock_step_ms", |of, t| {
        let part = of.run.part_of(t.planned.id).and_then(|at| of.run.parts.get(at as usize));
        time(Micros(part.map_or(&of.run.clock, |part| &part.clock).step_us))
    }),
    // Codes alone: the particulars may hold what was asked.
    Column::One("notes", |_, t| {
        let mut codes: Vec<&str> = t.diagnostics.iter().map(|d| d.code).collect();
        codes.dedup();
        if codes.is_empty() { Err(why::NONE) } else { Ok(Cell::Text(codes.join(" "))) }
    }),
    Column::One("server_timing", |_, t| Ok(Cell::Code(t.server_timing_access.code()))),
    Column::One("server_span_count", |_, t| count(t.spans.len() as u32)),
];

fn flag(holds: bool) -> Told {
    Ok(Cell::Flag(holds))
}

fn count(n: impl Into<i64>) -> Told {
    Ok(Cell::Count(n.into()))
}

fn tally(n: Option<u64>) -> Told {
    n.and_then(|n| i64::try_from(n).ok()).map(Cell::Count).ok_or(why::NOT_REPORTED)
}

fn time(span: Micros) -> Told {
    Ok(Cell::Thousandths(span.0))
}

/// Why the browser's network timing lacks what it has of others.
fn no_timing(trace: &Trace) -> &'static str {
    match &trace.network {
        Ok(network) => network.hidden().map_or(why::NOT_TOLD, Absence::code),
        Err(why) => why.code(),
    }
}

/// µs as a JSON number of ms.
fn ms(us: i64) -> Value {
    json!(us as f64 / 1000.0)
}

fn span(span: &Span) -> Value {
    json!({
        "name": span.name, "ms": span.value.as_ms(), "boundary": span.boundary.code(), "source": span.source.code(),
        "raw": span.raw, "unit": span.unit.code(), "before_end": span.before_end,
    })
}

/// The instant behind a metric that ends on the screen.
fn paint(metric: Metric, trace: &Trace) -> Paint {
    match metric {
        Metric::FirstVisible | Metric::RenderGapFirst => trace.first_visible,
        _ => trace.complete_visible,
    }
}

/// The bounds of a metric that ends on the screen: of a value too, since its method has an error.
fn bounds(metric: Metric, trace: &Trace) -> Result<(i64, Option<i64>), &'static str> {
    let Seen { earliest, latest, value, .. } = paint(metric, trace).map_err(Absence::code)?;
    match metric.of(trace).map_err(Absence::code)? {
        Figure::Bounds(low, high) => Ok((low, high)),
        Figure::Exact(exact) => {
            let from = value.unwrap_or(earliest).0 - exact;
            Ok((earliest.0 - from, latest.map(|latest| latest.0 - from)))
        }
    }
}

fn exact(figure: Result<Figure, Absence>) -> Told {
    match figure.map_err(Absence::code)? {
        Figure::Exact(value) => Ok(Cell::Thousandths(value)),
        Figure::Bounds(..) => Err(Absence::BoundsOnly.code()),
    }
}

/// What the server reported between such boundaries, where it is one number.
fn reported(boundary: Boundary, trace: &Trace) -> Told {
    let mut values = trace.spans.iter().filter(|span| span.boundary == boundary).map(|span| span.value);
    let first = values.next().ok_or(why::NOT_REPORTED)?;
    if values.any(|other| other != first) {
        return Err(why::SEVERAL_SPANS);
    }
    time(first)
}

fn unit(metric: Metric) -> &'static str {
    match metric.unit() {
        Unit::Time => "_ms",
        Unit::Count => "",
        Unit::TokenRate => "_tokens_per_s",
    }
}

impl Column {
    /// Its name, with the unit at its end.
    pub(super) fn name(&self) -> String {
        match self {
            Column::One(name, _) => (*name).to_owned(),
            Column::Value(metric) => format!("{}{}", metric.code(), unit(*metric)),
            Column::Earliest(metric) => format!("{}_earliest_ms", metric.code()),
            Column::Latest(metric) => format!("{}_latest_ms", metric.code()),
            Column::Method(metric) => format!("{}_method", metric.code()),
            Column::Response(metric) => format!("response_{}_ms", metric.code()),
            Column::Reported(boundary) => format!("server_{}_ms", boundary.code()),
        }
    }

    /// What it holds of a request.
    pub(super) fn told(&self, of: &Of<'_>, trace: &Trace) -> Told {
        match self {
            Column::One(_, told) => told(of, trace),
            Column::Value(metric) => exact(metric.of(trace)),
            Column::Earliest(metric) => Ok(Cell::Thousandths(bounds(*metric, trace)?.0)),
            Column::Latest(metric) => bounds(*metric, trace)?.1.map(Cell::Thousandths).ok_or(why::NO_UPPER_BOUND),
            Column::Method(metric) => Ok(Cell::Code(paint(*metric, trace).map_err(Absence::code)?.method.code())),
            Column::Response(metric) => exact(response_of(*metric, trace)),
            Column::Reported(boundary) => reported(*boundary, trace),
        }
    }
}
