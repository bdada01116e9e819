//! The end of a request: what is missing and why, how it ended, what is worth a note.

use super::Recorder;
use crate::decode::{Decoder, Dialect, Ending, Why, error_of_body, shorten};
use crate::delivery::stream_encoding;
use crate::mark::{Absence, Mark};
use crate::outcome::{Facts, Outcome, Stop, decide};
use crate::server_report::{
    Access, Entry, Source, parse_server_timing, spans_from_entries, spans_from_headers, stages_of_entries,
};
use crate::trace::{Mode, Shape, Trace};

impl Recorder {
    /// The trace, whole.
    pub fn finish(self) -> Trace {
        let (taken, shape) = (self.decoder.taken(), self.decoder.shape());
        self.close(taken, shape)
    }

    /// The trace as it is if nothing more comes: of a request that is over, while its evidence is still waited for.
    pub fn so_far(&self) -> Trace {
        let copy = Recorder {
            trace: self.trace.clone(),
            choice: self.choice.clone(),
            // What it was is asked of the decoder itself; what it still holds of the reply is not copied.
            decoder: Decoder::default(),
            headers: self.headers.clone(),
            entries: self.entries.clone(),
            useful: self.useful.clone(),
            error_body: self.error_body.clone(),
            held: String::new(),
            error: self.error.clone(),
            ..*self
        };
        copy.close(self.decoder.taken(), self.decoder.shape())
    }

