//! Between traces and the shapes in the file.

use serde_json::{Value, json};

use super::wire::{self, RunFile};
use super::{FORMAT, Run, VERSION, scraped};
use crate::Micros;
use crate::align::{Probe, Probes};
use crate::decode::{Why, dialect};
use crate::mark::{Absence, Mark, Marks};
use crate::network::NetworkTiming;
use crate::outcome::Outcome;
use crate::paint::{Method, Seen};
use crate::server_report::{Access, Boundary, Source, Span, Stage, Stages, Unit};
use crate::stats::Histogram;
use crate::stop_rule::Broken;
use crate::summary::{Row, Summary};
use crate::text::diagnostic_code;
use crate::trace::{Amounts, Covered, Diagnostic, Flags, Mode, Planned, Read, ResponseFacts, Shape, Trace, Usage};
use crate::workload::Identity;

pub(super) fn traces_to_wire(traces: &[Trace]) -> Vec<wire::Request> {
    traces.iter().map(request_to_wire).collect()
}

pub(super) fn traces_from_wire(requests: Vec<wire::Request>) -> Result<Vec<Trace>, String> {
    requests.into_iter().map(request_from_wire).collect()
}

pub(super) fn to_wire(run: &Run, summary: &Summary) -> RunFile {
    let config = run.config.redacted();
    RunFile {
        format: FORMAT.to_owned(),
        version: VERSION,
        firstlight: env!("CARGO_PKG_VERSION").to_owned(),
        created: run.created.clone(),
        config,
        environment: run.environment.clone(),
        clock: run.clock,
        stopped: run.stopped,
        stopped_by: run.stopped_by.map(broken_to_wire),
        page_ended: run.page_ended,
        probes: probes_to_wire(&run.probes),
        parts: run.parts.clone(),
        requests: traces_to_wire(&run.traces).into_iter().map(|r| wire::Request { part: run.part_of(r.id), ..r }).collect(),
        scraped: run.scraped.as_ref().map(scraped::to_file),
        histograms: summary.rows.iter().filter_map(histogram_to_wire).collect(),
    }
}

pub(super) fn broken_to_wire(Broken { rule, request, at, seen, beyond, spent }: Broken) -> wire::StoppedBy {
    wire::StoppedBy { rule, request, at: at.0, seen, beyond, spent }
}

pub(super) fn broken_from_wire(by: wire::StoppedBy) -> Broken {
    let wire::StoppedBy { rule, request, at, seen, beyond, spent } = by;
    Broken { rule, request, at: Micros(at), seen, beyond, spent }
}

/// Times only; a metric without samples has none.
fn histogram_to_wire(row: &Row) -> Option<(String, Value)> {
    if !row.has_times() {
        return None;
    }
    let histogram = Histogram::of(&row.distribution)?;
    let wire = json!({
        "hdr": histogram.encode()?,
        "clamped_high": histogram.clamped_high,
        "clamped_low": histogram.clamped_low,
        "negative": histogram.negative,
        "censored": row.distribution.censored(),
    });
    Some((row.series(), wire))
}

impl Run {
    /// The file's shape.
    pub fn to_file(&self) -> RunFile {
        to_wire(self, &Summary::of(self))
    }

    /// From the file's shape; an error names what can't be read.
    pub fn from_file(file: RunFile) -> Result<Run, String> {
        from_wire(file)
    }
}

fn absent(why: Absence) -> String {
    why.code().to_owned()
}

fn paint_to_wire(paint: crate::paint::Paint) -> wire::Paint {
    match paint {
        Ok(seen) => wire::Paint {
            absent: None,
            method: Some(seen.method.code().to_owned()),
            earliest: Some(seen.earliest.0),
            latest: seen.latest.map(|m| m.0),
            value: seen.value.map(|m| m.0),
        },
        Err(why) => wire::Paint { absent: Some(absent(why)), ..wire::Paint::default() },
    }
}

