//! From what happens to one request to its trace: every call brings a time stamp that somebody else took.

mod close;

use crate::Micros;
use crate::decode::{Channel, Choice, Decoded, Decoder, Event, Head, Rule, Watch, has_visible};
use crate::mark::{Absence, Mark, Marks};
use crate::network::NetworkTiming;
use crate::outcome::{Outcome, Stop};
use crate::paint::{Probe, seen};
use crate::server_report::{Access, Entry, Source, Span, Stages, parse_server_timing, spans_from_entries, stages_of_entries};
use crate::trace::{Amounts, Covered, Diagnostic, Flags, Mode, Planned, Read, ResponseFacts, Shape, Trace};

/// How much of an error reply's body is kept for its message.
const ERROR_BODY: usize = 4096;

/// What a read or an end means for the runner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reaction {
    /// The server took back what is shown of the answer.
    pub clear: bool,
    /// Text to show as the answer now.
    pub show: String,
    /// The reply came to its end: the request's place is free.
    pub finished: bool,
}

/// Records one request.
pub struct Recorder {
    trace: Trace,
    choice: Choice,
    decoder: Decoder,
    /// Response headers, until they are spans.
    headers: Vec<(String, String)>,
    /// The browser's own entries of `Server-Timing`.
    entries: Vec<Entry>,
    useful: Watch,
    error_body: Vec<u8>,
    /// Text of an answer that is shown whole.
    held: String,
    shown_any: bool,
    /// Of what was shown, something was not taken back.
    standing: bool,
    error: Option<String>,
    finish_reason: bool,
    terminal: bool,
    aborted: bool,
    whole: bool,
    stop: Option<Stop>,
    hidden_at: Option<Micros>,
    hidden_now: bool,
    /// It was hidden when reading stopped.
    stopped_hidden: bool,
    network_known: bool,
    charged: bool,
}

impl Recorder {
    /// Begins with a planned request that was just taken out of the queue.
    pub fn new(planned: Planned, rule: Rule, choice: Choice, dispatched: Micros) -> Recorder {
        let mut marks = Marks::default();
        marks.set(Mark::Dispatched, dispatched);
        let paint = Err(if planned.painted { Absence::NotReached } else { Absence::NotInPaintedSubset });
        Recorder {
            trace: Trace {
                planned,
                marks,
                first_visible: paint,
                complete_visible: paint,
                reads: Vec::new(),
                response: None,
                shape: None,
                dialect: None,
                network: Err(Absence::NoResourceTiming),
                spans: Vec::new(),
                stages: None,
                server_timing_access: Access::NoResponse,
                usage: None,
                items: None,
                amounts: Amounts::default(),
                outcome: Outcome::Cut,
                last_known: dispatched,
                flags: Flags::default(),
                diagnostics: Vec::new(),
                check: None,
            },
            choice,
            decoder: Decoder::default(),
            headers: Vec::new(),
            entries: Vec::new(),
            useful: Watch::new(rule),
            error_body: Vec::new(),
            held: String::new(),
            shown_any: false,
            standing: false,
            error: None,
            finish_reason: false,
            terminal: false,
            aborted: false,
            whole: true,
            stop: None,
            hidden_at: None,
            hidden_now: false,
            stopped_hidden: false,
            network_known: false,
            charged: false,
        }
    }

    /// When the plan wanted it to start.
    pub fn intended(&mut self, at: Micros) {
        self.trace.marks.set(Mark::Intended, at);
    }

    /// It was due at this instant, and the run ended before there was a place for it.
    pub fn never_sent(&mut self, intended: Micros) {
        self.intended(intended);
        self.trace.marks.withdraw(Mark::Dispatched, Absence::NotReached);
        self.stop = Some(Stop::Cut);
    }

    /// When its user gives it up, if that is still to come.
    pub fn cancel_at(&self) -> Option<Micros> {
        let after = self.trace.planned.cancel_after.filter(|_| !self.is_over())?;
        Some(self.sent_at()? + after)
    }

    /// Just before `fetch()`.
    pub fn sent(&mut self, at: Micros) {
        self.trace.marks.set(Mark::Sent, at);
        self.trace.last_known = at;
    }

