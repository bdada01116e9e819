//! Decoding as a whole: what every dialect says, and that no split changes any of it.

mod fixtures;

use std::fmt::Write as _;

use super::whole::whole as decode;
use super::*;
use crate::Micros;
use fixtures::{Fixture, aws};

fn typed(content_type: &str) -> Head<'_> {
    Head { content_type: Some(content_type), headers: &[] }
}

fn sse(body: &str) -> Vec<Event> {
    decode(&Choice::default(), &typed("text/event-stream"), &[body.as_bytes()]).0.events
}

fn answer(text: &str) -> Event {
    Event::Output { channel: Channel::Answer, choice: 0, text: text.into() }
}

/// Events as one line that a person can compare.
fn said(events: &[Event]) -> String {
    let mut line = String::new();
    let count = |n: Option<u64>| n.map_or("-".to_owned(), |n| n.to_string());
    for event in events {
        // Writing to a String does not fail.
        let _ = match event {
            Event::Output { channel, text, choice } => {
                let of = if *choice == 0 { String::new() } else { format!(" #{choice}") };
                write!(line, " | {}{of} {text}", format!("{channel:?}").to_lowercase())
            }
            Event::Withdraw => write!(line, " | withdraw"),
            Event::Usage(u) => {
                write!(line, " | usage {}/{}/{}/{}", count(u.input), count(u.output), count(u.reasoning), count(u.cached))
            }
            Event::Spans(spans) => spans.iter().try_for_each(|s| {
                let millis = s.value.0 % 1000 == 0 && s.raw.len() > 6;
                let value = if millis { format!("{} ms", s.value.0 / 1000) } else { format!("{} {}", s.raw, s.unit.code()) };
                write!(line, " | span {} {value} {}", s.name, s.boundary.code())
            }),
            Event::Error(words) => write!(line, " | error {words}"),
            Event::Abort(words) => write!(line, " | abort {words}"),
            Event::Finish(reason) => write!(line, " | finish {reason}"),
            Event::End => write!(line, " | end"),
            Event::Prediction => write!(line, " | prediction"),
            Event::Items(n) => write!(line, " | items {n}"),
            Event::Stages(stages) => write!(line, " | stages of {}", stages.clock),
            Event::Note(code, detail) => write!(line, " | note {code} {detail}"),
        };
    }
    line
}

fn check(fixture: &Fixture, pieces: &[&[u8]], how: &str) -> Decoded {
    let headers: Vec<(String, String)> = fixture.header.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    let content_type = (!fixture.content_type.is_empty()).then_some(fixture.content_type);
    let (decoded, dialect, why) = decode(&Choice::default(), &Head { content_type, headers: &headers }, pieces);
    assert_eq!(format!("{dialect} {why}{}", said(&decoded.events)), fixture.says, "{how}");
    decoded
}

#[test]
fn every_dialect_is_recognised_and_understood() {
    for fixture in fixtures::all() {
        check(&fixture, &[&fixture.body], "whole");
    }
    let seen: Vec<String> = fixtures::all().iter().filter_map(|f| f.says.split(' ').next().map(str::to_owned)).collect();
    for dialect in DIALECTS {
        // JSON lines without a pointer say nothing.
        assert!(dialect.code == "ndjson" || seen.contains(&dialect.code.to_owned()), "{} has no fixture", dialect.code);
    }
}

/// Every fixture, split at every byte position, and into single bytes.
#[test]
fn any_split_gives_the_same_events() {
    for fixture in fixtures::all() {
        let bytes = fixture.body.as_slice();
        let whole = check(&fixture, &[bytes], "whole");
        for at in 0..=bytes.len() {
            assert_eq!(check(&fixture, &[&bytes[..at], &bytes[at..]], &format!("split at {at}")), whole);
        }
        let singles: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(check(&fixture, &singles, "byte by byte"), whole);
    }
}