fn request_to_wire(trace: &Trace) -> wire::Request {
    let marks = Mark::ALL.into_iter().filter_map(|m| Some((m.code().to_owned(), trace.marks.get(m).ok()?.0.into())));
    let missing = Mark::ALL.into_iter().filter_map(|m| Some((m.code().to_owned(), absent(trace.marks.get(m).err()?).into())));
    wire::Request {
        id: trace.planned.id,
        part: None,
        warmup: trace.planned.warmup,
        mode: trace.planned.mode.code().to_owned(),
        pair: trace.planned.pair,
        painted: trace.planned.painted,
        intended: trace.planned.intended.map(|m| m.0),
        stage: trace.planned.stage,
        arm: trace.planned.arm,
        case: trace.planned.case,
        after: trace.planned.after,
        cancel_after: trace.planned.cancel_after.map(|m| m.0),
        outcome: trace.outcome.code().to_owned(),
        status: trace.response.as_ref().map(|r| r.status),
        shape: trace.shape.map(|s| shape_code(s).to_owned()),
        dialect: trace.dialect.map(|(format, why)| (format.to_owned(), why.to_owned())),
        marks: marks.collect(),
        absent: missing.collect(),
        first_visible: paint_to_wire(trace.first_visible),
        complete_visible: paint_to_wire(trace.complete_visible),
        reads: trace.reads.iter().map(|r| (r.at.0, r.bytes, r.events, r.output_events)).collect(),
        response: trace.response.as_ref().map(|r| wire::Response {
            content_type: r.content_type.clone(),
            content_encoding: r.content_encoding.clone(),
            retry_after: r.retry_after.clone(),
            server_timing: r.server_timing.clone(),
            redirected: r.redirected,
            cross_origin: r.cross_origin,
        }),
        network: trace.network.as_ref().ok().map(timing_to_wire),
        network_absent: trace.network.as_ref().err().map(|why| absent(*why)),
        server_timing: trace.server_timing_access.code().to_owned(),
        spans: trace.spans.iter().map(span_to_wire).collect(),
        stages: trace.stages.as_deref().map(stages_to_wire),
        usage: trace.usage.map(|u| wire::Usage { input: u.input, output: u.output, reasoning: u.reasoning, cached: u.cached }),
        items: trace.items,
        amounts: wire::Amounts {
            answer_chars: trace.amounts.answer_chars,
            reasoning_chars: trace.amounts.reasoning_chars,
            tool_chars: trace.amounts.tool_chars,
            comments: trace.amounts.comments,
        },
        last_known: trace.last_known.0,
        flags: wire::Flags {
            hidden_during: trace.flags.hidden_during,
            order_violation: trace.flags.order_violation,
            body_left_open: trace.flags.body_left_open,
            patched_fetch: trace.flags.patched_fetch,
            covered: trace.flags.covered.code().to_owned(),
            blocked_first_us: trace.flags.blocked_first.0,
            blocked_us: trace.flags.blocked.0,
            long_frames_us: trace.flags.long_frames.as_ref().map(|frames| frames.iter().map(|f| f.0).collect()),
            press_paint: trace.flags.press_paint.and_then(|paint| Some(paint.ok()?.0)),
            press_paint_absent: trace.flags.press_paint.and_then(|paint| Some(absent(paint.err()?))),
        },
        diagnostics: trace.diagnostics.iter().map(|d| (d.code.to_owned(), d.detail.clone())).collect(),
        check: trace.check.clone().map(|result| wire::Check { passed: result.is_ok(), failure: result.err() }),
    }
}

fn timing_to_wire(t: &NetworkTiming) -> wire::Timing {
    let us = |m: Option<Micros>| m.map(|m| m.0);
    wire::Timing {
        start: t.start.0,
        fetch_start: us(t.fetch_start),
        connect_start: us(t.connect_start),
        connect_end: us(t.connect_end),
        request_start: us(t.request_start),
        first_byte: us(t.first_byte),
        response_end: t.response_end.0,
        protocol: t.protocol.clone(),
        service_worker: t.service_worker,
        from_cache: t.from_cache,
        encoded_bytes: t.encoded_bytes,
    }
}

fn span_to_wire(span: &Span) -> wire::Span {
    wire::Span {
        name: span.name.clone(),
        description: span.description.clone(),
        raw: span.raw.clone(),
        unit: span.unit.code().to_owned(),
        us: span.value.0,
        source: span.source.code().to_owned(),
        boundary: span.boundary.code().to_owned(),
        before_end: span.before_end,
    }
}

