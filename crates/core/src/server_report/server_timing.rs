//! The `Server-Timing` header: its full grammar, with a missing duration kept apart from 0.

use super::{Boundary, FORWARDER, Source, Span, Unit, duration_from_ms};

/// One metric of the header.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The metric's name.
    pub name: String,
    /// `dur` as sent; none if missing or not a number.
    pub duration: Option<(f64, String)>,
    /// `desc`.
    pub description: Option<String>,
}

/// Parses a header value; several header lines are joined by commas. What can't be read is left out, as browsers do.
pub fn parse_server_timing(header: &str) -> Vec<Entry> {
    let mut rest = Scanner { text: header };
    let mut entries = Vec::new();
    while !rest.text.is_empty() {
        rest.skip_space();
        let name = rest.token();
        let mut entry = Entry { name: name.to_owned(), duration: None, description: None };
        let (mut dur_seen, mut desc_seen) = (false, false);
        loop {
            rest.until(&[';', ',']);
            if !rest.eat(';') {
                break;
            }
            rest.skip_space();
            let parameter = rest.token().to_ascii_lowercase();
            rest.skip_space();
            if !rest.eat('=') {
                continue;
            }
            rest.skip_space();
            let value = rest.value();
            // The first of a repeated parameter counts.
            match parameter.as_str() {
                "dur" if !dur_seen => {
                    dur_seen = true;
                    entry.duration = firstlight_json::number(value.trim()).map(|ms| (ms, value));
                }
                "desc" if !desc_seen => {
                    desc_seen = true;
                    entry.description = Some(value);
                }
                _ => {}
            }
        }
        rest.eat(',');
        if !entry.name.is_empty() {
            entries.push(entry);
        }
    }
    entries
}

/// Spans of a header. A header of a streamed reply left before the answer was made: its values are times *to the headers*.
pub fn spans_from_header(header: &str, streamed: bool) -> Vec<Span> {
    spans_from_entries(parse_server_timing(header), streamed, Source::ServerTimingHeader)
}

/// Spans of parsed metrics; those without a duration are no spans.
pub fn spans_from_entries(entries: Vec<Entry>, streamed: bool, source: Source) -> Vec<Span> {
    entries
        .into_iter()
        .filter_map(|e| {
            let (ms, raw) = e.duration?;
            let boundary = match e.name.to_ascii_lowercase().as_str() {
                _ if e.description.as_ref().is_some_and(|d| d.starts_with(FORWARDER)) => Boundary::Forwarder,
                _ if streamed => Boundary::ToHeaders,
                "total" => Boundary::Total,
                "queue" => Boundary::Queue,
                _ => Boundary::Component,
            };
            Some(Span {
                name: e.name,
                description: e.description,
                raw,
                unit: Unit::Ms,
                value: duration_from_ms(ms)?,
                source,
                boundary,
                before_end: source == Source::ServerTimingHeader,
            })
        })
        .collect()
}

/// A cursor over the header's text.
struct Scanner<'a> {
    text: &'a str,
}

impl<'a> Scanner<'a> {
    fn skip_space(&mut self) {
        self.text = self.text.trim_start_matches([' ', '\t']);
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.text.strip_prefix(wanted);
        self.text = found.unwrap_or(self.text);
        found.is_some()
    }

    fn until(&mut self, stops: &[char]) {
        self.text = self.text.find(stops).map_or("", |at| &self.text[at..]);
    }

    fn token(&mut self) -> &'a str {
        let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
        let end = self.text.find(|c| !is_token(c)).unwrap_or(self.text.len());
        let (token, rest) = self.text.split_at(end);
        self.text = rest;
        token
    }

    fn value(&mut self) -> String {
        if !self.eat('"') {
            return self.token().to_owned();
        }
        let mut value = String::new();
        let mut chars = self.text.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.text = &self.text[at + 1..];
                    return value;
                }
                '\\' => value.extend(chars.next().map(|(_, escaped)| escaped)),
                c => value.push(c),
            }
        }
        self.text = "";
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Micros;

    fn check(header: &str, want: &[(&str, Option<f64>, Option<&str>)]) {
        let got: Vec<_> =
            parse_server_timing(header).into_iter().map(|e| (e.name, e.duration.map(|d| d.0), e.description)).collect();
        let want: Vec<_> = want.iter().map(|w| (w.0.to_owned(), w.1, w.2.map(str::to_owned))).collect();
        assert_eq!(got, want, "{header}");
    }

    #[test]
    fn the_grammar() {
        check("db;dur=53", &[("db", Some(53.0), None)]);
        check("a;dur=\"3.5\"", &[("a", Some(3.5), None)]);
        check("a;dur=1e2, b", &[("a", Some(100.0), None), ("b", None, None)]);
        check("a;dur=;desc=x", &[("a", None, Some("x"))]);
        check("a;dur=fast", &[("a", None, None)]);
        check("a;DUR=4;dur=5", &[("a", Some(4.0), None)]);
        check("a ; desc = \"x, y; z\" ; dur = 7", &[("a", Some(7.0), Some("x, y; z"))]);
        check("a;desc=no quote;dur=7", &[("a", Some(7.0), Some("no"))]);
        check("a;desc=\"open;dur=7, b;dur=1", &[("a", None, Some("open;dur=7, b;dur=1"))]);
        check("a;desc=\"q\\\"q\"", &[("a", None, Some("q\"q"))]);
        check("a;dur=1, a;dur=2", &[("a", Some(1.0), None), ("a", Some(2.0), None)]);
        check("", &[]);
        check(",,;dur=3,x", &[("x", None, None)]);
    }

    #[test]
    fn what_the_forwarder_measured_is_no_report_of_the_server() {
        let header = "model;dur=5, upstream;dur=9;desc=\"firstlight forwarder: request sent to headers\"";
        for streamed in [true, false] {
            assert_eq!(spans_from_header(header, streamed)[1].boundary, Boundary::Forwarder);
        }
        assert_eq!(spans_from_header(header, false)[0].boundary, Boundary::Component);
    }

    #[test]
    fn a_missing_or_impossible_duration_is_no_span_and_not_zero() {
        assert!(spans_from_header("a, b;dur=-1, c;dur=NaN, d;dur=inf", true).is_empty());
        assert_eq!(spans_from_header("z;dur=0", true)[0].value, Micros::ZERO);
    }

    #[test]
    fn the_header_of_a_stream_reaches_to_the_headers_only() {
        assert_eq!(spans_from_header("total;dur=5", true)[0].boundary, Boundary::ToHeaders);
        assert_eq!(spans_from_header("total;dur=5", false)[0].boundary, Boundary::Total);
        assert_eq!(spans_from_header("model;dur=5", false)[0].boundary, Boundary::Component);
    }
}