    /// The fetch promise resolved; `headers` are all that can be read.
    pub fn headers(&mut self, at: Micros, facts: ResponseFacts, headers: Vec<(String, String)>) {
        self.trace.last_known = at;
        self.trace.marks.set(Mark::HeadersSeen, at);
        if (200..300).contains(&facts.status) {
            let head = Head { content_type: facts.content_type.as_deref(), headers: &headers };
            self.decoder = Decoder::new(&self.choice, &head);
            self.read_as();
        }
        self.headers = headers;
        self.trace.response = Some(facts);
    }

    /// Takes over what the decoder knows by now of the reply's format.
    fn read_as(&mut self) {
        let (dialect, why) = self.decoder.taken();
        self.trace.dialect = Some((dialect.code, why.code()));
        let asked = self.trace.planned.mode == Mode::Streaming;
        let shape = self.decoder.shape();
        self.trace.shape = Some(shape.filter(|_| asked).unwrap_or(Shape::Whole));
        if !asked && shape == Some(Shape::Stream) && dialect.code != "plain_text" {
            self.note("streamed_unasked", "");
        }
    }

    /// A read gave bytes, stamped `at` before anything else was done.
    pub fn read(&mut self, at: Micros, bytes: &[u8]) -> Reaction {
        if self.terminal || self.stop.is_some() {
            return Reaction::default();
        }
        self.trace.last_known = at;
        self.trace.marks.set_first(Mark::FirstRead, at);
        let decoded = self.decoder.push(bytes);
        if !self.is_error_status() {
            self.read_as();
        }
        self.trace.reads.push(Read {
            at,
            bytes: u32::try_from(bytes.len()).unwrap_or(u32::MAX),
            events: decoded.framed,
            output_events: decoded.bearing,
        });
        if self.is_error_status() && self.error_body.len() < ERROR_BODY {
            self.error_body.extend_from_slice(&bytes[..bytes.len().min(ERROR_BODY - self.error_body.len())]);
        }
        let mut reaction = self.take(at, decoded);
        if self.terminal {
            self.trace.marks.set(Mark::Terminal, at);
        }
        if self.terminal || self.aborted {
            reaction.show.push_str(&self.show_whole(at));
            self.stop = Some(Stop::Ended);
            reaction.finished = true;
        }
        reaction
    }

    /// The body ended. After the protocol's end this only completes the record.
    pub fn body_end(&mut self, at: Micros) -> Reaction {
        self.trace.marks.set_first(Mark::BodyEnd, at);
        if self.stop.is_some() {
            return Reaction::default();
        }
        self.trace.last_known = at;
        let decoded = self.decoder.end();
        if self.trace.response.is_some() && !self.is_error_status() {
            self.read_as();
        }
        // What only the end completes came with the last read.
        let stamp = self.trace.reads.last().map_or(at, |r| r.at);
        if let Some(last) = self.trace.reads.last_mut() {
            last.events += decoded.framed;
            last.output_events += decoded.bearing;
        }
        let mut reaction = self.take(stamp, decoded);
        reaction.show.push_str(&self.show_whole(at));
        self.stop = Some(Stop::Ended);
        reaction.finished = true;
        reaction
    }

    /// Reading stopped for another reason than an end.
    pub fn stopped(&mut self, at: Micros, stop: Stop, detail: &str) {
        if self.stop.is_none() {
            self.trace.last_known = at;
            self.stop = Some(stop);
            self.stopped_hidden = self.hidden_now;
            if !detail.is_empty() {
                self.note("browser_error", detail);
            }
        }
    }

    /// The body was still open when the runner gave up waiting for its end after the protocol's own.
    pub fn left_open(&mut self) {
        self.trace.flags.body_left_open = true;
    }

    /// `fetch` is not the browser's own.
    pub fn patched_fetch(&mut self) {
        self.trace.flags.patched_fetch = true;
    }

    /// The page was hidden at this instant; what was painted before stays.
    pub fn hidden(&mut self, at: Micros) {
        self.trace.flags.hidden_during |= self.stop.is_none();
        self.hidden_at.get_or_insert(at);
        self.hidden_now = true;
    }

