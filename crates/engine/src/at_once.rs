//! A reply in one, at the time of the last token.

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
        let (content_type, body) = self.body();
        let (bytes, complete) = match plan.fault {
            Some(Fault::ErrorInside) => (whole::error(Fault::INSIDE), false),
            Some(fault) if fault.halves() => (body[..body.len() / 2].to_vec(), false),
            _ => (body, true),
        };
        let mut schedule = plan.one(content_type, Piece { at_us, bytes, kind: Kind::Whole });
        schedule.ending = match plan.fault {
            Some(Fault::Reset) => reset_after(&schedule.pieces, at_us),
            Some(Fault::Stall) => Ending::Open,
            _ => Ending::Clean,
        };
        let counts = complete && plan.format != Format::Prediction;
        schedule.expected = Expected {
            first_output_us: None,
            last_output_us: schedule.pieces.last().map(|p| p.at_us).filter(|_| complete),
            tokens: if counts { self.reasoning + self.answer } else { 0 },
        };
        schedule
    }

    fn body(&self) -> (&'static str, Vec<u8>) {
        match self.plan.format {
            Format::Text => ("text/plain; charset=utf-8", whole::text(self.answer).into_bytes()),
            Format::Prediction => {
                let reports = self.reports().into_iter().filter(|(name, _)| *name == "server_timing").collect();
                ("application/json", whole::prediction(reports))
            }
            Format::OpenAi | Format::Html => {
                let finish = self.plan.finish.then(|| self.finish_reason());
                let body = whole::completion(self.ask, self.reasoning, self.answer, finish, self.reports());
                ("application/json", body)
            }
        }
    }
}
