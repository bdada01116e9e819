//! One wait of one request as parts: measured, reported, or named unattributed. Integers that sum exactly to the whole.

use super::aligned::{Joined, joined, reported};
use crate::Micros;
use crate::align::Alignment;
use crate::mark::{Absence, Mark};
use crate::server_report::{Boundary, Span, Stage};
use crate::trace::Trace;

/// A wait of the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wait {
    /// Until the first output on any channel came.
    FirstOutput,
    /// Until the first of the answer came.
    FirstAnswer,
    /// Until the first of the answer was on the screen.
    FirstVisible,
    /// Until the last output came.
    LastOutput,
    /// Until the last of the answer was on the screen.
    CompleteVisible,
}

impl Wait {
    /// The wait ends with the first of something.
    pub fn is_first(self) -> bool {
        matches!(self, Wait::FirstOutput | Wait::FirstAnswer | Wait::FirstVisible)
    }
}

/// What a part is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// `intended → sent`: the client's own queue (open-loop loads).
    ClientQueue,
    /// `sent → request_start`: the browser's queue, connection, preflight.
    BeforeRequest,
    /// Reported by the server, under its own name.
    Server {
        /// Name at the server.
        name: String,
        /// What it starts and ends at.
        boundary: Boundary,
    },
    /// The way to the server: from the request's leaving the browser to its receipt, on clocks that are joined.
    Outbound {
        /// When it left is not known: it counts from `sent`, and the browser's queue and the connection are in it.
        from_sent: bool,
    },
    /// Inside the server, from receipt to its queue or its first work.
    Ingress,
    /// Inside the server, from one of its stages to another.
    Stages {
        /// It begins here.
        from: Stage,
        /// It ends here.
        to: Stage,
    },
    /// The way back: from the server's writing to the browser's reading, on clocks that are joined.
    Return,
    /// From arrival to the screen.
    Render,
    /// Where evidence ends.
    Unattributed,
}

/// A part and its length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub kind: PartKind,
    /// How long.
    pub value: Micros,
    /// How far from the truth that may be, where it is a difference between a page's and a server's stamps.
    pub bound: Option<Micros>,
}

/// A wait as parts that add up to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// Which wait.
    pub wait: Wait,
    /// Its length.
    pub total: Micros,
    /// The parts, in the order in which they are drawn.
    pub parts: Vec<Part>,
    /// The server reported a comparable span.
    pub has_report: bool,
}

impl Split {
    /// The sum of the server's comparable spans, or of its stages; what it did not count as its work (ingress) is not in it.
    pub fn reported(&self) -> Micros {
        let is_reported = |part: &&Part| matches!(part.kind, PartKind::Server { .. } | PartKind::Stages { .. });
        self.parts.iter().filter(is_reported).map(|p| p.value).sum()
    }

    /// The rest that nothing explains.
    pub fn unattributed(&self) -> Micros {
        self.parts.iter().find(|p| p.kind == PartKind::Unattributed).map_or(Micros::ZERO, |p| p.value)
    }
}

/// Splits one wait, the server's clock not being known: all that is not measured or reported is one unattributed part.
/// [`Absence::Inconsistent`] if the parts exceed it by more than the clock error.
pub fn split(trace: &Trace, wait: Wait, clock_error: Micros) -> Result<Split, Absence> {
    split_aligned(trace, wait, clock_error, &Alignment::default())
}

/// Splits one wait. Where the server's clock is joined to the page's, and the server stamped its stages, the unattributed part
/// becomes the way out, ingress and the way back, each with the bound of its error; only without them, or where a stage is
/// missing, something stays unattributed. [`Absence::Inconsistent`] if a part is more negative than it may be wrong.
pub fn split_aligned(trace: &Trace, wait: Wait, clock_error: Micros, alignment: &Alignment) -> Result<Split, Absence> {
    let marks = &trace.marks;
    let sent = marks.get(Mark::Sent)?;
    let start = marks.get(Mark::Intended).unwrap_or(sent);
    let ended = || if trace.outcome.ended() { Ok(()) } else { Err(Absence::NotReached) };
    let value = |paint: crate::paint::Paint| paint.and_then(|seen| seen.value.ok_or(Absence::BoundsOnly));
    let (end, received) = match wait {
        Wait::FirstOutput => (marks.get(Mark::FirstOutput)?, None),
        Wait::FirstAnswer => (marks.get(Mark::FirstAnswer)?, None),
        Wait::LastOutput => (ended().and(marks.get(Mark::LastOutput))?, None),
        Wait::FirstVisible => {
            let received = if trace.streamed() { Mark::FirstAnswer } else { Mark::LastOutput };
            (value(trace.first_visible)?, Some(marks.get(received)?))
        }
        Wait::CompleteVisible => (value(trace.complete_visible)?, Some(marks.get(Mark::LastAnswer)?)),
    };
    let total = end - start;
    let mut parts = Vec::new();
    let mut push = |kind, value| {
        if value != Micros::ZERO {
            parts.push(Part { kind, value, bound: None });
        }
    };
    push(PartKind::ClientQueue, sent - start);
    // A coarse clock may put it a step before `sent`.
    let left = marks.get(Mark::RequestStart).unwrap_or(sent).max(sent);
    push(PartKind::BeforeRequest, left - sent);
    let has_report = match joined(trace, wait, (left, received.unwrap_or(end)), clock_error, alignment)? {
        Some(Joined { outbound, rest: Some(rest) }) => {
            parts.push(outbound);
            parts.extend(rest);
            true
        }
        other => {
            parts.extend(other.map(|joined| joined.outbound));
            let known = explained(trace, wait)?;
            let has_report = !known.is_empty();
            parts.extend(known.into_iter().filter(|part| part.value != Micros::ZERO));
            has_report
        }
    };
    parts.extend(received.map(|at| end - at).filter(|gap| *gap != Micros::ZERO).map(|value| Part {
        kind: PartKind::Render,
        value,
        bound: None,
    }));
    let rest = total - parts.iter().map(|p| p.value).sum();
    // A way out that is known within a bound makes the rest as uncertain.
    let bound = parts.iter().filter_map(|part| part.bound).fold(clock_error, Micros::max);
    if rest.0 < -bound.0 {
        return Err(Absence::Inconsistent);
    }
    // On joined clocks everything is explained, and nothing is left by the way in which the parts were taken.
    if !parts.iter().any(|part| part.kind == PartKind::Return) {
        parts.push(Part { kind: PartKind::Unattributed, value: rest, bound: None });
    }
    Ok(Split { wait, total, parts, has_report })
}

