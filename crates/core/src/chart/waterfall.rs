//! One request over time: what the browser did, what the server reported, what was received and what was seen.

use crate::Micros;
use crate::mark::Mark;
use crate::server_report::Boundary;
use crate::trace::Trace;

/// Whose lane it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LaneKind {
    /// The browser's own network timing.
    Network,
    /// What the server reported: lengths are known, positions are not, so bars begin where the request did.
    Server,
    /// What the browser received.
    Received,
    /// What the user saw.
    Seen,
}

/// A stretch of time in a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// A stable name: `before_request`, `waiting`, `first`, `rest`, `whole`, `first_visible`, `complete_visible`, or the server's own name of a span.
    pub name: String,
    /// Begin, since `sent`.
    pub from: Micros,
    /// End.
    pub to: Micros,
    /// The boundary, of a reported span.
    pub boundary: Option<Boundary>,
    /// Begin and end are bounds of an instant.
    pub bounds: bool,
}

/// A lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// Whose.
    pub kind: LaneKind,
    /// Stretches.
    pub segments: Vec<Segment>,
    /// Instants: one a read that bore output.
    pub points: Vec<Micros>,
}

/// The whole picture of one request; times since `sent`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waterfall {
    /// Its length.
    pub length: Micros,
    /// Lanes from top to bottom; those with nothing in them are left out.
    pub lanes: Vec<Lane>,
}

/// Lays one request out. None if it was never sent.
pub fn waterfall(trace: &Trace) -> Option<Waterfall> {
    let sent = trace.marks.get(Mark::Sent).ok()?;
    let at = |mark: Mark| trace.marks.get(mark).ok().map(|m| m - sent);
    let segment = |name: &str, from: Option<Micros>, to: Option<Micros>| {
        let (from, to) = (from?, to?);
        (to >= from).then(|| Segment { name: name.to_owned(), from, to, boundary: None, bounds: false })
    };
    let zero = Some(Micros::ZERO);
    let network = [
        segment("before_request", zero, at(Mark::RequestStart)),
        segment("waiting", at(Mark::RequestStart), at(Mark::FirstByte)),
    ];
    // A reply that came whole has no first output.
    let (until, first) = match at(Mark::FirstOutput) {
        Some(first) => ("first", Some(first)),
        None => ("whole", at(Mark::LastOutput)),
    };
    let received = [segment(until, zero, first), segment("rest", at(Mark::FirstOutput), at(Mark::LastOutput))];
    let visible = |paint: crate::paint::Paint, name: &str| {
        let seen = paint.ok()?;
        let bounds = seen.value.is_none();
        let to = seen.value.or(seen.latest).unwrap_or(seen.earliest) - sent;
        let from = if bounds { seen.earliest - sent } else { to };
        Some(Segment { name: name.to_owned(), from, to, boundary: None, bounds })
    };
    let seen = [visible(trace.first_visible, "first_visible"), visible(trace.complete_visible, "complete_visible")];
    let server = trace.spans.iter().scan(at(Mark::RequestStart).unwrap_or(Micros::ZERO).max(Micros::ZERO), |begin, span| {
        let from = if span.boundary == Boundary::ToHeaders { Micros::ZERO } else { *begin };
        let to = from + span.value;
        if span.boundary != Boundary::ToHeaders {
            *begin = to;
        }
        Some(Segment { name: span.name.clone(), from, to, boundary: Some(span.boundary), bounds: false })
    });
    let lanes: Vec<Lane> = [
        (LaneKind::Network, network.into_iter().flatten().collect::<Vec<_>>(), Vec::new()),
        (LaneKind::Server, server.collect(), Vec::new()),
        (LaneKind::Received, received.into_iter().flatten().collect(), trace.output_reads().map(|r| r.at - sent).collect()),
        (LaneKind::Seen, seen.into_iter().flatten().collect(), Vec::new()),
    ]
    .into_iter()
    .filter(|(_, segments, points)| !segments.is_empty() || !points.is_empty())
    .map(|(kind, segments, points)| Lane { kind, segments, points })
    .collect();
    let ends = lanes.iter().flat_map(|l| l.segments.iter().map(|s| s.to).chain(l.points.iter().copied()));
    let length = ends.chain(trace.elapsed()).max()?;
    Some(Waterfall { length, lanes })
}
