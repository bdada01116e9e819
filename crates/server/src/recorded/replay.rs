//! The recording through a recorder of the page, read by read.

use firstlight_core::Micros;
use firstlight_core::decode::{Channel, Choice, Decoder, Event, Head as Hint, Rule};
use firstlight_core::outcome::Stop;
use firstlight_core::record::Recorder;
use firstlight_core::trace::{Mode, Planned, ResponseFacts, Shape, Trace};

use super::http::{Body, Head};
use super::{Timing, Unreadable};

/// What a recording says.
#[derive(Debug)]
pub struct Replayed {
    /// The request's trace.
    pub trace: Trace,
    /// Text of the answer that was not taken back.
    pub answer: String,
    /// Text of reasoning.
    pub reasoning: String,
    /// Names and arguments of tools.
    pub tool: String,
    /// The marks are times; without read times they only tell that something came.
    pub timed: bool,
    /// Framed events.
    pub events: u32,
    /// What the reply allows a page of another origin: its `access-control-*` and `timing-allow-origin` headers.
    pub cors: Vec<(String, String)>,
    /// It answers a preflight: what it allows is all that it says.
    pub preflight: bool,
}

/// One piece of the body, with the time of its read.
struct Piece {
    at: Micros,
    bytes: Vec<u8>,
}

/// Decodes a recording: raw HTTP, or a bare body. `asked` says whether a stream was asked for; if none, the request of the
/// timing says it, else the reply's own shape does.
pub fn replay(bytes: &[u8], timing: Option<&Timing>, choice: &Choice, asked: Option<bool>) -> Result<Replayed, Unreadable> {
    let head = Head::parse(bytes)?;
    let encoding = head.as_ref().and_then(|h| h.get("content-encoding"));
    if let Some(encoding) = encoding.filter(|e| !e.trim().eq_ignore_ascii_case("identity")) {
        return Err(Unreadable::Compressed(encoding));
    }
    let begin = head.as_ref().map_or(0, |h| h.length);
    let reads = match timing {
        Some(timing) => timing.reads(bytes.len())?,
        None => vec![(Micros::ZERO, bytes.len())],
    };
    let mut body = head.as_ref().map_or(Body::Open, Head::framing);
    let (mut pieces, mut from, mut headers_at, mut whole_at) = (Vec::new(), begin, None, None);
    for (at, to) in &reads {
        if *to >= begin {
            headers_at.get_or_insert(*at);
            let bytes = body.push(&bytes[from..*to])?;
            from = *to;
            if !bytes.is_empty() {
                pieces.push(Piece { at: *at, bytes });
            }
            if body.is_whole() {
                whole_at.get_or_insert(*at);
            }
        }
    }
    let last = reads.last().map_or(Micros::ZERO, |r| r.0);
    let end = whole_at.or(timing.and_then(Timing::end)).unwrap_or(last);
    let facts = facts(head.as_ref());
    let headers = head.as_ref().map(|h| h.headers.clone()).unwrap_or_default();
    let cors = headers.iter().map(|(name, value)| (name.to_ascii_lowercase(), value.clone()));
    let cors = cors.filter(|(name, _)| name.starts_with("access-control-") || name == "timing-allow-origin").collect();

    let hint = Hint { content_type: facts.content_type.as_deref(), headers: &headers };
    let texts = Texts::of(Decoder::new(choice, &hint), &pieces, (200..300).contains(&facts.status));
    let streaming = asked.or_else(|| timing.and_then(Timing::stream_asked)).unwrap_or(texts.streamed);
    let mode = if streaming { Mode::Streaming } else { Mode::NonStreaming };

    let planned = Planned::measured(0, mode);
    let mut recorder = Recorder::new(planned, Rule::Word, choice.clone(), Micros::ZERO);
    recorder.sent(Micros::ZERO);
    recorder.headers(headers_at.unwrap_or(last), facts, headers);
    for piece in &pieces {
        recorder.read(piece.at, &piece.bytes);
    }
    let trailers = body.trailers();
    for (_, value) in trailers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("server-timing")) {
        recorder.trailers(value);
    }
    if body.is_cut() {
        recorder.stopped(end, Stop::Failed, "the recording ends before its body does");
    } else {
        recorder.body_end(end);
    }
    let trace = recorder.finish();
    let Texts { answer, reasoning, tool, events, .. } = texts;
    Ok(Replayed {
        trace,
        answer,
        reasoning,
        tool,
        timed: timing.is_some(),
        events,
        cors,
        preflight: timing.is_some_and(Timing::is_preflight),
    })
}

fn facts(head: Option<&Head>) -> ResponseFacts {
    // A bare body is one of a reply that was well.
    let Some(head) = head else { return ResponseFacts { status: 200, ..ResponseFacts::default() } };
    ResponseFacts {
        status: head.status,
        content_type: head.get("content-type"),
        content_encoding: head.get("content-encoding"),
        retry_after: head.get("retry-after"),
        server_timing: head.get("server-timing"),
        redirected: false,
        cross_origin: false,
    }
}

/// The texts of the channels.
#[derive(Default)]
struct Texts {
    answer: String,
    reasoning: String,
    tool: String,
    events: u32,
    streamed: bool,
}

impl Texts {
    fn of(mut decoder: Decoder, pieces: &[Piece], success: bool) -> Texts {
        let mut texts = Texts::default();
        if !success {
            return texts;
        }
        let mut ended = false;
        for piece in pieces {
            // Like the page, nothing is read after the end.
            if !ended {
                ended = texts.take(decoder.push(&piece.bytes));
            }
        }
        if !ended {
            texts.take(decoder.end());
        }
        texts.streamed = decoder.shape() == Some(Shape::Stream);
        texts
    }

    fn take(&mut self, decoded: firstlight_core::decode::Decoded) -> bool {
        self.events += decoded.framed;
        let mut ended = false;
        for event in decoded.events {
            match event {
                Event::Output { channel: Channel::Answer, text, .. } => self.answer.push_str(&text),
                Event::Output { channel: Channel::Reasoning, text, .. } => self.reasoning.push_str(&text),
                Event::Output { channel: Channel::Tool, text, .. } => self.tool.push_str(&text),
                Event::Withdraw => self.answer.clear(),
                Event::End | Event::Abort(_) => ended = true,
                _ => {}
            }
        }
        ended
    }
}
