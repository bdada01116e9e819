//! One reply's decoder: framing, dialect, and what lies over both.

use super::dialect::{self, AI_SDK, AI_SDK_DATA, Dialect, Facts, Frame, Memory, Usual, recognise, said};
use super::framing::{LIMIT, Part, aws, lines, sse, text, values};
use super::opening::{Begun, Told, Why, begun, told};
use super::think::Splitter;
use super::{Decoded, Event, shorten};
use crate::server_report::{Mapping, STAGES, mapped, stages_of_json};
use crate::trace::Shape;
use firstlight_json::{Json, NotJson, Tape};

/// What a person fixed of the decoding.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {
    /// The dialect; recognised if none.
    pub dialect: Option<&'static Dialect>,
    /// JSON pointer to the text, or to the result of one body.
    pub text: Option<String>,
    /// JSON pointer to the list of results of one body.
    pub items: Option<String>,
    /// Split `<think>` off the answer.
    pub split_think: bool,
    /// Fields and headers that are spans.
    pub spans: Vec<Mapping>,
}

/// The response's head, as far as it tells the format.
#[derive(Clone, Copy, Debug, Default)]
pub struct Head<'a> {
    /// `Content-Type`.
    pub content_type: Option<&'a str>,
    /// Every header that can be read.
    pub headers: &'a [(String, String)],
}

impl Head<'_> {
    fn has(&self, name: &str) -> bool {
        self.headers.iter().any(|(n, _)| n.eq_ignore_ascii_case(name))
    }
}

enum Framing {
    /// The first bytes of what may be text; the flag: its type says nothing.
    Opening(Vec<u8>, bool),
    Sse(sse::Framing),
    Values(values::Values),
    Lines(lines::Lines),
    Aws(aws::Messages),
    Text(text::Utf8),
    /// JSON of which the first value is not complete: it may be a body, or the first of many values.
    Json(Vec<u8>, values::Values),
    Whole(Vec<u8>),
    Nothing,
}

impl Framing {
    fn of(usual: Usual) -> Framing {
        match usual {
            Usual::Sse => Framing::Sse(sse::Framing::default()),
            Usual::Values => Framing::Values(values::Values::default()),
            Usual::Lines => Framing::Lines(lines::Lines::default()),
            Usual::Aws => Framing::Aws(aws::Messages::default()),
            Usual::Text => Framing::Text(text::Utf8::default()),
            Usual::Whole => Framing::Whole(Vec::new()),
        }
    }
}

/// Decodes one reply.
pub struct Decoder {
    framing: Framing,
    reader: Reader,
}

/// Makes facts of events.
struct Reader {
    dialect: Option<&'static Dialect>,
    why: Why,
    /// Taken where no event says more.
    fallback: &'static Dialect,
    tape: Tape,
    memory: Memory,
    spans: Vec<Mapping>,
    think: Option<Splitter>,
    over: bool,
}

impl Default for Decoder {
    /// One that understands nothing.
    fn default() -> Decoder {
        Decoder::new(&Choice::default(), &Head { content_type: Some("-"), headers: &[] })
    }
}

impl Decoder {
    /// A decoder for a reply with this head.
    pub fn new(choice: &Choice, head: &Head<'_>) -> Decoder {
        let by_header = match () {
            () if head.has("x-vercel-ai-ui-message-stream") => Some(&AI_SDK),
            () if head.has("x-vercel-ai-data-stream") => Some(&AI_SDK_DATA),
            () => None,
        };
        let fixed = choice.dialect.or(by_header);
        let (framing, fallback, why) = match told(head.content_type, fixed) {
            Told::Framing(usual, why) => (Framing::of(usual), fallback(usual), why),
            Told::Json => (Framing::Json(Vec::new(), values::Values::default()), &dialect::BODY, Why::ContentType),
            Told::Text(why, typeless) => (Framing::Opening(Vec::new(), typeless), &dialect::TEXT, why),
            Told::Nothing(why) => (Framing::Nothing, &dialect::UNKNOWN, why),
        };
        let why = match (choice.dialect, by_header) {
            (Some(_), _) => Why::Chosen,
            (None, Some(_)) => Why::Header,
            (None, None) => why,
        };
        // What is framed as AWS frames it is Bedrock's.
        let fixed = fixed.or(matches!(framing, Framing::Aws(_)).then_some(&dialect::BEDROCK));
        let memory = Memory { text: choice.text.clone(), items: choice.items.clone(), ..Memory::default() };
        let think = choice.split_think.then(Splitter::default);
        let spans = choice.spans.clone();
        let reader = Reader { dialect: fixed, why, fallback, tape: Tape::default(), memory, spans, think, over: false };
        Decoder { framing, reader }
    }