    fn close(mut self, (dialect, why): (&'static Dialect, Why), shape: Option<Shape>) -> Trace {
        let framed = shape == Some(Shape::Stream);
        self.close_spans(framed);
        self.close_marks(framed.then_some(dialect));
        self.trace.outcome = decide(Facts {
            stop: self.stop.unwrap_or(Stop::Cut),
            hidden: self.stopped_hidden,
            status: self.trace.response.as_ref().map(|r| r.status),
            stream_asked: self.trace.planned.mode == Mode::Streaming,
            streamed: self.trace.streamed(),
            error_in_body: self.error.is_some(),
            terminal: self.terminal,
            finish_reason: self.finish_reason,
            tells_end: framed && dialect.ending != Ending::Body,
            whole: self.whole,
            answer: self.standing,
        });
        if let Some(message) = error_of_body(&self.error_body).filter(|_| self.is_error_status()) {
            self.note("server_said", &message);
        } else if self.is_error_status() && !self.error_body.is_empty() {
            let text = String::from_utf8_lossy(&self.error_body).into_owned();
            self.note("server_said", shorten(text.trim()).as_str());
        }
        if let Some(message) = self.error.take() {
            self.note("server_said", &message);
        }
        let success = self.trace.response.is_some() && !self.is_error_status();
        if success && dialect.code == "unknown" {
            let given = self.trace.response.as_ref().and_then(|r| r.content_type.clone()).unwrap_or_default();
            self.note(if why == Why::HtmlPage { "html_page" } else { "unknown_format" }, &given);
        }
        if framed && self.trace.outcome == Outcome::Complete && !self.terminal {
            match dialect.ending {
                Ending::Marker => self.note("no_end_marker", ""),
                Ending::Reason => {}
                Ending::Body => self.note("end_unverified", ""),
            }
        }
        if let Some(encoding) = stream_encoding(&self.trace).map(str::to_owned) {
            self.note("compressed_stream", &encoding);
        }
        self.close_paint();
        self.close_server_timing();
        self.trace.reads.shrink_to_fit();
        self.trace.flags.order_violation = !self.trace.order_violations().is_empty() || self.trace.seen_before_received();
        self.trace
    }

    /// What the head reported: on a stream it describes the time to the headers. What the browser lists beyond the header
    /// came as a trailer; without a readable header it can't be told from one, and is taken as it.
    fn close_spans(&mut self, framed: bool) {
        let streamed = framed && self.trace.streamed();
        let header = self.trace.response.as_ref().and_then(|r| r.server_timing.as_deref());
        let mut spans = spans_from_headers(&self.headers, &self.choice.spans, streamed);
        let mut entries = std::mem::take(&mut self.entries);
        let early =
            stages_of_entries(&header.map_or_else(Vec::new, parse_server_timing)).or_else(|| stages_of_entries(&entries));
        // What the end says was known later.
        self.trace.stages = match self.trace.stages.take() {
            Some(end) => Some(Box::new(end.over(early.as_ref()))),
            None => early.map(Box::new),
        };
        match header {
            Some(header) => {
                let sent = parse_server_timing(header);
                for entry in &sent {
                    // Browsers may round what they list.
                    let ms = |e: &Entry| e.duration.as_ref().map_or(0.0, |d| d.0);
                    let same = |e: &Entry| e.name == entry.name && (ms(e) - ms(entry)).abs() < 0.1;
                    if let Some(at) = entries.iter().position(same) {
                        entries.remove(at);
                    }
                }
                spans.extend(spans_from_entries(sent, streamed, Source::ServerTimingHeader));
                spans.extend(spans_from_entries(entries, false, Source::Trailer));
            }
            None => spans.extend(spans_from_entries(entries, streamed, Source::ServerTimingEntry)),
        }
        spans.append(&mut self.trace.spans);
        self.trace.spans = spans;
    }

    /// Says of each missing mark why it is missing.
    fn close_marks(&mut self, framed: Option<&'static Dialect>) {
        let marks = &mut self.trace.marks;
        let first = [Mark::FirstEvent, Mark::FirstOutput, Mark::FirstReasoning, Mark::FirstAnswer, Mark::FirstUseful];
        match self.trace.shape {
            Some(Shape::Stream) => {
                if self.useful.end()
                    && let Ok(at) = marks.get(Mark::LastAnswer)
                {
                    marks.set(Mark::FirstUseful, at);
                }
                if self.stop == Some(Stop::Ended) {
                    first.into_iter().for_each(|m| {
                        let rule = m == Mark::FirstUseful && self.trace.amounts.answer_chars > 0;
                        marks.absent(m, if rule { Absence::RuleNotSatisfied } else { Absence::NoOutput });
                    });
                }
            }
            Some(Shape::Whole) => first.into_iter().for_each(|m| marks.absent(m, Absence::NonStreaming)),
            Some(Shape::Prediction) => first.into_iter().for_each(|m| marks.absent(m, Absence::SinglePrediction)),
            None => {}
        }
        if self.stop == Some(Stop::Ended) {
            [Mark::LastOutput, Mark::LastAnswer].into_iter().for_each(|m| marks.absent(m, Absence::NoOutput));
        }
        if let Err(why) = self.trace.network {
            [Mark::RequestStart, Mark::FirstByte].into_iter().for_each(|m| marks.absent(m, why));
        }
        if self.trace.response.is_some() && framed.is_none_or(|dialect| dialect.ending != Ending::Marker) {
            marks.absent(Mark::Terminal, Absence::NoTerminator);
        }
    }

    fn close_paint(&mut self) {
        let trace = &mut self.trace;
        if !trace.planned.painted {
            return;
        }
        let open = |paint: &crate::paint::Paint| matches!(paint, Err(Absence::NotReached));
        let why = match (self.hidden_at, self.stop) {
            _ if !self.shown_any && self.stop == Some(Stop::Ended) => Absence::NoOutput,
            (Some(_), _) => Absence::Hidden,
            (None, Some(Stop::Cancelled)) => Absence::AbortedBeforePaint,
            (None, _) if !self.shown_any => Absence::NotReached,
            (None, _) => Absence::NoPaintEntry,
        };
        if open(&trace.first_visible) {
            trace.first_visible = Err(why);
        }
        if !trace.outcome.ended() {
            trace.complete_visible = Err(Absence::NotReached);
        } else if open(&trace.complete_visible) {
            trace.complete_visible = Err(why);
        }
    }

    fn close_server_timing(&mut self) {
        let read = self.trace.response.as_ref().is_some_and(|r| r.server_timing.is_some())
            || self.trace.spans.iter().any(|s| matches!(s.source, Source::ServerTimingHeader | Source::ServerTimingEntry));
        self.trace.server_timing_access = match &self.trace.response {
            None => Access::NoResponse,
            Some(_) if read => Access::Read,
            Some(r) if r.cross_origin => Access::HiddenOrNotSent,
            Some(_) => Access::NotSent,
        };
    }
}
