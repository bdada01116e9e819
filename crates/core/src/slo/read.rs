//! Thresholds and criteria as text: `first_visible<800ms`, `p95(first_visible)<=1.2s`, `non_streaming error_rate<1%`.

use std::fmt;
use std::str::FromStr;

use super::{Criterion, Relation, Subject, Threshold};
use crate::metrics::{Metric, Unit};
use crate::stats::P;
use crate::trace::Mode;

/// The metrics that a limit can be set on, by the names used in texts. Pooled gaps have no value of one request: a limit on
/// pauses is set on the longest stall.
pub const NAMES: [(&str, Metric); 17] = [
    ("first_visible", Metric::FirstVisible),
    ("complete_visible", Metric::CompleteVisible),
    ("first_token", Metric::Ttft),
    ("first_answer", Metric::FirstAnswer),
    ("first_useful", Metric::FirstUseful),
    ("end_to_end", Metric::EndToEnd),
    ("last_answer", Metric::LastAnswer),
    ("first_byte", Metric::Ttfb),
    ("first_event", Metric::FirstEvent),
    ("generation", Metric::Generation),
    ("tpot", Metric::Tpot),
    ("output_rate", Metric::OutputRate),
    ("longest_stall", Metric::LongestStall),
    ("render_gap_first", Metric::RenderGapFirst),
    ("render_gap_last", Metric::RenderGapLast),
    ("tokens_per_chunk", Metric::TokensPerChunk),
    ("events_per_read", Metric::EventsPerRead),
];

/// A metric's name in such texts.
pub fn metric_code(metric: Metric) -> &'static str {
    NAMES.iter().find(|(_, m)| *m == metric).map_or(metric.code(), |(name, _)| name)
}

/// Why a text is no limit, and what would be one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SloError {
    /// No relation in it.
    #[error("“{0}” has no limit: write a metric, one of < <= > >=, and a value, such as first_visible<800ms")]
    NoRelation(String),
    /// Not a metric.
    #[error("there is no metric “{name}”; there are {}", names())]
    Metric {
        /// As written.
        name: String,
    },
    /// Not a percentile that is shown.
    #[error("there is no percentile “{0}”; there are p50, p90, p95, p99 and p99.9")]
    Percentile(String),
    /// A single metric where a statistic is needed.
    #[error("“{0}” is of one request: say which percentile of it, such as p95({0}), or use error_rate or pass_rate")]
    NotAStatistic(String),
    /// A statistic where a metric of one request is needed.
    #[error("“{0}” is of many requests: a threshold is on a metric of each request, such as first_visible<800ms")]
    NotOfOneRequest(String),
    /// Not a value with a unit that fits.
    #[error("“{text}” is not a limit of {name}: write a number with {units}")]
    Limit {
        /// As written.
        text: String,
        /// The metric.
        name: String,
        /// What may stand behind the number.
        units: &'static str,
    },
}

fn names() -> String {
    NAMES.map(|(name, _)| name).join(", ")
}

fn metric(name: &str) -> Result<Metric, SloError> {
    let by_code = || Metric::ALL.into_iter().find(|m| m.code() == name && *m != Metric::InterChunk);
    let known = NAMES.iter().find(|(known, _)| *known == name).map(|(_, metric)| *metric);
    known.or_else(by_code).ok_or_else(|| SloError::Metric { name: name.to_owned() })
}

/// What stands left of the relation, the relation, and what stands right of it.
fn parts(text: &str) -> Result<(&str, Relation, &str), SloError> {
    let at = text.find(['<', '>', '≤', '≥']).ok_or_else(|| SloError::NoRelation(text.trim().to_owned()))?;
    let (left, rest) = text.split_at(at);
    let signs = [
        ("<=", Relation::AtMost),
        ("≤", Relation::AtMost),
        ("<", Relation::Below),
        (">=", Relation::AtLeast),
        ("≥", Relation::AtLeast),
        (">", Relation::Above),
    ];
    let found = signs.into_iter().find_map(|(sign, relation)| Some((relation, rest.strip_prefix(sign)?)));
    let (relation, right) = found.ok_or_else(|| SloError::NoRelation(text.trim().to_owned()))?;
    Ok((left.trim(), relation, right.trim()))
}

/// A decimal number times ten to the power of `digits`, exactly; none if it is finer than that, or no such number.
fn decimal(text: &str, digits: usize) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let fraction = fraction.trim_end_matches('0');
    let all_digits = |s: &str| s.chars().all(|c| c.is_ascii_digit());
    if whole.is_empty() || !all_digits(whole) || !all_digits(fraction) || fraction.len() > digits {
        return None;
    }
    format!("{whole}{fraction:0<digits$}").parse().ok()
}

/// The other way.
pub(crate) fn written(value: i64, digits: u32) -> String {
    let unit = 10i64.pow(digits);
    let fraction = format!("{:0width$}", value % unit, width = digits as usize);
    match fraction.trim_end_matches('0') {
        "" => (value / unit).to_string(),
        fraction => format!("{}.{fraction}", value / unit),
    }
}

