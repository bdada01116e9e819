//! At which instants of its own clock did the server do what? The stage times of `docs/aligned.md`.

use super::Entry;
use crate::Micros;
use crate::order::by_key;
use firstlight_json::Json;

/// The name of the field of an event or a body, and how the names of `Server-Timing` entries begin.
pub const STAGES: &str = "firstlight";

/// The largest time and the longest clock id: what JavaScript holds exactly, and what nobody has to shorten.
const MAX_US: i64 = (1 << 53) - 1;
const MAX_CLOCK: usize = 100;

/// An instant that a server may stamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// The head of the request was read.
    Received,
    /// The request was understood and began to wait for its turn.
    Queued,
    /// It was its turn: the waiting ended.
    Started,
    /// The prompt was templated and tokenised.
    Preprocessed,
    /// The first output on any channel was handed to the connection.
    FirstToken,
    /// The first output of the answer was, where reasoning or a tool's arguments came before it.
    FirstAnswer,
    /// The last output was.
    LastToken,
}

impl Stage {
    /// Every stage, in the usual order; some servers tokenise before they queue.
    pub const ALL: [Stage; 7] = [
        Stage::Received,
        Stage::Queued,
        Stage::Started,
        Stage::Preprocessed,
        Stage::FirstToken,
        Stage::FirstAnswer,
        Stage::LastToken,
    ];

    /// The stable name, in the protocol and in run files; in JSON with `_us` behind it.
    pub fn code(self) -> &'static str {
        match self {
            Stage::Received => "received",
            Stage::Queued => "queued",
            Stage::Started => "started",
            Stage::Preprocessed => "preprocessed",
            Stage::FirstToken => "first_token",
            Stage::FirstAnswer => "first_answer",
            Stage::LastToken => "last_token",
        }
    }

    /// The stage of a stable name.
    pub fn from_code(code: &str) -> Option<Stage> {
        Stage::ALL.into_iter().find(|s| s.code() == code)
    }
}

/// The stages of one request, in µs of one clock of the server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stages {
    /// Which clock: replicas of a server have several.
    pub clock: String,
    at: [Option<Micros>; Stage::ALL.len()],
}

impl Stages {
    /// None is stamped yet.
    pub fn of(clock: impl Into<String>) -> Stages {
        Stages { clock: clock.into(), at: [None; Stage::ALL.len()] }
    }

    /// When the server says that it was.
    pub fn get(&self, stage: Stage) -> Option<Micros> {
        self.at[stage as usize]
    }

    /// Stamps a stage.
    pub fn set(&mut self, stage: Stage, at: Micros) {
        self.at[stage as usize] = Some(at);
    }

    /// Every stage that is stamped.
    pub fn stamped(&self) -> impl Iterator<Item = (Stage, Micros)> {
        Stage::ALL.into_iter().filter_map(|stage| Some((stage, self.get(stage)?)))
    }

    /// These stages, and where one is missing, the older one of the same clock.
    pub fn over(mut self, older: Option<&Stages>) -> Stages {
        for (stage, at) in older.into_iter().filter(|older| older.clock == self.clock).flat_map(Stages::stamped) {
            self.at[stage as usize].get_or_insert(at);
        }
        self
    }

    /// Receipt comes before every other stage, and nothing is done for a request after its last output.
    pub fn are_in_order(&self) -> bool {
        let tokens = [Stage::FirstToken, Stage::FirstAnswer, Stage::LastToken].map(|stage| self.get(stage));
        let tokens: Vec<Micros> = tokens.into_iter().flatten().collect();
        let received = self.get(Stage::Received);
        let middle = self.middle();
        let last = middle.last().map(|(_, at)| *at).or(received);
        tokens.is_sorted()
            && middle.first().is_none_or(|(_, first)| received.is_none_or(|received| received <= *first))
            && tokens.first().is_none_or(|first| last.is_none_or(|last| last <= *first))
    }

    /// What lies between receipt and output, in order of time.
    pub(crate) fn middle(&self) -> Vec<(Stage, Micros)> {
        let between = [Stage::Queued, Stage::Started, Stage::Preprocessed];
        let mut middle: Vec<_> = between.into_iter().filter_map(|stage| Some((stage, self.get(stage)?))).collect();
        by_key(&mut middle, |(stage, at)| (*at, *stage));
        middle
    }
}

/// The member [`STAGES`] of an event or a body: `{"clock": "ID", "received_us": N, …}`. None without a clock or a time; what is
/// no whole number is left out.
pub(crate) fn stages_of_json(object: Json<'_>) -> Option<Stages> {
    let clock = object.text_at("clock").and_then(|clock| sound_clock(&clock))?;
    let times = object.members().filter_map(|member| {
        let stage = Stage::from_code(member.name().strip_suffix("_us")?)?;
        Some((stage, time(member.raw())?))
    });
    made(clock, times)
}

