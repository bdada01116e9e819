//! Everything about one request, as texts: its marks, its spans, its response.

use crate::Micros;
use crate::decode::{Why, dialect};
use crate::format::{count, millis};
use crate::mark::{Absence, Mark};
use crate::paint::{Method, Paint};
use crate::server_report::{Boundary, Source, Span};
use crate::text::{Draw, Lang, Res, absence, fill};
use crate::trace::{Covered, Trace};

/// A mark: its stable name, and its time since `sent` or why it is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkLine {
    /// The stable name.
    pub code: &'static str,
    /// Milliseconds since `sent`, or the reason.
    pub at: Result<String, &'static str>,
}

/// Every mark in the order of the definitions, the two paint marks among them.
pub fn mark_lines(trace: &Trace, step: Micros, lang: Lang) -> Vec<MarkLine> {
    let sent = trace.marks.get(Mark::Sent);
    let since = |at: Result<Micros, Absence>| {
        let both = at.and_then(|at| Ok(at - sent?));
        both.map(|span| millis(span.0, step)).map_err(|why| absence(lang, why))
    };
    let seen = |code, paint: Paint| {
        let bound = |at| since(Ok(at)).unwrap_or_default();
        let at = match paint {
            Err(why) => Err(absence(lang, why)),
            Ok(seen) => Ok(match (seen.value, seen.latest) {
                (Some(value), _) => bound(value),
                (None, Some(latest)) => fill(Res::MarkBounds.get(lang), &[&bound(seen.earliest), &bound(latest)]),
                (None, None) => fill(Res::MarkFrom.get(lang), &[&bound(seen.earliest)]),
            }),
        };
        MarkLine { code, at }
    };
    let mut lines: Vec<MarkLine> =
        Mark::ALL.iter().map(|m| MarkLine { code: m.code(), at: since(trace.marks.get(*m)) }).collect();
    let place = |lines: &[MarkLine], code| lines.iter().position(|l| l.code == code).unwrap_or(lines.len());
    lines.insert(place(&lines, Mark::LastAnswer.code()), seen("first_visible", trace.first_visible));
    lines.insert(place(&lines, Mark::Terminal.code()), seen("complete_visible", trace.complete_visible));
    lines
}

/// Which format was read, and why that one.
fn reader(format: &str, why: &str, lang: Lang) -> String {
    let name = dialect(format).map_or(format, |d| d.name);
    let why = match Why::from_code(why) {
        Some(Why::ContentType) => Res::WhyContentType,
        Some(Why::NoContentType) => Res::WhyNoContentType,
        Some(Why::HtmlPage) => Res::WhyHtmlPage,
        Some(Why::Header) => Res::WhyHeader,
        Some(Why::FirstBytes) => Res::WhyFirstBytes,
        Some(Why::Event) => Res::WhyEvent,
        Some(Why::Chosen) => Res::WhyChosen,
        None => return name.to_owned(),
    };
    format!("{name} ({})", why.get(lang))
}

/// Where a span was read.
pub fn source_name(source: Source, lang: Lang) -> &'static str {
    match source {
        Source::Header => Res::SrcOwnHeader,
        Source::ServerTimingHeader => Res::SrcHeader,
        Source::ServerTimingEntry => Res::SrcEntry,
        Source::Trailer => Res::SrcTrailer,
        Source::BodyField => Res::SrcBody,
        Source::UsageEvent => Res::SrcUsage,
    }
    .get(lang)
}

/// What a span covers.
pub fn boundary_name(boundary: Boundary, lang: Lang) -> &'static str {
    match boundary {
        Boundary::ToHeaders => Res::BoundToHeaders,
        Boundary::Queue => Res::BoundQueue,
        Boundary::Preprocessing => Res::BoundPre,
        Boundary::Prefill => Res::BoundPrefill,
        Boundary::TimeToFirstToken => Res::BoundTtft,
        Boundary::Decode => Res::BoundDecode,
        Boundary::PrefillDecode => Res::BoundPrefillDecode,
        Boundary::Total => Res::BoundTotal,
        Boundary::Component => Res::BoundComponent,
        Boundary::Forwarder => Res::BoundForwarder,
    }
    .get(lang)
}

/// A span's value as sent, with its unit.
pub fn span_value(span: &Span) -> String {
    format!("{} {}", span.raw, span.unit.code())
}