    /// The page or the machine stood still between two instants: a request of that time is worth nothing, whatever came of it
    /// since. True if it was one.
    pub fn stood_still(&mut self, from: Micros, to: Micros, stop: Stop) -> bool {
        let sent = self.sent_at().is_some_and(|sent| sent <= to);
        let hit = sent && self.ended_at().is_none_or(|ended| ended >= from);
        if hit {
            self.stop = Some(stop);
            self.trace.last_known = from;
        }
        hit
    }

    /// The page is seen again.
    pub fn shown(&mut self) {
        self.hidden_now = false;
    }

    /// `Server-Timing` that came behind the body, where it is known to be that.
    pub fn trailers(&mut self, value: &str) {
        let entries = parse_server_timing(value);
        if let Some(stages) = stages_of_entries(&entries) {
            self.stages(stages);
        }
        self.spans(spans_from_entries(entries, false, Source::Trailer));
    }

    /// The browser's network timing came, or will not.
    pub fn network(&mut self, timing: Result<NetworkTiming, Absence>, entries: Vec<Entry>) {
        self.network_known = true;
        let marks = &mut self.trace.marks;
        let known = |at: fn(&NetworkTiming) -> Option<Micros>| match &timing {
            // Without a response there was nothing to hide.
            Ok(t) if self.trace.response.is_none() => at(t).ok_or(Absence::NotReached),
            Ok(t) => at(t).ok_or(t.hidden().unwrap_or(Absence::EngineLacks)),
            Err(why) => Err(*why),
        };
        for (mark, at) in [(Mark::RequestStart, known(|t| t.request_start)), (Mark::FirstByte, known(|t| t.first_byte))] {
            match at {
                Ok(at) => marks.set(mark, at),
                Err(why) => marks.absent(mark, why),
            }
        }
        self.trace.network = timing;
        self.entries = entries;
    }

    /// Neither the browser's network timing nor the news that there is none has come.
    pub fn waits_for_network(&self) -> bool {
        !self.network_known
    }

    /// How the first piece of the answer appeared.
    pub fn paint_first(&mut self, probe: Probe, isolated: bool) {
        self.trace.first_visible = self.judged(probe, isolated);
    }

    /// How the last piece of the answer appeared.
    pub fn paint_complete(&mut self, probe: Probe, isolated: bool) {
        self.trace.complete_visible = self.judged(probe, isolated);
    }

    /// The request's place in the plan.
    pub fn planned(&self) -> Planned {
        self.trace.planned
    }

    /// When it was sent.
    pub fn sent_at(&self) -> Option<Micros> {
        self.trace.marks.get(Mark::Sent).ok()
    }

    /// When the head of its response was seen.
    pub fn headers_at(&self) -> Option<Micros> {
        self.trace.marks.get(Mark::HeadersSeen).ok()
    }

    /// When its body ended or it was last heard of.
    pub fn ended_at(&self) -> Option<Micros> {
        self.stop.map(|_| self.trace.marks.get(Mark::BodyEnd).unwrap_or(self.trace.last_known))
    }

    /// Reading is over.
    pub fn is_over(&self) -> bool {
        self.stop.is_some()
    }

    /// Once, when reading is over: what it will have to be paid for is known then, whatever evidence is still to come.
    pub fn charge(&mut self) -> Option<&Trace> {
        let first = self.is_over() && !std::mem::replace(&mut self.charged, true);
        first.then_some(&self.trace)
    }

    /// An answer that is not streamed is complete, and shown, when its body is.
    fn show_whole(&mut self, at: Micros) -> String {
        let amounts = &self.trace.amounts;
        if self.trace.shape != Some(Shape::Stream) {
            if amounts.answer_chars + amounts.reasoning_chars + amounts.tool_chars > 0 {
                self.trace.marks.set(Mark::LastOutput, at);
            }
            if amounts.answer_chars > 0 {
                self.trace.marks.set(Mark::LastAnswer, at);
            }
        }
        std::mem::take(&mut self.held)
    }

    fn is_error_status(&self) -> bool {
        self.trace.response.as_ref().is_some_and(|r| !(200..300).contains(&r.status))
    }

