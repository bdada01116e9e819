//! One observed stream, as far as it is passed on.

use serde_json::{Map, Value};

use super::read::{Field, a_name, is_name, media_type, ms, public_url};
use crate::Micros;

/// The version of a report.
const VERSION: u64 = 1;
/// Entries of `Server-Timing`, counts, kinds of parts: more are no measurement.
const MOST_ENTRIES: usize = 64;
/// How a stream may have been observed.
const KINDS: [&str; 4] = ["fetch", "event_source", "web_socket", "tap"];
/// How an observation may have ended.
const OUTCOMES: [&str; 6] = ["complete", "cancelled", "error", "stopped", "unfinished", "unobserved"];

/// A figure, or why there is none.
pub type Known<T> = Result<T, Reason>;

/// Why a figure is not there: a word such as `not_told`, perhaps with the name of an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason(String);

impl Reason {
    /// Of a text; none if it is no reason.
    pub fn of(text: &str) -> Option<Reason> {
        let (code, name) = text.split_once(": ").unwrap_or((text, "none"));
        let is_code =
            (1..=48).contains(&code.len()) && code.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
        // An error that has no name leaves `undefined` there.
        (is_code && is_name(name)).then(|| Reason(text.to_owned()))
    }

    /// It was a text that is not passed on.
    pub(super) fn not_passed() -> Reason {
        Reason("not_passed".to_owned())
    }

    /// The instant is before `sent`.
    pub(crate) fn before_sent() -> Reason {
        Reason("before_sent".to_owned())
    }

    /// The word.
    pub fn code(&self) -> &str {
        self.0.split(": ").next().unwrap_or_default()
    }

    /// All of it.
    pub fn text(&self) -> &str {
        &self.0
    }
}

/// Why a report is not passed on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// Not an object.
    #[error("a report is an object")]
    NotAnObject,
    /// Written by a newer package.
    #[error("the report has version {0}, this collector reads version 1: use a newer collector")]
    Newer(u64),
    /// A field is not there.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// A field holds something else.
    #[error("{path} is not {expected}")]
    Wrong {
        /// Which field.
        path: &'static str,
        /// What it should hold.
        expected: &'static str,
    },
    /// Instants out of order.
    #[error("{0} is before {1}")]
    Order(&'static str, &'static str),
}

impl Why {
    /// A word for counters.
    pub fn code(&self) -> &'static str {
        match self {
            Why::NotAnObject | Why::Wrong { .. } => "wrong_field",
            Why::Newer(_) => "newer",
            Why::Missing(_) => "missing_field",
            Why::Order(..) => "order",
        }
    }
}

/// Instants of the page's clock since its time origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marks {
    /// Just before `fetch` was called.
    pub sent: Known<Micros>,
    /// `requestStart`.
    pub request_start: Known<Micros>,
    /// The first byte, by the browser's network timing.
    pub first_byte: Known<Micros>,
    /// The head was there.
    pub headers_seen: Known<Micros>,
    /// The first read that gave bytes.
    pub first_read: Known<Micros>,
    /// The last one.
    pub last_read: Known<Micros>,
    /// The body ended.
    pub body_end: Known<Micros>,
    /// It ended otherwise.
    pub stopped_at: Known<Micros>,
}

impl Marks {
    /// Each by its name in exports, in order of time.
    pub fn all(&self) -> [(&'static str, &Known<Micros>); 8] {
        [
            ("sent", &self.sent),
            ("request_start", &self.request_start),
            ("first_byte", &self.first_byte),
            ("headers_seen", &self.headers_seen),
            ("first_read", &self.first_read),
            ("last_read", &self.last_read),
            ("body_end", &self.body_end),
            ("stopped_at", &self.stopped_at),
        ]
    }
}

/// When the first text could be seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visible {
    /// Surely not before.
    pub earliest: Micros,
    /// Surely not after.
    pub latest: Known<Micros>,
}

/// Waits for a read that were longer than a threshold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stalls {
    /// The threshold.
    pub threshold: Micros,
    /// How many.
    pub count: u64,
    /// The longest wait, stall or not.
    pub longest: Known<Micros>,
}

/// What happened to the page meanwhile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flags {
    /// Hidden at any moment.
    pub hidden: Known<bool>,
    /// Frozen by the browser: its stamps are worth nothing.
    pub frozen: Known<bool>,
    /// For so long the main thread was blocked.
    pub blocked: Known<Micros>,
}

/// A number that a page's own decoder made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Count {
    /// A whole number.
    Whole(i64),
    /// Another number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
}