/// What is known of the response: label and value.
pub fn facts(trace: &Trace, lang: Lang) -> Vec<(&'static str, String)> {
    let network = trace.network.as_ref().ok();
    let response = trace.response.as_ref();
    let number = |n: Option<u64>| n.map_or_else(|| Res::ShortNone.get(lang).to_owned(), |n| count(n as usize));
    let chars = &trace.amounts;
    let method = trace.first_visible.or(trace.complete_visible).ok().map(|seen| match seen.method {
        Method::ElementTiming => Res::PaintElement,
        Method::FrameCallbacks => Res::PaintFrames,
    });
    let connection = network.and_then(|n| n.cold_connection()).map(|cold| if cold { Res::FactNew } else { Res::FactReused });
    let tokens = trace.usage.map(|u| [u.input, u.output, u.reasoning].map(number));
    let characters = [chars.answer_chars, chars.reasoning_chars, chars.tool_chars].map(|n| count(n as usize));
    let reads = [count(trace.reads.len()), count(trace.output_reads().count())];
    let filled = |key: Res, values: &[String]| fill(key.get(lang), &values.iter().map(String::as_str).collect::<Vec<_>>());
    [
        (Res::FactStatus, response.map(|r| r.status.to_string())),
        (Res::FactType, response.and_then(|r| r.content_type.clone())),
        (Res::FactReader, trace.dialect.map(|(format, why)| reader(format, why, lang))),
        (Res::FactEncoding, response.and_then(|r| r.content_encoding.clone())),
        (Res::FactRetry, response.and_then(|r| r.retry_after.clone())),
        (Res::FactProtocol, network.and_then(|n| n.protocol.clone()).filter(|p| !p.is_empty())),
        (Res::FactConnection, connection.map(|key| key.get(lang).to_owned())),
        (
            Res::FactCovered,
            trace.first_visible.is_ok().then(|| {
                match trace.flags.covered {
                    Covered::Yes => Res::FactCoveredYes,
                    Covered::No => Res::FactCoveredNo,
                    Covered::Unknown => Res::FactCoveredUnknown,
                }
                .get(lang)
                .to_owned()
            }),
        ),
        (Res::FactPaint, method.map(|key| key.get(lang).to_owned())),
        (Res::FactTokens, tokens.map(|t| filled(Res::FactTokensOf, &t))),
        (Res::FactChars, response.map(|_| filled(Res::FactCharsOf, &characters))),
        (Res::FactReads, response.map(|_| filled(Res::FactReadsOf, &reads))),
    ]
    .into_iter()
    .filter_map(|(label, value)| Some((label.get(lang), value?)))
    .chain(trace.flags.long_frames.as_ref().map(|frames| (Draw::FactFrames.get(lang), long_frames(frames, lang))))
    .collect()
}

/// How many frames were long, and how long the longest was.
fn long_frames(frames: &[Micros], lang: Lang) -> String {
    let whole_ms = |longest: &Micros| millis(longest.0, Micros::ms(1));
    match frames.iter().max() {
        Some(longest) => fill(Draw::FactFramesOf.get(lang), &[&count(frames.len()), &whole_ms(longest)]),
        None => Draw::FactFramesNone.get(lang).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::Seen;
    use crate::summary::fixture::trace;

    #[test]
    fn marks_are_times_since_sent_or_reasons_and_paint_stands_among_them() {
        let mut trace = trace(0, 100);
        let at = Micros::ms(1110);
        trace.first_visible =
            Ok(Seen { method: Method::FrameCallbacks, earliest: at, latest: Some(at + Micros::ms(30)), value: None });
        let lines = mark_lines(&trace, Micros(5), Lang::En);
        let of = |code: &str| lines.iter().find(|l| l.code == code).expect("a line").at.clone();
        assert_eq!(of("sent"), Ok("0.00".into()));
        assert_eq!(of("first_answer"), Ok("100".into()));
        assert_eq!(of("first_visible"), Ok("110 to 140".into()));
        assert_eq!(of("terminal"), Err(absence(Lang::En, Absence::NotReached)));
        let codes: Vec<_> = lines.iter().map(|l| l.code).collect();
        assert_eq!(codes.len(), Mark::ALL.len() + 2);
        assert!(codes.windows(2).any(|w| w == ["first_useful", "first_visible"]));
        assert!(codes.windows(2).any(|w| w == ["complete_visible", "terminal"]));
    }

    #[test]
    fn long_frames_are_counted_where_somebody_looked() {
        let mut trace = trace(0, 100);
        trace.flags.long_frames = Some(vec![Micros::ms(60), Micros(180_400), Micros::ms(50)]);
        let fact = ("Frames over 50 ms", "3, the longest 180 ms".to_owned());
        assert!(facts(&trace, Lang::En).contains(&fact), "{:?}", facts(&trace, Lang::En));
        trace.flags.long_frames = Some(Vec::new());
        assert!(facts(&trace, Lang::En).contains(&("Frames over 50 ms", "none while the answer came".to_owned())));
    }

    #[test]
    fn facts_leave_out_what_is_not_known() {
        assert!(facts(&trace(0, 1), Lang::En).is_empty());
    }
}
