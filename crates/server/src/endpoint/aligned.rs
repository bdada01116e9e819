//! Stage times of the built-in endpoint on its own clock (`docs/aligned.md`), and ways there and back whose length is known.

use axum::body::Body;
use axum::http::{Response, StatusCode};
use firstlight_core::Micros;
use firstlight_core::server_report::{STAGES, Stage, Stages};
use firstlight_engine::{Format, Kind, Piece};
use serde_json::{Map, Value, json};

use crate::clock::Clock;
use crate::reply;
use crate::server::Shared;

/// The longest injected way, in ms.
const MAX_WAY_MS: u64 = 60_000;
/// The largest skew of the clock, in ms: ten years.
const MAX_SKEW_MS: i64 = 315_360_000_000;

/// What is asked for in the address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Aligned {
    /// Stages are stamped and sent.
    pub stamps: bool,
    /// Waited before anything else, also before receipt is stamped: as a longer way to the server.
    pub outbound_ms: u64,
    /// Waited between every stamp of what is written and its write: as a longer way back.
    pub return_ms: u64,
    /// Added to the clock that stamps.
    pub skew_ms: i64,
}

impl Aligned {
    /// Reads one parameter; none if it is another's, an error that says what is allowed.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Option<Result<(), (&'static str, &'static str)>> {
        let way = || value.parse().ok().filter(|ms| *ms <= MAX_WAY_MS);
        let (name, allowed, done) = match name {
            "aligned" => {
                let wanted = ["0", "1"].iter().position(|known| *known == value);
                ("aligned", "0 or 1", wanted.map(|n| self.stamps = n == 1))
            }
            "outbound_ms" => ("outbound_ms", "a whole number from 0 to 60000", way().map(|ms| self.outbound_ms = ms)),
            "return_ms" => ("return_ms", "a whole number from 0 to 60000", way().map(|ms| self.return_ms = ms)),
            "skew_ms" => {
                let skew = value.parse().ok().filter(|ms| (-MAX_SKEW_MS..=MAX_SKEW_MS).contains(ms));
                ("skew_ms", "a whole number, at most ten years", skew.map(|ms| self.skew_ms = ms))
            }
            _ => return None,
        };
        Some(done.ok_or((name, allowed)))
    }

    pub(super) fn outbound_us(self) -> u64 {
        self.outbound_ms * 1_000
    }

    pub(super) fn return_us(self) -> u64 {
        self.return_ms * 1_000
    }

    /// The server's time as the skewed clock shows it.
    fn shown(self, us: u64) -> Micros {
        Micros(i64::try_from(us).unwrap_or(i64::MAX / 2) + self.skew_ms * 1_000)
    }

    /// Another skew is another clock.
    fn clock_id(self, server: &str) -> String {
        if self.skew_ms == 0 { server.to_owned() } else { format!("{server}{:+}ms", self.skew_ms) }
    }
}

/// The stamps of one reply while it is made.
pub(super) struct Stamping {
    aligned: Aligned,
    stages: Stages,
    /// Reasoning came, and no answer yet.
    reasoned: bool,
}

impl Stamping {
    pub(super) fn new(aligned: Aligned, server: &str) -> Stamping {
        Stamping { aligned, stages: Stages::of(aligned.clock_id(server)), reasoned: false }
    }

    pub(super) fn stamp(&mut self, stage: Stage, us: u64) {
        self.stages.set(stage, self.aligned.shown(us));
    }

    /// A piece is written now; it was stamped when it set out on its way back.
    pub(super) fn writes(&mut self, kind: Kind, now_us: u64) {
        if !kind.is_output() {
            return;
        }
        let us = now_us.saturating_sub(self.aligned.return_us());
        if self.stages.get(Stage::FirstToken).is_none() {
            self.stamp(Stage::FirstToken, us);
        }
        // Where no reasoning came before, the first token is the answer's own.
        if kind == Kind::Answer && std::mem::take(&mut self.reasoned) {
            self.stamp(Stage::FirstAnswer, us);
        }
        self.reasoned |= kind == Kind::Reasoning;
        self.stamp(Stage::LastToken, us);
    }

    /// As `Server-Timing` entries.
    pub(super) fn header(&self) -> String {
        let times = self.stages.stamped().map(|(stage, at)| format!(", {STAGES}-{};desc=\"{}\"", stage.code(), at.0));
        format!("{STAGES}-clock;desc=\"{}\"{}", self.stages.clock, times.collect::<String>())
    }

    fn json(&self) -> Value {
        let times = self.stages.stamped().map(|(stage, at)| (format!("{}_us", stage.code()), json!(at.0)));
        let clock = [("clock".to_owned(), json!(self.stages.clock))];
        Value::Object(clock.into_iter().chain(times).collect::<Map<_, _>>())
    }