fn stages_to_wire(stages: &Stages) -> wire::Stages {
    let at = stages.stamped().map(|(stage, at)| (stage.code().to_owned(), at.0.into())).collect();
    wire::Stages { clock: stages.clock.clone(), at }
}

fn probes_to_wire(probes: &Probes) -> wire::Probes {
    let wire = |p: &Probe| (p.sent.0, p.received.0, p.server_received.0, p.server_sent.0, p.clock.clone());
    wire::Probes { before: probes.before.iter().map(wire).collect(), after: probes.after.iter().map(wire).collect() }
}

fn probes_from_wire(probes: wire::Probes) -> Probes {
    let probe = |(sent, received, server_received, server_sent, clock)| Probe {
        sent: Micros(sent),
        received: Micros(received),
        server_received: Micros(server_received),
        server_sent: Micros(server_sent),
        clock,
    };
    Probes { before: probes.before.into_iter().map(probe).collect(), after: probes.after.into_iter().map(probe).collect() }
}

fn shape_code(shape: Shape) -> &'static str {
    match shape {
        Shape::Stream => "stream",
        Shape::Whole => "whole",
        Shape::Prediction => "prediction",
    }
}

pub(super) fn from_wire(file: RunFile) -> Result<Run, String> {
    Ok(Run {
        workload: Identity::of(&file.config),
        config: file.config,
        environment: file.environment,
        clock: file.clock,
        created: file.created,
        stopped: file.stopped,
        stopped_by: file.stopped_by.map(broken_from_wire),
        page_ended: file.page_ended,
        probes: probes_from_wire(file.probes),
        parts: file.parts,
        traces: traces_from_wire(file.requests)?,
        scraped: file.scraped.map(scraped::from_file).transpose()?,
    })
}

fn known<T>(found: Option<T>, what: &str, text: &str) -> Result<T, String> {
    found.ok_or_else(|| format!("unknown {what} “{text}”"))
}

fn reason(code: &str) -> Result<Absence, String> {
    known(Absence::from_code(code), "reason", code)
}

fn paint_from_wire(paint: wire::Paint) -> Result<crate::paint::Paint, String> {
    if let Some(why) = paint.absent {
        return Ok(Err(reason(&why)?));
    }
    let method = paint.method.unwrap_or_default();
    Ok(Ok(Seen {
        method: known(Method::from_code(&method), "paint method", &method)?,
        earliest: Micros(paint.earliest.ok_or("a paint without its earliest instant")?),
        latest: paint.latest.map(Micros),
        value: paint.value.map(Micros),
    }))
}