    /// The dialect, as far as it is known, and why it was taken.
    pub fn taken(&self) -> (&'static Dialect, Why) {
        (self.reader.dialect.unwrap_or(self.reader.fallback), self.reader.why)
    }

    /// What the reply is; none while that is open.
    pub fn shape(&self) -> Option<Shape> {
        match self.framing {
            Framing::Json(..) => None,
            // Until its first bytes came it may be anything; most of it is text.
            Framing::Whole(_) | Framing::Nothing => Some(Shape::Whole),
            _ => Some(Shape::Stream),
        }
    }

    /// Takes the bytes of one read.
    pub fn push(&mut self, bytes: &[u8]) -> Decoded {
        let mut out = Decoded::default();
        if let Framing::Opening(held, typeless) = &mut self.framing {
            held.extend_from_slice(bytes);
            if let Some(begun) = begun(held, *typeless) {
                let held = std::mem::take(held);
                self.open(begun);
                self.take(&held, &mut out);
            }
        } else {
            self.take(bytes, &mut out);
        }
        out
    }

    fn open(&mut self, begun: Begun) {
        let (framing, fallback) = match begun {
            Begun::Text => return self.framing = Framing::of(Usual::Text),
            Begun::Sse => (Framing::of(Usual::Sse), &dialect::SSE),
            Begun::Aws => (Framing::of(Usual::Aws), &dialect::BEDROCK),
            Begun::Json => (Framing::Json(Vec::new(), values::Values::default()), &dialect::BODY),
        };
        self.framing = framing;
        (self.reader.fallback, self.reader.why) = (fallback, Why::FirstBytes);
    }

    fn take(&mut self, bytes: &[u8], out: &mut Decoded) {
        let reader = &mut self.reader;
        if reader.over {
            return;
        }
        let mut sink = |part: Part<'_>| reader.part(part, out);
        match &mut self.framing {
            Framing::Sse(framing) => framing.push(bytes, &mut sink),
            Framing::Values(framing) => framing.push(bytes, &mut sink),
            Framing::Lines(framing) => framing.push(bytes, &mut sink),
            Framing::Aws(framing) => framing.push(bytes, &mut sink),
            Framing::Text(framing) => framing.push(bytes, &mut sink),
            Framing::Whole(body) if body.len() + bytes.len() > LIMIT => sink(Part::TooLarge),
            Framing::Whole(body) => body.extend_from_slice(bytes),
            Framing::Json(body, values) => {
                body.extend_from_slice(bytes);
                let first = first_value(values, bytes);
                if let Some(first) = first {
                    self.decide(&first, out);
                } else if body.len() > LIMIT {
                    self.reader.part(Part::TooLarge, out);
                }
            }
            Framing::Opening(..) | Framing::Nothing => {}
        }
    }

    /// The first value is complete: the reply is a stream if only streams have such a value.
    fn decide(&mut self, first: &str, out: &mut Decoded) {
        let Framing::Json(body, _) = std::mem::replace(&mut self.framing, Framing::Whole(Vec::new())) else { return };
        if self.reader.begins_a_stream(first, body.trim_ascii_start().first() == Some(&b'[')) {
            self.reader.fallback = &dialect::NDJSON;
            if self.reader.dialect.is_none() {
                self.reader.why = Why::FirstBytes;
            }
            self.framing = Framing::of(Usual::Values);
        }
        self.take(&body, out);
    }