/// A read that ends with an event's last byte gives that event, and no byte earlier does.
#[test]
fn an_event_comes_with_the_read_that_completes_it() {
    let completes = |content_type: &str, first: &[u8], rest: &[u8]| {
        let mut decoder = Decoder::new(&Choice::default(), &typed(content_type));
        let (most, last) = first.split_at(first.len() - 1);
        assert_eq!(decoder.push(most).events, [], "{content_type}");
        assert_eq!(decoder.push(last).bearing, 1, "{content_type}");
        decoder.push(rest);
    };
    let token = b"data: {\"choices\":[{\"delta\":{\"content\":\"A\"}}]}\n\n";
    completes("text/event-stream", token, token);
    // Values are complete with their last byte; the line end may come later.
    completes("application/x-ndjson", b"{\"model\":\"m\",\"response\":\"A\",\"done\":false}", b"\n");
    completes("application/json", b"[{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"A\"}]}}]}", b",");
    let message = aws(&[(":event-type", "contentBlockDelta"), (":message-type", "event")], r#"{"delta":{"text":"A"}}"#);
    completes("application/vnd.amazon.eventstream", &message, &message);
    completes("text/plain", b"dA", b"");
}

#[test]
fn channels_of_chat_completions() {
    let both = sse("data: {\"choices\":[{\"delta\":{\"reasoning\":\"hm\",\"content\":\"A\"}}]}\n\n");
    assert_eq!(said(&both), " | reasoning hm | answer A");
    assert_eq!(sse("data: {\"choices\":[{\"delta\":{\"refusal\":\"No.\"}}]}\n\n"), [answer("No.")]);
    let legacy = sse("data: {\"choices\":[{\"delta\":{\"function_call\":{\"name\":\"f\",\"arguments\":\"{\"}}}]}\n\n");
    assert_eq!(said(&legacy), " | tool f{");
    let object = sse("data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"arguments\":{\"a\":1}}}]}}]}\n\n");
    assert_eq!(said(&object), " | tool {\"a\":1}");
}

#[test]
fn spans_of_the_worked_example() {
    let usage = sse(
        "data: {\"choices\":[],\"usage\":{\"completion_tokens\":20},\"server_timing\":[{\"name\":\"model\",\"dur\":720}]}\n\n",
    );
    assert!(matches!(&usage[1], Event::Spans(s) if s[0].value == Micros::ms(720)), "{usage:?}");
}

#[test]
fn comments_are_keep_alive_and_a_missing_blank_line_is_noted() {
    let sse_head = typed("text/event-stream");
    let kept = decode(&Choice::default(), &sse_head, &[b": ping\n\n:\n\ndata: :x\n\n"]).0;
    assert_eq!((kept.comments, kept.bearing), (2, 0));
    let open = sse("data: {\"choices\":[{\"delta\":{\"content\":\"A\"}}]}");
    assert_eq!(open, [answer("A"), Event::Note("unterminated_event", String::new())]);
}

#[test]
fn an_event_over_the_limit_ends_the_request_and_is_not_memory() {
    for (content_type, begin) in [
        ("text/event-stream", &b"data: "[..]),
        ("application/x-ndjson", b"\""),
        ("application/json", b"\""),
        ("application/vnd.amazon.eventstream", &{
            let mut head = [0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0].to_vec();
            head.extend_from_slice(&crc32fast::hash(&head).to_be_bytes());
            head
        }),
    ] {
        let mut decoder = Decoder::new(&Choice::default(), &typed(content_type));
        let mut events = decoder.push(begin).events;
        for _ in 0..20 {
            events.extend(decoder.push(&vec![b'x'; 1 << 20]).events);
        }
        events.extend(decoder.end().events);
        assert_eq!(events, [Event::Abort("one event is larger than 16 MiB".into())], "{content_type}");
    }
}

#[test]
fn a_damaged_binary_message_is_said() {
    let mut bytes = aws(&[(":event-type", "messageStop")], "{\"stopReason\":\"x\"}");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    let head = typed("application/vnd.amazon.eventstream");
    assert_eq!(said(&decode(&Choice::default(), &head, &[&bytes]).0.events), " | abort the CRC of a message does not fit");
    bytes[0] ^= 1;
    let events = decode(&Choice::default(), &head, &[&bytes]).0.events;
    assert_eq!(said(&events), " | abort the CRC of a message's length does not fit");
    let cut = aws(&[(":event-type", "messageStop")], "{}");
    let events = decode(&Choice::default(), &head, &[&cut[..cut.len() - 2]]).0.events;
    assert_eq!(said(&events), " | note unreadable_event a message that was cut");
}

#[test]
fn a_pointer_finds_the_text_of_what_is_not_known() {
    let choice = |text: &str| Choice { text: Some(text.into()), ..Choice::default() };
    let body = b"data: {\"out\":[{\"t\":\"Hi\"}]}\n\ndata: {\"out\":[{\"t\":\" you\"}],\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\ndata: {\"n\":1}\n\ndata: [DONE]\n\n";
    let (got, dialect, _) = decode(&choice("/out/0/t"), &typed("text/event-stream"), &[body]);
    assert_eq!((said(&got.events).as_str(), dialect), (" | answer Hi you | end", "sse"));
    let whole = decode(&choice(""), &typed("text/event-stream"), &[b"data: Hi\n\ndata: \"you\"\n\n"]).0;
    assert_eq!(said(&whole.events), " | answer Hiyou");
    let (lines, dialect, _) = decode(&choice("/t"), &typed("application/x-ndjson"), &[b"{\"t\":\"a\"}\n{\"t\":\"b\"}\n"]);
    assert_eq!((said(&lines.events).as_str(), dialect), (" | answer ab", "ndjson"));
    let body = Choice { items: Some("/r".into()), ..choice("/r/0/label") };
    let one = decode(&body, &typed("application/json"), &[b"{\"r\":[{\"label\":\"cat\"},{\"label\":\"dog\"}]}"]).0;
    assert_eq!(said(&one.events), " | prediction | answer cat | items 2");
    let none = sse("data: {\"foo\":\"bar\"}\n\n");
    assert_eq!(said(&none), " | note no_text_found {\"foo\":\"bar\"}");
}

#[test]
fn a_chosen_format_is_taken_whatever_the_head_says() {
    let choice = |code: &str| Choice { dialect: dialect(code), ..Choice::default() };
    let line = b"{\"model\":\"m\",\"response\":\"Hi\",\"done\":false}\n{\"model\":\"m\",\"response\":\"\",\"done\":true}\n";
    for content_type in ["text/plain", "application/json", "application/octet-stream"] {
        let (got, taken, why) = decode(&choice("ollama"), &typed(content_type), &[line]);
        assert_eq!((said(&got.events).as_str(), taken, why), (" | answer Hi | end", "ollama", "chosen"), "{content_type}");
    }
    let event = b"data: {\"choices\":[{\"delta\":{\"content\":\"A\"}}]}\n\n";
    assert_eq!(said(&decode(&choice("openai_chat"), &typed("text/plain"), &[event]).0.events), " | answer A");
    assert_eq!(said(&decode(&choice("plain_text"), &typed("text/html"), &[b"<b>"]).0.events), " | answer <b>");
    let ndjson = Choice { text: Some("/t".into()), ..choice("ndjson") };
    assert_eq!(said(&decode(&ndjson, &typed("application/json"), &[b"{\"t\":\"a\"}\n{\"t\":\"b\"}"]).0.events), " | answer ab");
}

#[test]
fn text_is_held_back_only_while_it_may_be_events() {
    let mut decoder = Decoder::new(&Choice::default(), &typed("text/plain"));
    assert_eq!(decoder.push(b"Id").events, [answer("Id")]);
    let mut decoder = Decoder::new(&Choice::default(), &typed("text/plain"));
    assert_eq!(decoder.push(b"da").events, []);
    assert_eq!(decoder.push(b"y").events, [answer("day")]);
    let mut decoder = Decoder::new(&Choice::default(), &typed("text/plain"));
    decoder.push(b"da");
    assert_eq!(decoder.end().events, [answer("da")]);
}

fn mapped() -> Choice {
    let spans = vec![crate::config::mapping("/stats/wait = queue s queue").expect("mapping")];
    Choice { spans, ..Choice::default() }
}

#[test]
fn text_that_looks_like_json_is_text() {
    for text in ["{}", "{\"type\":\"ping\"}", "{\"error\":\"x\"}", "{\"stats\":{\"wait\":0.5}}"] {
        let alone = decode(&mapped(), &typed("text/plain"), &[b"a", text.as_bytes(), b"z"]).0;
        assert_eq!(alone.events, [answer(&format!("a{text}z"))]);
    }
}

#[test]
fn mapped_fields_are_spans() {
    let choice = mapped();
    let body = b"data: {\"choices\":[],\"stats\":{\"wait\":0.5}}\n\n";
    assert_eq!(said(&decode(&choice, &typed("text/event-stream"), &[body]).0.events), " | span queue 0.5 s queue");
}

mod properties {
    use super::*;
    use proptest::prelude::*;

    fn piece() -> impl Strategy<Value = String> {
        prop_oneof![
            "[a-z가-힣 👋]{0,6}".prop_map(|t| format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{t}\"}}}}]}}")),
            "[a-z<>/think]{0,9}".prop_map(|t| format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{t}\"}}}}]}}")),
            "[a-z{}\\[\\]\\\\\"]{0,6}".prop_map(|t| format!("{{\"model\":\"m\",\"response\":\"{t}\",\"done\":false}}")),
            Just("data: [DONE]".to_owned()),
            Just(": ping".to_owned()),
            Just("event: error".to_owned()),
            Just("data".to_owned()),
            Just("0:\"x\"".to_owned()),
            Just("id: 3".to_owned()),
            Just("[".to_owned()),
            Just("]".to_owned()),
            Just(String::new()),
            "\\PC{0,12}".prop_map(|t| format!("data: {t}")),
        ]
    }

    fn stream() -> impl Strategy<Value = Vec<u8>> {
        let line = (
            piece(),
            prop_oneof![Just("\n"), Just("\r\n"), Just("\r"), Just("\n\n"), Just("\r\n\r\n"), Just("\r\r"), Just(",")],
        );
        (any::<bool>(), prop::collection::vec(line, 0..12)).prop_map(|(bom, lines)| {
            let mut text = if bom { "\u{feff}".to_owned() } else { String::new() };
            lines.into_iter().for_each(|(l, end)| text.extend([l.as_str(), end]));
            text.into_bytes()
        })
    }

    fn content_type() -> impl Strategy<Value = &'static str> {
        prop_oneof![
            Just("text/event-stream"),
            Just("application/x-ndjson"),
            Just("application/json"),
            Just("text/plain"),
            Just("application/vnd.amazon.eventstream"),
            Just("text/html"),
        ]
    }

    fn choice() -> impl Strategy<Value = Choice> {
        (prop::option::of(0..DIALECTS.len()), any::<bool>(), prop::option::of(Just("/response".to_owned()))).prop_map(
            |(n, split_think, text)| Choice { dialect: n.map(|n| DIALECTS[n]), split_think, text, ..Choice::default() },
        )
    }

    fn pieces<'a>(bytes: &'a [u8], cuts: &[prop::sample::Index]) -> Vec<&'a [u8]> {
        let mut at: Vec<usize> = cuts.iter().map(|i| i.index(bytes.len() + 1)).collect();
        at.extend([0, bytes.len()]);
        at.sort_unstable();
        at.windows(2).map(|w| &bytes[w[0]..w[1]]).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]

        #[test]
        fn no_split_of_a_generated_stream_changes_its_events(
            bytes in stream(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8), content_type in content_type(), choice in choice(),
        ) {
            let head = typed(content_type);
            // Over events that are text themselves, where a character was cut in two is no fact either.
            prop_assert_eq!(decode(&choice, &head, &pieces(&bytes, &cuts)), decode(&choice, &head, &[&bytes]));
        }

        #[test]
        fn no_split_of_any_dialect_changes_its_events(
            n in 0..fixtures::all().len(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
        ) {
            let fixture = &fixtures::all()[n];
            check(fixture, &pieces(&fixture.body, &cuts), "cuts");
        }

        #[test]
        fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), content_type in content_type(), choice in choice()) {
            decode(&choice, &typed(content_type), &[&bytes]);
        }
    }
}
