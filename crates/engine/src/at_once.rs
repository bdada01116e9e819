//! A reply in one, at the time of the last token.

use serde_json::json;

use crate::dialect::{self, Said};
use crate::fault::Fault;
use crate::format::Format;
use crate::piece::{Ending, Kind, Piece};
use crate::reply::Reply;
use crate::schedule::{Expected, Schedule, reset_after};
use crate::whole;

impl Reply<'_> {
    /// The schedule of a reply in one.
    pub(crate) fn whole(&self) -> Schedule {
        let (plan, at_us) = (self.plan, self.times().last_us);
        let (content_type, body, said) = self.body();
        let (content_type, bytes, complete) = match plan.fault {
            Some(Fault::ErrorInside) => ("application/json", dialect::failure(plan.format, 500, Fault::INSIDE), false),
            Some(fault) if fault.halves() => (content_type, body[..body.len() / 2].to_vec(), false),
            _ => (content_type, body, true),
        };
        let mut schedule = plan.one(self.service, content_type, Piece { at_us, bytes, kind: Kind::Whole });
        schedule.ending = match plan.fault {
            Some(Fault::Reset) => reset_after(&schedule.pieces, at_us),
            Some(Fault::Stall) => Ending::Open,
            _ => Ending::Clean,
        };
        let counts = complete && !matches!(plan.format, Format::Prediction | Format::Embeddings);
        schedule.expected = Expected {
            first_output_us: None,
            last_output_us: schedule.pieces.last().map(|p| p.at_us).filter(|_| complete),
            tokens: if counts { self.tokens() } else { 0 },
        };
        schedule.said = if complete { said } else { Said::default() };
        schedule
    }

    /// The type, the bytes and what they say.
    fn body(&self) -> (&'static str, Vec<u8>, Said) {
        let (plan, closing) = (self.plan, self.closing());
        let said = Said::whole(plan.writing, self.reasoning, self.answer, self.calls);
        let (content_type, body, said) = match plan.format {
            // Where a stream of text was asked for, JSON holds the text.
            Format::Text if plan.fault == Some(Fault::Json) => {
                ("application/json", json!({"text": said.answer}).to_string().into_bytes(), said)
            }
            Format::Text => ("text/plain; charset=utf-8", said.answer.clone().into_bytes(), said),
            Format::Prediction => {
                let reports = closing.reports.into_iter().filter(|(name, _)| *name == "server_timing").collect();
                ("application/json", whole::prediction(reports), Said { items: 1, ..Said::default() })
            }
            Format::Embeddings => {
                let said = Said { items: u64::from(self.ask.items), ..Said::default() };
                ("application/json", dialect::embeddings(self.ask, &closing), said)
            }
            _ => ("application/json", dialect::whole(plan.format, self.ask, &said, &closing), said),
        };
        (content_type, body, said)
    }
}