    /// The body ended: gives what was held back.
    pub fn end(&mut self) -> Decoded {
        let mut out = Decoded::default();
        match std::mem::replace(&mut self.framing, Framing::Nothing) {
            Framing::Opening(held, _) => {
                self.open(Begun::Text);
                self.take(&held, &mut out);
            }
            Framing::Json(body, _) | Framing::Whole(body) if !self.reader.over => self.reader.whole(&body, &mut out),
            framing => self.framing = framing,
        }
        self.end_with(out)
    }

    fn end_with(&mut self, mut out: Decoded) -> Decoded {
        let reader = &mut self.reader;
        if !reader.over {
            let mut sink = |part: Part<'_>| reader.part(part, &mut out);
            match &mut self.framing {
                Framing::Sse(framing) => framing.end(&mut sink),
                Framing::Values(framing) => framing.end(&mut sink),
                Framing::Lines(framing) => framing.end(&mut sink),
                Framing::Aws(framing) => framing.end(&mut sink),
                Framing::Text(framing) => framing.end(&mut sink),
                _ => {}
            }
        }
        if let Some(think) = &mut self.reader.think {
            think.end(&mut out.events);
        }
        out
    }
}

fn fallback(usual: Usual) -> &'static Dialect {
    match usual {
        Usual::Sse => &dialect::SSE,
        Usual::Values => &dialect::NDJSON,
        Usual::Lines => &AI_SDK_DATA,
        Usual::Aws => &dialect::BEDROCK,
        Usual::Text => &dialect::TEXT,
        Usual::Whole => &dialect::BODY,
    }
}

/// The first value, once these bytes complete it.
fn first_value(values: &mut values::Values, bytes: &[u8]) -> Option<String> {
    let mut first = None;
    values.push(bytes, &mut |part| match part {
        Part::Event { data, .. } if first.is_none() => first = Some(data.to_owned()),
        Part::End | Part::Unreadable(_) if first.is_none() => first = Some(String::new()),
        _ => {}
    });
    first
}

impl Reader {
    fn part(&mut self, part: Part<'_>, out: &mut Decoded) {
        if self.over {
            return;
        }
        match part {
            Part::Event { name, data } => out.frame(|events| self.event(name, data, events)),
            Part::Comment => out.comments += 1,
            Part::Unterminated => out.events.push(Event::Note("unterminated_event", String::new())),
            Part::Unreadable(bytes) => out.events.push(Event::Note("unreadable_event", shorten(bytes))),
            Part::End => out.events.push(Event::End),
            Part::Damaged(why) => self.abort(why.to_owned(), out),
            Part::TooLarge => self.abort(format!("one event is larger than {} MiB", LIMIT >> 20), out),
        }
    }

    fn abort(&mut self, why: String, out: &mut Decoded) {
        self.over = true;
        out.events.push(Event::Abort(why));
    }

    fn event(&mut self, name: &str, data: &str, events: &mut Vec<Event>) {
        let before = events.len();
        let free_text = self.dialect.unwrap_or(self.fallback).free_text;
        let trimmed = data.trim();
        if trimmed == "[DONE]" && !free_text {
            events.push(Event::End);
            return;
        }
        let mut tape = std::mem::take(&mut self.tape);
        let read = tape.read(if free_text { data } else { trimmed });
        let frame = Frame { name, data, json: read.ok() };
        self.recognise(&frame);
        let dialect = self.dialect.unwrap_or(self.fallback);
        let not_json = read.err().filter(|_| !dialect.free_text && !trimmed.is_empty());
        match not_json {
            _ if name == "error" => events.push(Event::Error(words(&frame))),
            // The pointer to the whole takes any data.
            Some(why) if self.memory.text.as_deref() != Some("") => {
                events.push(Event::Note("unreadable_event", format!("{why}: {}", shorten(trimmed))));
            }
            // An event may say everything with its name.
            None if trimmed.is_empty() && !dialect.free_text && (name.is_empty() || self.dialect.is_none()) => {}
            _ => self.facts(dialect, &frame, events),
        }
        self.tape = tape;
        if let Some(think) = &mut self.think {
            think.take(before, events);
        }
    }