/// A report.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Its own, so that one which comes twice can be told.
    pub id: String,
    /// How the stream was observed.
    pub kind: &'static str,
    /// Origin and path.
    pub url: Known<String>,
    /// The page's time origin, in µs since 1970 by the page's own wall clock.
    pub time_origin_us: i64,
    /// The page was cross-origin isolated: its clock is fine.
    pub isolated: bool,
    /// HTTP status.
    pub status: Known<u16>,
    /// Type and subtype.
    pub content_type: Known<String>,
    /// The protocol's name.
    pub protocol: Known<String>,
    /// The answer came from another address.
    pub redirected: Known<bool>,
    /// How it ended.
    pub outcome: &'static str,
    /// The name of the error.
    pub error: Known<String>,
    /// When.
    pub marks: Marks,
    /// When it could be seen.
    pub visible: Known<Visible>,
    /// Bytes that the host read.
    pub bytes: Known<u64>,
    /// Reads that gave bytes.
    pub reads: Known<u64>,
    /// Long waits.
    pub stalls: Known<Stalls>,
    /// The page.
    pub flags: Flags,
    /// `Server-Timing`: names and durations. A duration of 0 may be a missing one.
    pub server: Known<Vec<(String, Micros)>>,
    /// Response headers that the host named.
    pub headers: Vec<(String, String)>,
    /// Of the page's own decoder.
    pub counts: Known<Vec<(String, Count)>>,
    /// How often an EventSource connected again.
    pub reconnects: Option<u64>,
    /// Parts of each kind, of a tapped stream.
    pub parts: Vec<(String, u64)>,
}

impl Report {
    /// Reads a report.
    pub fn of(value: &Value) -> Result<Report, Why> {
        if !value.is_object() {
            return Err(Why::NotAnObject);
        }
        let field = |path| Field::of(value, path);
        let version = field("version");
        match version.must(version.whole()?, "1")? {
            VERSION => {}
            newer => return Err(Why::Newer(newer)),
        }
        let origin = field("clock.timeOrigin");
        let isolated = field("clock.isolated");
        let marks = marks(value)?;
        let report = Report {
            id: field("id").name()?,
            kind: one_of(field("kind"), &KINDS)?,
            url: field("url").text(public_url)?,
            time_origin_us: origin_us(origin)?,
            isolated: isolated.must(isolated.yes()?, "true or false")?,
            status: status(field("status"))?,
            content_type: field("contentType").text(media_type)?,
            protocol: field("protocol").text(a_name)?,
            redirected: field("redirected").yes()?,
            outcome: one_of(field("outcome.code"), &OUTCOMES)?,
            error: field("outcome.error").text(a_name)?,
            marks,
            visible: visible(value)?,
            bytes: field("bytes").whole()?,
            reads: reads(value)?,
            stalls: stalls(value)?,
            flags: Flags {
                hidden: field("flags.hiddenDuring").yes()?,
                frozen: field("flags.frozenDuring").yes()?,
                blocked: field("flags.mainThreadBlocked").ms()?,
            },
            server: server(field("server.entries"))?,
            headers: headers(field("server.headers"))?,
            counts: counts(field("counts"))?,
            reconnects: Some(field("reconnects")).filter(Field::is_there).map(|f| f.count()).transpose()?,
            parts: parts(field("parts"))?,
        };
        Ok(report)
    }

    /// Its latencies enter the distributions: the stream ended well, and the page was awake.
    pub fn enters_distributions(&self) -> bool {
        let refused = self.status.as_ref().is_ok_and(|status| !(200..300).contains(status));
        self.outcome == "complete" && !refused && self.flags.frozen != Ok(true)
    }
}

