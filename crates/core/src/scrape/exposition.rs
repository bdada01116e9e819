//! Which samples does a metrics page hold? The text formats of Prometheus (0.0.4, and quoted names as of 1.0.0) and
//! OpenMetrics, read strictly and without ever failing: what is not understood is left out and noted.
//!
//! Formats: <https://prometheus.io/docs/instrumenting/exposition_formats/> and
//! <https://prometheus.io/docs/specs/om/open_metrics_spec/>.

use std::borrow::Cow;

/// Notes that are kept; all are counted.
const KEPT_NOTES: usize = 20;

/// What a family says that it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Only grows, but for restarts.
    Counter,
    /// Goes up and down.
    Gauge,
    /// Cumulative buckets.
    Histogram,
    /// Quantiles over a window that the server chose.
    Summary,
    /// None of these, or not said.
    Other,
}

/// One sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample<'a> {
    /// Its name, with any `_bucket`, `_sum`, `_count` or `_total`.
    pub name: Cow<'a, str>,
    /// Its labels, in the page's order.
    pub labels: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    /// Its value; may be infinite or not a number.
    pub value: f64,
    /// When it was taken by the server's clock, in ms since 1970; most servers leave it out.
    pub timestamp_ms: Option<i64>,
}

impl Sample<'_> {
    /// The value of a label.
    pub fn label(&self, name: &str) -> Option<&str> {
        self.labels.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_ref())
    }
}

/// What is wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// It does not begin with a name.
    Name,
    /// Its labels are not of the form `{name="value",…}`.
    Labels,
    /// Its value is not a number.
    Value,
    /// What follows the value is not a time.
    Timestamp,
    /// It stands after the end that OpenMetrics marks.
    AfterEnd,
    /// The page ends inside it: the number may be cut, so it does not count.
    CutOff,
}

/// A page, read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exposition<'a> {
    /// The samples that were wanted, in the page's order.
    pub samples: Vec<Sample<'a>>,
    /// Families and what they say that they are.
    pub kinds: Vec<(&'a str, Kind)>,
    /// Lines that were not understood, from 1, and why: the first twenty.
    pub notes: Vec<(usize, Wrong)>,
    /// How many lines were not understood.
    pub not_understood: usize,
}

impl Exposition<'_> {
    /// What a family says that it is; none if it does not.
    pub fn kind(&self, family: &str) -> Option<Kind> {
        self.kinds.iter().find(|(name, _)| *name == family).map(|(_, kind)| *kind)
    }
}

/// Reads a page, and of it only the samples whose name is wanted: pages hold thousands, of which a dozen are of use.
pub fn parse<'a>(text: &'a str, wanted: impl Fn(&str) -> bool) -> Exposition<'a> {
    let mut page = Exposition::default();
    let mut ended = false;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (at, line) in text.split_inclusive('\n').enumerate() {
        let whole = line.ends_with('\n');
        let line = line.trim_matches(|c: char| c.is_ascii_whitespace());
        let wrong = match line.strip_prefix('#') {
            _ if line.is_empty() => None,
            _ if ended => Some(Wrong::AfterEnd),
            // The one line that need not be ended by a line feed.
            Some(comment) if comment.trim() == "EOF" => {
                ended = true;
                None
            }
            Some(comment) => {
                page.kinds.extend(kind_of(comment).filter(|_| whole));
                None
            }
            None if !whole => Some(Wrong::CutOff),
            None => match sample(line, &wanted) {
                Ok(sample) => {
                    page.samples.extend(sample);
                    None
                }
                Err(wrong) => Some(wrong),
            },
        };
        if let Some(wrong) = wrong {
            page.not_understood += 1;
            if page.notes.len() < KEPT_NOTES {
                page.notes.push((at + 1, wrong));
            }
        }
    }
    if ended {
        // OpenMetrics tells times in seconds. Where one is no number of ms any more, it is none.
        for sample in &mut page.samples {
            sample.timestamp_ms = sample.timestamp_ms.and_then(|ms| ms.checked_mul(1000));
        }
    }
    page
}

/// `TYPE name kind`.
fn kind_of(comment: &str) -> Option<(&str, Kind)> {
    let mut words = comment.split_ascii_whitespace();
    let (Some("TYPE"), Some(name), Some(kind)) = (words.next(), words.next(), words.next()) else { return None };
    let kind = match kind {
        "counter" => Kind::Counter,
        "gauge" => Kind::Gauge,
        "histogram" => Kind::Histogram,
        "summary" => Kind::Summary,
        _ => Kind::Other,
    };
    Some((name.trim_matches('"'), kind))
}

