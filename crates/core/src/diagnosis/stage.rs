//! The stages of a wait as they are walked through backwards: from the screen to the moment at which the request was due.

use crate::Micros;
use crate::gap::{PartKind, Split};
use crate::server_report::Boundary;
use crate::text::{Align, Lang, Sum, fill, stage_name};

/// A stage of a wait. Stages of one wait add up to it, since they are the parts of [`crate::gap::split`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Painted ← arrived.
    Render,
    /// Arrived ← on the wire: a span that the server reported; none where it reported nothing that can be compared.
    Server(Option<Boundary>),
    /// Arrived ← written: the way back, on joined clocks.
    Return,
    /// Written ← begun: a stretch between two stages that the server stamped.
    Stamped(crate::server_report::Stage, crate::server_report::Stage),
    /// Begun ← received by the server.
    Ingress,
    /// Received by the server ← on the wire: the way out, on joined clocks.
    Outbound,
    /// Arrived ← on the wire: what no report covers.
    Unattributed,
    /// On the wire ← sent: the browser's queue, connection, preflight.
    BeforeRequest,
    /// Sent ← intended: the client's own queue.
    ClientQueue,
}

/// Spans backwards: what ends last comes first.
const BACKWARDS: [Boundary; 10] = [
    Boundary::Total,
    Boundary::Component,
    Boundary::PrefillDecode,
    Boundary::Decode,
    Boundary::TimeToFirstToken,
    Boundary::Prefill,
    Boundary::Preprocessing,
    Boundary::Queue,
    Boundary::ToHeaders,
    Boundary::Forwarder,
];

impl Stage {
    /// The stable name.
    pub fn code(self) -> &'static str {
        match self {
            Stage::Render => "render",
            Stage::Server(boundary) => boundary.map_or("server", Boundary::code),
            Stage::Return => "return",
            Stage::Stamped(..) => "stages",
            Stage::Ingress => "ingress",
            Stage::Outbound => "outbound",
            Stage::Unattributed => "unattributed",
            Stage::BeforeRequest => "before_request",
            Stage::ClientQueue => "client_queue",
        }
    }

    /// Its name, as the parts of a wait are named.
    pub fn name(self, lang: Lang) -> String {
        match self {
            Stage::Render => Sum::PartRender.get(lang).to_owned(),
            Stage::Server(boundary) => fill(Sum::PartServer.get(lang), &[boundary.map_or("–", Boundary::code)]),
            Stage::Return => Align::PartReturn.get(lang).to_owned(),
            Stage::Stamped(from, to) => fill(Align::PartStages.get(lang), &[stage_name(lang, from), stage_name(lang, to)]),
            Stage::Ingress => Align::PartIngress.get(lang).to_owned(),
            Stage::Outbound => Align::PartOutbound.get(lang).to_owned(),
            Stage::Unattributed => Sum::PartUnattributed.get(lang).to_owned(),
            Stage::BeforeRequest => Sum::PartBeforeRequest.get(lang).to_owned(),
            Stage::ClientQueue => Sum::PartClientQueue.get(lang).to_owned(),
        }
    }

    /// Which stage a part is.
    pub(super) fn of(kind: &PartKind) -> Stage {
        match kind {
            PartKind::ClientQueue => Stage::ClientQueue,
            PartKind::BeforeRequest => Stage::BeforeRequest,
            PartKind::Server { boundary, .. } => Stage::Server(Some(*boundary)),
            PartKind::Render => Stage::Render,
            PartKind::Return => Stage::Return,
            PartKind::Stages { from, to } => Stage::Stamped(*from, *to),
            PartKind::Ingress => Stage::Ingress,
            PartKind::Outbound { .. } => Stage::Outbound,
            PartKind::Unattributed => Stage::Unattributed,
        }
    }

    /// Its length in a split wait; a part of no length is not listed there.
    pub(super) fn value(self, split: &Split) -> Micros {
        split.parts.iter().filter(|part| Stage::of(&part.kind) == self).map(|part| part.value).sum()
    }

    /// Of the stages that were met, backwards; every wait has the stages that need no report.
    pub(super) fn backwards(met: &[Stage]) -> Vec<Stage> {
        let mut stamped: Vec<Stage> = met.iter().copied().filter(|stage| matches!(stage, Stage::Stamped(..))).collect();
        stamped.sort_unstable_by(|a, b| b.cmp(a));
        stamped.dedup();
        let met = |stage: &Stage| met.contains(stage);
        let mut server: Vec<Stage> = BACKWARDS.map(|b| Stage::Server(Some(b))).into_iter().filter(met).collect();
        if server.is_empty() && stamped.is_empty() {
            server.push(Stage::Server(None));
        }
        let back = [Stage::Render, Stage::Return].into_iter().filter(|stage| *stage == Stage::Render || met(stage));
        let out = [Stage::Ingress, Stage::Outbound].into_iter().filter(met);
        let rest = [Stage::Unattributed, Stage::BeforeRequest, Stage::ClientQueue];
        back.chain(stamped).chain(server).chain(out).chain(rest).collect()
    }
}