/// The entries `firstlight-clock;desc="ID"`, `firstlight-received;desc="N"`, … of a `Server-Timing` header.
pub fn stages_of_entries(entries: &[Entry]) -> Option<Stages> {
    let named = |entry: &Entry| Some((own_name(&entry.name)?.to_owned(), entry.description.clone()?));
    let own: Vec<(String, String)> = entries.iter().filter_map(named).collect();
    let clock = own.iter().find(|(name, _)| name == "clock").and_then(|(_, clock)| sound_clock(clock))?;
    made(clock, own.iter().filter_map(|(name, text)| Some((Stage::from_code(name)?, time(text)?))))
}

fn own_name(name: &str) -> Option<&str> {
    name.strip_prefix(STAGES)?.strip_prefix('-')
}

fn made(clock: String, times: impl Iterator<Item = (Stage, Micros)>) -> Option<Stages> {
    let mut stages = Stages::of(clock);
    times.for_each(|(stage, at)| stages.set(stage, at));
    let any = stages.stamped().next().is_some();
    any.then_some(stages)
}

/// An id of a clock that may be kept and compared.
pub(crate) fn sound_clock(clock: &str) -> Option<String> {
    (1..=MAX_CLOCK).contains(&clock.len()).then(|| clock.to_owned())
}

/// A time as it is written: a whole number of µs, which no `f64` rounds on its way.
pub(crate) fn time(text: &str) -> Option<Micros> {
    text.trim().parse().ok().filter(|us| (-MAX_US..=MAX_US).contains(us)).map(Micros)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server_report::{parse_server_timing, spans_from_header};
    use firstlight_json::Tape;

    fn of_json(text: &str) -> Option<Stages> {
        stages_of_json(Tape::default().read(text).expect("json"))
    }

    #[test]
    fn both_ways_say_the_same() {
        let json = of_json(r#"{"clock":"a-1","received_us":1764496347000123,"queued_us":1764496347000200,"note":"x"}"#);
        let header = r#"firstlight-clock;desc="a-1", firstlight-received;desc="1764496347000123", firstlight-queued;desc=1764496347000200"#;
        assert_eq!(json, stages_of_entries(&parse_server_timing(header)));
        let stages = json.expect("stages");
        assert_eq!(stages.clock, "a-1");
        let got: Vec<_> = stages.stamped().collect();
        assert_eq!(got, [(Stage::Received, Micros(1764496347000123)), (Stage::Queued, Micros(1764496347000200))]);
        // They have no duration, so nobody takes them for spans.
        assert!(spans_from_header(header, false).is_empty());
    }

    #[test]
    fn what_is_no_time_is_left_out_and_never_zero() {
        for none in [r#"{"received_us":5}"#, r#"{"clock":"","received_us":5}"#, r#"{"clock":7,"received_us":5}"#, "5", "{}"] {
            assert_eq!(of_json(none), None, "{none}");
        }
        assert_eq!(of_json(r#"{"clock":"c","received_us":5.5,"queued_us":"6","started_us":9007199254740992,"x_us":1}"#), None);
        let sound = of_json(r#"{"clock":"c","received_us":-5,"queued_us":null}"#).expect("stages");
        assert_eq!(sound.stamped().collect::<Vec<_>>(), [(Stage::Received, Micros(-5))]);
        assert_eq!(stages_of_entries(&parse_server_timing("firstlight-received;desc=5, firstlight-clock")), None);
    }

    #[test]
    fn later_reports_stand_over_earlier_ones_of_the_same_clock() {
        let head = of_json(r#"{"clock":"a","received_us":1,"queued_us":2}"#);
        let end = of_json(r#"{"clock":"a","queued_us":3,"last_token_us":9}"#).expect("stages");
        let both: Vec<_> = end.clone().over(head.as_ref()).stamped().map(|(_, at)| at.0).collect();
        assert_eq!(both, [1, 3, 9]);
        assert_eq!(Stages { clock: "b".into(), ..end.clone() }.over(head.as_ref()).get(Stage::Received), None);
    }

    #[test]
    fn order() {
        let ordered = |text: &str| of_json(text).expect("stages").are_in_order();
        assert!(ordered(
            r#"{"clock":"a","received_us":1,"preprocessed_us":2,"queued_us":3,"first_token_us":3,"last_token_us":3}"#
        ));
        assert!(ordered(r#"{"clock":"a","last_token_us":3}"#));
        assert!(!ordered(r#"{"clock":"a","received_us":4,"queued_us":3}"#));
        assert!(!ordered(r#"{"clock":"a","started_us":4,"first_token_us":3}"#));
        assert!(!ordered(r#"{"clock":"a","received_us":4,"last_token_us":3}"#));
        assert!(!ordered(r#"{"clock":"a","first_token_us":4,"last_token_us":3}"#));
    }

    #[test]
    fn every_stage_has_its_code() {
        for stage in Stage::ALL {
            assert_eq!(Stage::from_code(stage.code()), Some(stage));
        }
    }
}