    fn note(&mut self, code: &'static str, detail: &str) {
        let diagnostic = Diagnostic { code, detail: detail.to_owned() };
        if !self.trace.diagnostics.contains(&diagnostic) {
            self.trace.diagnostics.push(diagnostic);
        }
    }

    /// Takes decoded facts that carry one stamp; tells what to show.
    fn take(&mut self, at: Micros, decoded: Decoded) -> Reaction {
        let streamed = self.trace.shape == Some(Shape::Stream);
        if decoded.framed > 0 && streamed {
            self.trace.marks.set_first(Mark::FirstEvent, at);
        }
        self.trace.amounts.comments += decoded.comments;
        let mut reaction = Reaction::default();
        for event in decoded.events {
            if let Some(text) = event.shown() {
                self.shown_any |= has_visible(text);
                self.standing |= has_visible(text);
                if streamed { reaction.show.push_str(text) } else { self.held.push_str(text) }
            }
            match event {
                Event::Output { channel, text, .. } => self.output(at, channel, &text, streamed),
                Event::Withdraw => {
                    self.standing = false;
                    self.held.clear();
                    reaction = Reaction { clear: true, ..Reaction::default() };
                    self.note("text_withdrawn", "");
                }
                Event::Usage(usage) => self.trace.usage = Some(usage.over(self.trace.usage.unwrap_or_default())),
                Event::Spans(spans) => self.spans(spans),
                Event::Stages(stages) => self.stages(*stages),
                Event::Error(message) => self.error = Some(message),
                Event::Abort(message) => {
                    self.aborted = true;
                    self.error = Some(message);
                }
                Event::Finish(_) => self.finish_reason = true,
                // A whole body ends with its last byte.
                Event::End => self.terminal |= self.decoder.shape() == Some(Shape::Stream),
                Event::Prediction => self.trace.shape = Some(Shape::Prediction),
                Event::Items(n) => self.trace.items = Some(n),
                Event::Note(code, detail) => {
                    self.whole &= code != "json_cut";
                    self.note(code, &detail);
                }
            }
        }
        reaction
    }

    fn output(&mut self, at: Micros, channel: Channel, text: &str, streamed: bool) {
        let chars = text.chars().count() as u64;
        let amounts = &mut self.trace.amounts;
        *match channel {
            Channel::Answer => &mut amounts.answer_chars,
            Channel::Reasoning => &mut amounts.reasoning_chars,
            Channel::Tool => &mut amounts.tool_chars,
        } += chars;
        if !streamed {
            return;
        }
        let marks = &mut self.trace.marks;
        marks.set_first(Mark::FirstOutput, at);
        marks.set(Mark::LastOutput, at);
        match channel {
            Channel::Reasoning => marks.set_first(Mark::FirstReasoning, at),
            Channel::Tool => {}
            Channel::Answer => {
                marks.set(Mark::LastAnswer, at);
                if has_visible(text) {
                    marks.set_first(Mark::FirstAnswer, at);
                }
                if self.useful.push(text) {
                    marks.set(Mark::FirstUseful, at);
                }
            }
        }
    }

    /// What is said later stands over what was said before.
    fn stages(&mut self, stages: Stages) {
        let older = self.trace.stages.take();
        self.trace.stages = Some(Box::new(stages.over(older.as_deref())));
    }

    fn spans(&mut self, spans: Vec<Span>) {
        for span in spans {
            self.trace.spans.retain(|s| s.name != span.name || s.source != span.source);
            self.trace.spans.push(span);
        }
    }

    fn judged(&mut self, probe: Probe, isolated: bool) -> crate::paint::Paint {
        if self.trace.flags.covered != Covered::Yes {
            self.trace.flags.covered = probe.covered();
        }
        let paint = seen(probe, isolated)?;
        match self.hidden_at {
            // Without an upper bound it may have been painted after the page was hidden, or never.
            Some(hidden) if paint.latest.is_none_or(|latest| latest >= hidden) => Err(Absence::Hidden),
            _ => Ok(paint),
        }
    }
}

#[cfg(test)]
mod tests;