    /// As an event or a line of a stream.
    pub(super) fn event(&self, format: Format) -> Vec<u8> {
        match format {
            Format::OpenAi => {
                let chunk = json!({"object": "chat.completion.chunk", "choices": [], STAGES: self.json()});
                format!("data: {chunk}\n\n").into_bytes()
            }
            Format::Ollama => format!("{}\n", json!({STAGES: self.json()})).into_bytes(),
            _ => format!("data: {}\n\n", json!({STAGES: self.json()})).into_bytes(),
        }
    }

    /// As the first member of a JSON object.
    pub(super) fn put_into(&self, body: &mut Vec<u8>) {
        if let Some(at) = body.iter().position(|byte| *byte == b'{') {
            body.splice(at + 1..at + 1, format!("\"{STAGES}\":{},", self.json()).into_bytes());
        }
    }
}

/// How many pieces come behind the stage times of a stream: the end marker's own. None where a stream breaks off before it would
/// report anything.
pub(super) fn behind(pieces: &[Piece]) -> Option<usize> {
    let ends = |piece: &&Piece| matches!(piece.kind, Kind::Finish | Kind::Closing | Kind::Done);
    pieces
        .iter()
        .any(|piece| ends(&piece))
        .then(|| pieces.iter().rev().take_while(|piece| matches!(piece.kind, Kind::Done | Kind::Fragment)).count())
}

/// Answers a probe at once, but for the injected way.
pub(crate) async fn probe(shared: &Shared, query: &str) -> Response<Body> {
    let mut aligned = Aligned::default();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match aligned.set(&name, &value) {
            Some(Ok(())) => {}
            Some(Err((name, allowed))) => {
                return reply::error(StatusCode::BAD_REQUEST, &format!("{name}={value}: {name} must be {allowed}"));
            }
            None => {
                let known = "outbound_ms, return_ms, skew_ms";
                return reply::error(StatusCode::BAD_REQUEST, &format!("unknown parameter {name}; known are: {known}"));
            }
        }
    }
    let clock: Clock = shared.clock;
    clock.wait_until(clock.now_us() + aligned.outbound_us()).await;
    let received = aligned.shown(clock.now_us());
    let id = aligned.clock_id(&shared.clock_id);
    let sent_us = clock.now_us();
    clock.wait_until(sent_us + aligned.return_us()).await;
    reply::json(StatusCode::OK, &json!({"clock": id, "received_us": received.0, "sent_us": aligned.shown(sent_us).0}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_is_stamped_apart_where_reasoning_came_first() {
        let stamped = |kinds: &[Kind]| {
            let mut stamping = Stamping::new(Aligned { return_ms: 1, skew_ms: -2, ..Aligned::default() }, "x");
            kinds.iter().zip(1..).for_each(|(kind, n)| stamping.writes(*kind, n * 10_000));
            stamping.header()
        };
        assert_eq!(
            stamped(&[Kind::Role, Kind::Answer, Kind::Answer]),
            "firstlight-clock;desc=\"x-2ms\", firstlight-first_token;desc=\"17000\", firstlight-last_token;desc=\"27000\""
        );
        assert_eq!(
            stamped(&[Kind::Reasoning, Kind::Reasoning, Kind::Answer, Kind::Answer]),
            "firstlight-clock;desc=\"x-2ms\", firstlight-first_token;desc=\"7000\", firstlight-first_answer;desc=\"27000\", \
             firstlight-last_token;desc=\"37000\""
        );
    }

    #[test]
    fn stage_times_stand_before_the_end_marker() {
        let pieces = |kinds: &[Kind]| -> Vec<Piece> {
            kinds.iter().map(|kind| Piece { at_us: 0, bytes: vec![1], kind: *kind }).collect()
        };
        assert_eq!(behind(&pieces(&[Kind::Answer, Kind::Finish, Kind::Closing, Kind::Done])), Some(1));
        assert_eq!(behind(&pieces(&[Kind::Answer, Kind::Closing, Kind::Fragment, Kind::Done])), Some(2));
        assert_eq!(behind(&pieces(&[Kind::Answer, Kind::Finish])), Some(0));
        assert_eq!(behind(&pieces(&[Kind::Answer])), None);
    }

    #[test]
    fn a_body_stays_json() {
        let mut body = b"\xEF\xBB\xBF{\"a\":1}".to_vec();
        let mut stamping = Stamping::new(Aligned::default(), "x");
        stamping.stamp(Stage::Received, 5);
        stamping.put_into(&mut body);
        assert_eq!(String::from_utf8_lossy(&body), "\u{feff}{\"firstlight\":{\"clock\":\"x\",\"received_us\":5},\"a\":1}");
    }
}