fn request_from_wire(r: wire::Request) -> Result<Trace, String> {
    let mode = Mode::from_code(&r.mode);
    let mut marks = Marks::default();
    for (name, at) in r.marks {
        let at = at.as_i64().ok_or_else(|| format!("mark {name} is no time"))?;
        marks.set(known(Mark::from_code(&name), "mark", &name)?, Micros(at));
    }
    for (name, why) in r.absent {
        let why = reason(why.as_str().unwrap_or_default())?;
        marks.withdraw(known(Mark::from_code(&name), "mark", &name)?, why);
    }
    let shape = |code: String| {
        let found = [Shape::Stream, Shape::Whole, Shape::Prediction].into_iter().find(|s| shape_code(*s) == code);
        known(found, "shape", &code)
    };
    let status = r.status.unwrap_or(0);
    Ok(Trace {
        planned: Planned {
            id: r.id,
            warmup: r.warmup,
            mode: known(mode, "mode", &r.mode)?,
            pair: r.pair,
            painted: r.painted,
            intended: r.intended.map(Micros),
            stage: r.stage,
            arm: r.arm,
            case: r.case,
            after: r.after,
            cancel_after: r.cancel_after.map(Micros),
        },
        marks,
        first_visible: paint_from_wire(r.first_visible)?,
        complete_visible: paint_from_wire(r.complete_visible)?,
        reads: r
            .reads
            .into_iter()
            .map(|(at, bytes, events, output_events)| Read { at: Micros(at), bytes, events, output_events })
            .collect(),
        response: r.response.map(|p| ResponseFacts {
            status,
            content_type: p.content_type,
            content_encoding: p.content_encoding,
            retry_after: p.retry_after,
            server_timing: p.server_timing,
            redirected: p.redirected,
            cross_origin: p.cross_origin,
        }),
        shape: r.shape.map(shape).transpose()?,
        dialect: r.dialect.and_then(|(format, why)| Some((dialect(&format)?.code, Why::from_code(&why)?.code()))),
        network: match (r.network, r.network_absent) {
            (Some(t), _) => Ok(timing_from_wire(t)),
            (None, Some(why)) => Err(reason(&why)?),
            (None, None) => return Err("network timing and the reason for its absence are both missing".to_owned()),
        },
        server_timing_access: known(Access::from_code(&r.server_timing), "access", &r.server_timing)?,
        spans: r.spans.into_iter().map(span_from_wire).collect::<Result<_, _>>()?,
        stages: r.stages.map(stages_from_wire).transpose()?.map(Box::new),
        usage: r.usage.map(|u| Usage { input: u.input, output: u.output, reasoning: u.reasoning, cached: u.cached }),
        items: r.items,
        amounts: Amounts {
            answer_chars: r.amounts.answer_chars,
            reasoning_chars: r.amounts.reasoning_chars,
            tool_chars: r.amounts.tool_chars,
            comments: r.amounts.comments,
        },
        outcome: known(Outcome::from_code(&r.outcome, status), "outcome", &r.outcome)?,
        last_known: Micros(r.last_known),
        flags: Flags {
            hidden_during: r.flags.hidden_during,
            order_violation: r.flags.order_violation,
            body_left_open: r.flags.body_left_open,
            patched_fetch: r.flags.patched_fetch,
            covered: Covered::from_code(&r.flags.covered).unwrap_or_default(),
            blocked_first: Micros(r.flags.blocked_first_us),
            blocked: Micros(r.flags.blocked_us),
            long_frames: r.flags.long_frames_us.map(|frames| frames.into_iter().map(Micros).collect()),
            press_paint: match (r.flags.press_paint, r.flags.press_paint_absent) {
                (Some(at), _) => Some(Ok(Micros(at))),
                (None, why) => why.map(|why| reason(&why)).transpose()?.map(Err),
            },
        },
        diagnostics: r
            .diagnostics
            .into_iter()
            .map(|(code, detail)| Ok(Diagnostic { code: known(diagnostic_code(&code), "note", &code)?, detail }))
            .collect::<Result<_, String>>()?,
        check: match r.check {
            None => None,
            Some(wire::Check { passed: true, .. }) => Some(Ok(())),
            Some(wire::Check { failure: Some(why), .. }) => Some(Err(why)),
            Some(_) => return Err("a check that failed without saying why".to_owned()),
        },
    })
}

fn timing_from_wire(t: wire::Timing) -> NetworkTiming {
    let at = |us: Option<i64>| us.map(Micros);
    NetworkTiming {
        start: Micros(t.start),
        fetch_start: at(t.fetch_start),
        connect_start: at(t.connect_start),
        connect_end: at(t.connect_end),
        request_start: at(t.request_start),
        first_byte: at(t.first_byte),
        response_end: Micros(t.response_end),
        protocol: t.protocol,
        service_worker: t.service_worker,
        from_cache: t.from_cache,
        encoded_bytes: t.encoded_bytes,
    }
}

fn span_from_wire(s: wire::Span) -> Result<Span, String> {
    Ok(Span {
        boundary: known(Boundary::from_code(&s.boundary), "boundary", &s.boundary)?,
        source: known(Source::from_code(&s.source), "source", &s.source)?,
        name: s.name,
        description: s.description,
        raw: s.raw,
        unit: known(Unit::from_code(&s.unit), "unit", &s.unit)?,
        value: Micros(s.us),
        before_end: s.before_end,
    })
}

fn stages_from_wire(s: wire::Stages) -> Result<Stages, String> {
    let mut stages = Stages::of(s.clock);
    for (name, at) in s.at {
        let at = at.as_i64().ok_or_else(|| format!("stage {name} is no time"))?;
        stages.set(known(Stage::from_code(&name), "stage", &name)?, Micros(at));
    }
    Ok(stages)
}