/// Reads a limit with one of these units, each with the power of ten that it stands for.
pub(crate) fn limit(text: &str, name: &str, units: &[(&str, usize)], words: &'static str) -> Result<i64, SloError> {
    let number = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(number);
    let digits = units.iter().find(|(known, _)| *known == unit.trim()).map(|(_, digits)| *digits);
    let refused = || SloError::Limit { text: text.to_owned(), name: name.to_owned(), units: words };
    digits.and_then(|digits| decimal(number, digits)).ok_or_else(refused)
}

pub(crate) fn metric_limit(text: &str, metric: Metric) -> Result<i64, SloError> {
    let name = metric_code(metric);
    match metric.unit() {
        Unit::Time => limit(text, name, &[("ms", 3), ("s", 6), ("us", 0), ("µs", 0)], "ms, s or us, not finer than 1 us"),
        Unit::TokenRate => limit(text, name, &[("tokens/s", 3), ("tok/s", 3)], "tokens/s, up to 3 decimals"),
        Unit::Count => limit(text, name, &[("", 3)], "no unit, up to 3 decimals"),
    }
}

pub(crate) fn write_metric_limit(f: &mut fmt::Formatter<'_>, limit: i64, metric: Metric) -> fmt::Result {
    let unit = match metric.unit() {
        Unit::Time => "ms",
        Unit::TokenRate => "tokens/s",
        Unit::Count => "",
    };
    write!(f, "{}{unit}", written(limit, 3))
}

fn percentile(name: &str) -> Result<P, SloError> {
    P::SHOWN.into_iter().find(|p| p.name() == name).ok_or_else(|| SloError::Percentile(name.to_owned()))
}

/// The mode that stands in front, and what stands behind it: `non_streaming p95(first_visible)`.
fn mode(left: &str) -> (Option<Mode>, &str) {
    let named = left.split_once(char::is_whitespace);
    let named = named.and_then(|(word, rest)| Some((Mode::from_code(&word.replace('-', "_"))?, rest.trim_start())));
    named.map_or((None, left), |(mode, rest)| (Some(mode), rest))
}

/// `p95(first_visible)`, `error_rate` or `pass_rate`.
pub(crate) fn subject(text: &str) -> Result<Subject, SloError> {
    match text {
        "error_rate" => return Ok(Subject::ErrorRate),
        "pass_rate" => return Ok(Subject::PassRate),
        _ => {}
    }
    let Some((p, inside)) = text.strip_suffix(')').and_then(|l| l.split_once('(')) else {
        metric(text)?;
        return Err(SloError::NotAStatistic(text.to_owned()));
    };
    Ok(Subject::Percentile(percentile(p.trim())?, metric(inside.trim())?))
}

impl FromStr for Threshold {
    type Err = SloError;

    fn from_str(text: &str) -> Result<Threshold, SloError> {
        let (name, relation, right) = parts(text)?;
        if name.contains('(') || matches!(name, "error_rate" | "pass_rate") {
            return Err(SloError::NotOfOneRequest(name.to_owned()));
        }
        let metric = metric(name)?;
        Ok(Threshold { metric, relation, limit: metric_limit(right, metric)? })
    }
}

impl FromStr for Criterion {
    type Err = SloError;

    fn from_str(text: &str) -> Result<Criterion, SloError> {
        let (left, relation, right) = parts(text)?;
        let (mode, left) = mode(left);
        let rate = |subject| {
            let limit = limit(right, left, &[("%", 4), ("", 6)], "%, or a fraction of 1")?;
            let beyond = SloError::Limit { text: right.to_owned(), name: left.to_owned(), units: "%, up to 100" };
            if limit > 1_000_000 { Err(beyond) } else { Ok(Criterion { mode, subject, relation, limit }) }
        };
        match subject(left)? {
            subject @ Subject::Percentile(_, metric) => {
                Ok(Criterion { mode, subject, relation, limit: metric_limit(right, metric)? })
            }
            subject => rate(subject),
        }
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Relation::Below => "<",
            Relation::AtMost => "<=",
            Relation::Above => ">",
            Relation::AtLeast => ">=",
        })
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", metric_code(self.metric), self.relation)?;
        write_metric_limit(f, self.limit, self.metric)
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Percentile(p, metric) => write!(f, "{}({})", p.name(), metric_code(*metric)),
            Subject::ErrorRate => f.write_str("error_rate"),
            Subject::PassRate => f.write_str("pass_rate"),
        }
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(mode) = self.mode {
            write!(f, "{} ", mode.code())?;
        }
        write!(f, "{}{}", self.subject, self.relation)?;
        match self.subject {
            Subject::Percentile(_, metric) => write_metric_limit(f, self.limit, metric),
            Subject::ErrorRate | Subject::PassRate => write!(f, "{}%", written(self.limit, 4)),
        }
    }
}

impl TryFrom<String> for Threshold {
    type Error = SloError;
    fn try_from(text: String) -> Result<Threshold, SloError> {
        text.parse()
    }
}

impl From<Threshold> for String {
    fn from(threshold: Threshold) -> String {
        threshold.to_string()
    }
}

impl TryFrom<String> for Criterion {
    type Error = SloError;
    fn try_from(text: String) -> Result<Criterion, SloError> {
        text.parse()
    }
}

impl From<Criterion> for String {
    fn from(criterion: Criterion) -> String {
        criterion.to_string()
    }
}