/// What the server reports of a wait: its comparable spans, else the durations between its stages.
fn explained(trace: &Trace, wait: Wait) -> Result<Vec<Part>, Absence> {
    // A reply that is not streamed shows nothing before it is whole, so its first wait is explained like its last.
    let spans = comparable(&trace.spans, wait.is_first() && trace.streamed());
    if spans.is_empty() {
        return reported(trace, wait);
    }
    let part = |span: &Span| Part {
        kind: PartKind::Server { name: span.name.clone(), boundary: span.boundary },
        value: span.value,
        bound: None,
    };
    Ok(spans.into_iter().map(part).collect())
}

/// The spans that may be subtracted from a wait, without overlap between them.
fn comparable(spans: &[Span], first: bool) -> Vec<&Span> {
    let of = |boundary| spans.iter().filter(move |s| s.boundary == boundary).max_by_key(|s| s.value);
    let before_output = [of(Boundary::Queue), of(Boundary::Preprocessing)];
    if first {
        let start = of(Boundary::TimeToFirstToken).or(of(Boundary::Prefill));
        return before_output.into_iter().chain([start]).flatten().collect();
    }
    if let Some(total) = of(Boundary::Total) {
        return vec![total];
    }
    let start = of(Boundary::Prefill).or(of(Boundary::TimeToFirstToken));
    let made = match (start, of(Boundary::Decode), of(Boundary::PrefillDecode)) {
        // One span for both stands where the two are not told apart.
        (None, _, Some(both)) | (_, None, Some(both)) => [Some(both), None],
        (start, decode, _) => [start, decode],
    };
    let whole: Vec<&Span> = before_output.into_iter().chain(made).flatten().collect();
    if whole.is_empty() {
        // Several components may overlap: only the longest is sure to be inside once.
        return of(Boundary::Component).into_iter().collect();
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server_report::{Source, Unit};

    fn span(name: &str, ms: i64, boundary: Boundary) -> Span {
        Span {
            name: name.into(),
            description: None,
            raw: ms.to_string(),
            unit: Unit::Ms,
            value: Micros::ms(ms),
            source: Source::BodyField,
            boundary,
            before_end: false,
        }
    }

    #[test]
    fn only_spans_of_the_wait_are_comparable_and_none_counts_twice() {
        let spans = [
            span("h", 9, Boundary::ToHeaders),
            span("q", 1, Boundary::Queue),
            span("p", 2, Boundary::Prefill),
            span("d", 3, Boundary::Decode),
        ];
        let names = |v: Vec<&Span>| v.iter().map(|s| s.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(comparable(&spans, true)), ["q", "p"]);
        assert_eq!(names(comparable(&spans, false)), ["q", "p", "d"]);
        let with_total = [spans[1].clone(), spans[2].clone(), span("t", 8, Boundary::Total)];
        assert_eq!(names(comparable(&with_total, false)), ["t"]);
        let groq = [spans[1].clone(), spans[2].clone(), spans[3].clone(), span("pd", 5, Boundary::PrefillDecode)];
        assert_eq!(names(comparable(&groq, false)), ["q", "p", "d"]);
        assert_eq!(names(comparable(&[groq[0].clone(), groq[3].clone()], false)), ["q", "pd"]);
        assert!(comparable(&[span("h", 9, Boundary::ToHeaders)], false).is_empty());
        let components = [span("a", 5, Boundary::Component), span("b", 7, Boundary::Component)];
        assert_eq!(names(comparable(&components, false)), ["b"]);
        assert!(comparable(&components, true).is_empty());
    }
}