/// One line; none if its name is not wanted, and then its rest is not looked at.
fn sample<'a>(line: &'a str, wanted: impl Fn(&str) -> bool) -> Result<Option<Sample<'a>>, Wrong> {
    let end = line.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == ':')).unwrap_or(line.len());
    let (plain, rest) = line.split_at(end);
    if plain.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(Wrong::Name);
    }
    if !plain.is_empty() && !wanted(plain) {
        return Ok(None);
    }
    let rest = rest.trim_ascii_start();
    let (quoted, labels, rest) = match rest.strip_prefix('{') {
        Some(inside) => labels(inside)?,
        None => (None, Vec::new(), rest),
    };
    let name = match (plain, quoted) {
        ("", Some(name)) if !name.is_empty() => name,
        (plain, None) if !plain.is_empty() => Cow::Borrowed(plain),
        _ => return Err(Wrong::Name),
    };
    if plain.is_empty() && !wanted(&name) {
        return Ok(None);
    }
    // What follows a `#` is an exemplar: one request picked out by the server.
    let mut words = rest.split('#').next().unwrap_or_default().split_ascii_whitespace();
    let value = words.next().and_then(number).ok_or(Wrong::Value)?;
    let timestamp_ms = match words.next().map(|word| number(word).filter(|at| at.is_finite())) {
        Some(None) => return Err(Wrong::Timestamp),
        at => at.flatten().map(|at| at.trunc() as i64),
    };
    match words.next() {
        Some(_) => Err(Wrong::Timestamp),
        None => Ok(Some(Sample { name, labels, value, timestamp_ms })),
    }
}

/// As Go reads it, but for digits in other bases: `1`, `+1.5e-3`, `NaN`, `+Inf`.
fn number(text: &str) -> Option<f64> {
    firstlight_json::number(text)
}

/// A quoted name, labels, and what follows the brace.
type Labels<'a> = (Option<Cow<'a, str>>, Vec<(Cow<'a, str>, Cow<'a, str>)>, &'a str);

/// What stands behind an opening brace.
fn labels(mut rest: &str) -> Result<Labels<'_>, Wrong> {
    let (mut quoted, mut labels) = (None, Vec::new());
    loop {
        rest = rest.trim_ascii_start();
        if let Some(after) = rest.strip_prefix('}') {
            return Ok((quoted, labels, after));
        }
        let (name, is_quoted);
        (name, is_quoted, rest) = match rest.strip_prefix('"') {
            Some(text) => text_until_quote(text).map(|(name, rest)| (name, true, rest))?,
            None => {
                let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).ok_or(Wrong::Labels)?;
                (Cow::Borrowed(&rest[..end]), false, &rest[end..])
            }
        };
        rest = rest.trim_ascii_start();
        match rest.strip_prefix('=') {
            Some(after) if !name.is_empty() => {
                let text = after.trim_ascii_start().strip_prefix('"').ok_or(Wrong::Labels)?;
                let value;
                (value, rest) = text_until_quote(text)?;
                labels.push((name, value));
            }
            // A name with characters that only quotes may hold stands first, inside the braces.
            None if is_quoted && quoted.is_none() && labels.is_empty() => quoted = Some(name),
            _ => return Err(Wrong::Labels),
        }
        rest = rest.trim_ascii_start();
        match rest.strip_prefix(',') {
            Some(after) => rest = after,
            None if rest.starts_with('}') => {}
            None => return Err(Wrong::Labels),
        }
    }
}

/// Text up to the quote that ends it, with `\\`, `\"` and `\n` resolved; another escape stays as it is.
fn text_until_quote(text: &str) -> Result<(Cow<'_, str>, &str), Wrong> {
    let mut resolved: Option<String> = None;
    let mut from = 0;
    loop {
        let at = from + text[from..].find(['"', '\\']).ok_or(Wrong::Labels)?;
        if text[at..].starts_with('"') {
            let rest = &text[at + 1..];
            return Ok(match resolved {
                Some(before) => (Cow::Owned(before + &text[from..at]), rest),
                None => (Cow::Borrowed(&text[..at]), rest),
            });
        }
        let escaped = text[at + 1..].chars().next().ok_or(Wrong::Labels)?;
        let so_far = resolved.get_or_insert_with(String::new);
        so_far.push_str(&text[from..at]);
        match escaped {
            'n' => so_far.push('\n'),
            '\\' | '"' => so_far.push(escaped),
            other => so_far.extend(['\\', other]),
        }
        from = at + 1 + escaped.len_utf8();
    }
}

#[cfg(test)]
#[path = "exposition_tests.rs"]
mod tests;