    fn recognise(&mut self, frame: &Frame<'_>) {
        let by_pointer = self.memory.text.is_some();
        if self.dialect.is_none()
            && !by_pointer
            && !self.fallback.free_text
            && let Some(dialect) = recognise(frame)
        {
            (self.dialect, self.why) = (Some(dialect), Why::Event);
        }
    }

    fn facts(&mut self, dialect: &'static Dialect, frame: &Frame<'_>, events: &mut Vec<Event>) {
        // Free text is no JSON, whatever it looks like.
        let json = frame.json.filter(|_| !dialect.free_text);
        let [error, object, stages] = json.map_or([None; 3], |json| json.all(["error", "object", STAGES]));
        let error = json.and_then(|json| error_of(json, error, object));
        // An event with an error in it may bear more, but only a known dialect tells what.
        if self.dialect.is_some() || error.is_none() && !json.is_some_and(is_silent) {
            (dialect.decode)(frame, &mut self.memory, &mut Facts(events));
        }
        events.extend(error.map(Event::Error));
        events.extend(stages.and_then(stages_of_json).map(|stages| Event::Stages(Box::new(stages))));
        let spans = json.map(|json| mapped(&self.spans, json)).unwrap_or_default();
        if !spans.is_empty() {
            events.push(Event::Spans(spans));
        }
    }

    /// Only a stream has such a first value.
    fn begins_a_stream(&mut self, first: &str, in_list: bool) -> bool {
        let mut tape = std::mem::take(&mut self.tape);
        let stream = tape.read(first).is_ok_and(|json| {
            let dialect = self.dialect.or_else(|| recognise(&Frame { name: "", data: first, json: Some(json) }));
            let said_no = |name: &str| json.get(name).and_then(Json::as_bool) == Some(false);
            let chunk = json.get("object").and_then(Json::as_text).is_some_and(|o| o.ends_with(".chunk"));
            let first_of_list = in_list && dialect.is_some_and(|d| d.code == "gemini");
            first_of_list || chunk || said_no("done") || said_no("is_finished") || dialect.is_some() && said_no("stop")
        });
        self.tape = tape;
        stream
    }

    /// One whole body.
    fn whole(&mut self, body: &[u8], out: &mut Decoded) {
        let text = String::from_utf8_lossy(body);
        let text = text.trim_start_matches('\u{feff}').trim();
        let mut tape = std::mem::take(&mut self.tape);
        let read = tape.read(text);
        out.frame(|events| match read {
            Err(NotJson::Cut) => events.push(Event::Note("json_cut", String::new())),
            Err(why) => events.push(Event::Note("not_json", format!("{why}: {}", shorten(text)))),
            Ok(json) => {
                let whole = Frame { name: "", data: text, json: Some(json) };
                // A list of one answer is that answer; any other list is one of results.
                let only = json.items().next().filter(|_| json.items().count() == 1);
                let frame = only.map_or(whole, |one| Frame { json: Some(one), ..whole });
                self.recognise(&frame);
                match self.dialect {
                    Some(dialect) => self.facts(dialect, &frame, events),
                    None => self.facts(self.fallback, &whole, events),
                }
            }
        });
        self.tape = tape;
        if let Some(think) = &mut self.think {
            think.take(0, &mut out.events);
        }
    }
}

/// An error that stands in any dialect's event: only one that is there and says something.
fn error_of(json: Json<'_>, error: Option<Json<'_>>, object: Option<Json<'_>>) -> Option<String> {
    let named = error.and_then(said);
    named.or_else(|| object.filter(|o| o.is("error")).and_then(|_| said(json)))
}

fn words(frame: &Frame<'_>) -> String {
    let own = frame.json.and_then(|json| json.get("error").and_then(said).or_else(|| said(json)));
    own.unwrap_or_else(|| shorten(frame.data.trim()))
}

/// An event before the first that says anything: it is not held against a dialect that is not known yet.
fn is_silent(json: Json<'_>) -> bool {
    json.get("type").is_some_and(|t| t.is("ping")) || json.is_object() && json.members().next().is_none()
}