fn one_of(field: Field<'_>, all: &'static [&'static str]) -> Result<&'static str, Why> {
    let word = field.name()?;
    all.iter().copied().find(|known| *known == word).ok_or_else(|| field.wrong("one of the words that are known"))
}

/// Between 2000 and 2200: a page's wall clock may be wrong, and is told as it is.
fn origin_us(field: Field<'_>) -> Result<i64, Why> {
    const EXPECTED: &str = "milliseconds since 1970";
    let ms = field.number().filter(|ms| (946_684_800_000.0..7_258_118_400_000.0).contains(ms));
    ms.map(|ms| (ms * 1000.0).round() as i64).ok_or_else(|| field.wrong(EXPECTED))
}

fn status(field: Field<'_>) -> Result<Known<u16>, Why> {
    let whole = field.whole()?;
    let status = |n: u64| u16::try_from(n).ok().filter(|n| (100..600).contains(n)).ok_or_else(|| field.wrong("an HTTP status"));
    match whole {
        Ok(n) => status(n).map(Ok),
        Err(reason) => Ok(Err(reason)),
    }
}

fn marks(value: &Value) -> Result<Marks, Why> {
    let mark = |path| Field::of(value, path).ms();
    let marks = Marks {
        sent: mark("marks.sent")?,
        request_start: mark("marks.requestStart")?,
        first_byte: mark("marks.firstByte")?,
        headers_seen: mark("marks.headersSeen")?,
        first_read: mark("marks.firstRead")?,
        last_read: mark("marks.lastRead")?,
        body_end: mark("marks.bodyEnd")?,
        stopped_at: mark("marks.stoppedAt")?,
    };
    // Only stamps of one clock and one thread: the browser's own entries are rounded in their own way.
    let stamps = [
        ("marks.sent", &marks.sent),
        ("marks.firstRead", &marks.first_read),
        ("marks.lastRead", &marks.last_read),
        ("marks.bodyEnd", &marks.body_end),
    ];
    let there: Vec<(&'static str, Micros)> = stamps.iter().filter_map(|(name, at)| Some((*name, *at.as_ref().ok()?))).collect();
    match there.windows(2).find(|pair| pair[1].1 < pair[0].1) {
        Some(pair) => Err(Why::Order(pair[1].0, pair[0].0)),
        None => Ok(marks),
    }
}

fn visible(value: &Value) -> Result<Known<Visible>, Why> {
    if let Err(reason) = Field::of(value, "firstVisible").object()? {
        return Ok(Err(reason));
    }
    let earliest = Field::of(value, "firstVisible.earliest");
    let earliest = earliest.must(earliest.ms()?, "milliseconds")?;
    let latest = Field::of(value, "firstVisible.latest").ms()?;
    match latest {
        Ok(at) if at < earliest => Err(Why::Order("firstVisible.latest", "firstVisible.earliest")),
        latest => Ok(Ok(Visible { earliest, latest })),
    }
}

/// Those that are listed and those that are not.
fn reads(value: &Value) -> Result<Known<u64>, Why> {
    let left_out = Field::of(value, "readsLeftOut").count()?;
    Ok(Field::of(value, "reads").list()?.map(|list| list.len() as u64 + left_out))
}

fn stalls(value: &Value) -> Result<Known<Stalls>, Why> {
    if let Err(reason) = Field::of(value, "stalls").object()? {
        return Ok(Err(reason));
    }
    let threshold = Field::of(value, "stalls.thresholdMs");
    Ok(Ok(Stalls {
        threshold: threshold.must(threshold.ms()?, "milliseconds")?,
        count: Field::of(value, "stalls.count").count()?,
        longest: Field::of(value, "stalls.longest").ms()?,
    }))
}

/// Descriptions are free text and stay behind, and so do names that are none.
fn server(field: Field<'_>) -> Result<Known<Vec<(String, Micros)>>, Why> {
    const EXPECTED: &str = "a list of at most 64 {name, duration}";
    let entry = |entry: &Value| Some((entry.get("name")?.as_str()?.to_owned(), ms(entry.get("duration")?)?));
    match field.list()? {
        Ok(list) if list.len() > MOST_ENTRIES => Err(field.wrong(EXPECTED)),
        Ok(list) => {
            let all: Option<Vec<_>> = list.iter().map(entry).collect();
            let all = all.ok_or_else(|| field.wrong(EXPECTED))?;
            Ok(Ok(all.into_iter().filter(|(name, _)| is_name(name)).collect()))
        }
        Err(reason) => Ok(Err(reason)),
    }
}

fn headers(field: Field<'_>) -> Result<Vec<(String, String)>, Why> {
    if !field.is_there() {
        return Ok(Vec::new());
    }
    let entry = |(name, value): (&String, &Value)| {
        let value = value.as_str()?;
        is_name(name).then(|| (name.to_ascii_lowercase(), value.to_owned()))
    };
    entries(field, "an object of texts", entry)
}

fn counts(field: Field<'_>) -> Result<Known<Vec<(String, Count)>>, Why> {
    const EXPECTED: &str = "an object of names with numbers, or {absent}";
    let count = |value: &Value| match value {
        Value::Bool(flag) => Some(Count::Flag(*flag)),
        Value::Number(n) => n.as_i64().map(Count::Whole).or_else(|| n.as_f64().map(Count::Number)),
        // With `text: true` a decoder's texts come along, and stay behind here.
        _ => None,
    };
    match field.object()? {
        Err(reason) => Ok(Err(reason)),
        Ok(map) if map.len() > MOST_ENTRIES => Err(field.wrong(EXPECTED)),
        Ok(map) => Ok(Ok(map
            .iter()
            .filter(|(name, _)| is_name(name))
            .filter_map(|(name, value)| Some((name.clone(), count(value)?)))
            .collect())),
    }
}

fn parts(field: Field<'_>) -> Result<Vec<(String, u64)>, Why> {
    if !field.is_there() {
        return Ok(Vec::new());
    }
    entries(field, "an object of names with whole numbers", |(name, value): (&String, &Value)| {
        is_name(name).then(|| Some((name.clone(), value.as_u64()?))).flatten()
    })
}

fn entries<'a, T>(
    field: Field<'a>,
    expected: &'static str,
    entry: impl Fn((&'a String, &'a Value)) -> Option<T>,
) -> Result<Vec<T>, Why> {
    let map: &Map<String, Value> = field.must(field.object()?, expected)?;
    if map.len() > MOST_ENTRIES {
        return Err(field.wrong(expected));
    }
    map.iter().map(entry).collect::<Option<Vec<T>>>().ok_or_else(|| field.wrong(expected))
}
