//! Decoding as a whole: dialect facts, and that no split changes any of them.

use super::*;
use crate::Micros;

/// Events of a body delivered in the given pieces, with adjacent text of one kind joined: where a read cuts plain text is
/// not a fact of the reply.
fn events_of(format: Format, pieces: &[&[u8]]) -> Vec<Event> {
    decode(format, pieces).events
}

/// Everything that a body delivered in pieces gives, added up.
fn decode(format: Format, pieces: &[&[u8]]) -> Decoded {
    let mut decoder = Decoder::new(format);
    let mut parts: Vec<Decoded> = pieces.iter().map(|p| decoder.push(p)).collect();
    parts.push(decoder.end());
    let mut sum = Decoded::default();
    for part in parts {
        sum.events.extend(part.events);
        sum.framed += part.framed;
        sum.bearing += part.bearing;
        sum.comments += part.comments;
    }
    if format == Format::PlainText {
        sum.events = joined(sum.events);
        (sum.framed, sum.bearing) = (0, 0);
    }
    sum
}

fn joined(all: Vec<Event>) -> Vec<Event> {
    let mut joined: Vec<Event> = Vec::new();
    for event in all {
        match (joined.last_mut(), event) {
            (Some(Event::Output { text, .. }), Event::Output { text: more, .. }) => text.push_str(&more),
            (_, event) => joined.push(event),
        }
    }
    joined
}

fn chat(body: &str) -> Vec<Event> {
    events_of(Format::OpenAiChat, &[body.as_bytes()])
}

fn answer(text: &str) -> Event {
    Event::Output { channel: Channel::Answer, choice: 0, text: text.into() }
}

#[test]
fn a_role_only_chunk_bears_no_output() {
    assert_eq!(
        chat("data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\",\"refusal\":null}}]}\n\n"),
        []
    );
    assert_eq!(chat("data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":null}}]}\n\n"), []);
    assert_eq!(chat("data: {\"choices\":[],\"prompt_filter_results\":[{}]}\n\n"), []);
}

#[test]
fn channels() {
    let both = chat("data: {\"choices\":[{\"delta\":{\"reasoning\":\"hm\",\"content\":\"A\"}}]}\n\n");
    assert_eq!(both, [Event::Output { channel: Channel::Reasoning, choice: 0, text: "hm".into() }, answer("A")]);
    let once = chat("data: {\"choices\":[{\"delta\":{\"reasoning\":\"hm\",\"reasoning_content\":\"hm\"}}]}\n\n");
    assert_eq!(once, [Event::Output { channel: Channel::Reasoning, choice: 0, text: "hm".into() }]);
    let conflict = chat("data: {\"choices\":[{\"delta\":{\"reasoning\":\"a\",\"reasoning_content\":\"b\"}}]}\n\n");
    assert!(conflict.contains(&Event::Note("two_reasonings", String::new())));
    assert_eq!(chat("data: {\"choices\":[{\"delta\":{\"refusal\":\"No.\"}}]}\n\n"), [answer("No.")]);
    assert_eq!(
        chat("data: {\"choices\":[{\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"Hi\"}]}}]}\n\n"),
        [answer("Hi")]
    );
    let tool = chat(
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"f\",\"arguments\":\"\"}}]}}]}\n\n",
    );
    assert_eq!(tool, [Event::Output { channel: Channel::Tool, choice: 0, text: "f".into() }]);
    let second = chat("data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"B\"}}]}\n\n");
    assert_eq!(second, [Event::Output { channel: Channel::Answer, choice: 1, text: "B".into() }]);
}

#[test]
fn usage_timings_errors_and_the_end() {
    let usage = chat(
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":20,\"completion_tokens_details\":{\"reasoning_tokens\":4}},\"server_timing\":[{\"name\":\"model\",\"dur\":720}]}\n\ndata: [DONE]\n\n",
    );
    assert_eq!(usage[0], Event::Usage(Usage { input: Some(3), output: Some(20), reasoning: Some(4), cached: None }));
    assert!(matches!(&usage[1], Event::Spans(s) if s[0].value == Micros::ms(720)));
    assert_eq!(usage[2], Event::End);
    assert_eq!(chat("data: {\"error\":{\"message\":\"overloaded\",\"code\":500}}\n\n"), [Event::Error("overloaded".into())]);
    assert_eq!(chat("data: {\"error\":null,\"choices\":[]}\n\n"), []);
    assert_eq!(chat("event: error\ndata: overloaded\n\n"), [Event::Error("overloaded".into())]);
    assert_eq!(
        chat("data: {\"choices\":[{\"delta\":{\"content\":\"an error occurred\"}}]}\n\n"),
        [answer("an error occurred")]
    );
    assert!(matches!(&chat("data: {not json\n\n")[..], [Event::Note("unreadable_event", _)]));
}

#[test]
fn comments_are_keep_alive_and_a_missing_blank_line_is_noted() {
    let kept = decode(Format::OpenAiChat, &[b": ping\n\n:\n\ndata: :x\n\n"]);
    assert_eq!((kept.comments, kept.bearing), (2, 0));
    let open = chat("data: {\"choices\":[{\"delta\":{\"content\":\"A\"}}]}");
    assert_eq!(open, [answer("A"), Event::Note("unterminated_event", String::new())]);
    assert_eq!(chat("data:{\"choices\":[{\"delta\":{\"content\":\"A\"}}]}\r\r"), [answer("A")]);
}

#[test]
fn an_event_over_the_limit_is_an_error_and_not_memory() {
    let mut decoder = Decoder::new(Format::OpenAiChat);
    let mut events = decoder.push(b"data: ").events;
    for _ in 0..20 {
        events.extend(decoder.push(&vec![b'x'; 1 << 20]).events);
    }
    assert!(events.iter().any(|e| matches!(e, Event::Error(m) if m.contains("16 MiB"))), "{events:?}");
}

#[test]
fn one_json_body() {
    let whole = |b: &str| events_of(Format::JsonBody, &[b.as_bytes()]);
    let chat = whole(
        "{\"choices\":[{\"message\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}],\"usage\":{\"completion_tokens\":1}}",
    );
    assert_eq!(chat[0], answer("Hi"));
    assert_eq!(chat.last(), Some(&Event::End));
    let score = whole(" {\"score\": 0.93}\n");
    assert_eq!(score, [Event::Prediction, answer("{\"score\": 0.93}"), Event::End]);
    assert_eq!(whole("{\"error\":\"no\"}"), [Event::Error("no".into())]);
    assert_eq!(whole("{\"choices\":[{\"mess"), [Event::Note("json_cut", String::new())]);
    assert!(matches!(&whole("<html>")[..], [Event::Note("not_json", _)]));
}

/// Every fixture, split at every byte position, and into single bytes.
#[test]
fn any_split_gives_the_same_events() {
    let sse = "\u{feff}: hi\r\n\r\ndata: {\"choices\":[{\"delta\":{\"role\":\"assistant\"}}]}\r\n\r\nevent: x\rdata: {\"choices\":[{\"delta\":{\r\ndata: \"content\":\"안녕 👋\"}}]}\n\n:\n\nid: 7\ndata: {\"choices\":[],\"usage\":{\"completion_tokens\":2}}\n\ndata: [DONE]\n\ndata: {\"tail\":1}";
    let json = "\u{feff} {\"choices\":[{\"message\":{\"content\":\"안녕\"},\"finish_reason\":\"stop\"}]}";
    let plain = "안녕 👋 — naïve\r\nfin";
    let mut bad = plain.as_bytes().to_vec();
    bad.extend_from_slice(b"\xf0\x9f ok \xff\xe2\x82");
    let fixtures: [(Format, &[u8]); 4] = [
        (Format::OpenAiChat, sse.as_bytes()),
        (Format::JsonBody, json.as_bytes()),
        (Format::PlainText, plain.as_bytes()),
        (Format::PlainText, &bad),
    ];
    for (format, bytes) in fixtures {
        let whole = decode(format, &[bytes]);
        assert!(!whole.events.is_empty());
        for at in 0..=bytes.len() {
            assert_eq!(decode(format, &[&bytes[..at], &bytes[at..]]), whole, "{format:?} split at {at}");
        }
        let singles: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(decode(format, &singles), whole, "{format:?} byte by byte");
    }
}

mod properties {
    use super::*;
    use proptest::prelude::*;

    fn piece() -> impl Strategy<Value = String> {
        prop_oneof![
            "[a-z가-힣 👋]{0,6}".prop_map(|t| format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{t}\"}}}}]}}")),
            Just("data: [DONE]".to_owned()),
            Just(": ping".to_owned()),
            Just("event: error".to_owned()),
            Just("data".to_owned()),
            Just("id: 3".to_owned()),
            Just(String::new()),
            "\\PC{0,12}".prop_map(|t| format!("data: {t}")),
        ]
    }

    fn stream() -> impl Strategy<Value = Vec<u8>> {
        let line = (piece(), prop_oneof![Just("\n"), Just("\r\n"), Just("\r"), Just("\n\n"), Just("\r\n\r\n"), Just("\r\r")]);
        (any::<bool>(), prop::collection::vec(line, 0..12)).prop_map(|(bom, lines)| {
            let mut text = if bom { "\u{feff}".to_owned() } else { String::new() };
            lines.into_iter().for_each(|(l, end)| text.extend([l.as_str(), end]));
            text.into_bytes()
        })
    }

    proptest! {
        #[test]
        fn no_split_of_a_generated_stream_changes_its_events(bytes in stream(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8)) {
            for format in [Format::OpenAiChat, Format::PlainText, Format::JsonBody] {
                let mut at: Vec<usize> = cuts.iter().map(|i| i.index(bytes.len() + 1)).collect();
                at.extend([0, bytes.len()]);
                at.sort_unstable();
                let pieces: Vec<&[u8]> = at.windows(2).map(|w| &bytes[w[0]..w[1]]).collect();
                prop_assert_eq!(decode(format, &pieces), decode(format, &[&bytes]));
            }
        }

        #[test]
        fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            for format in [Format::OpenAiChat, Format::PlainText, Format::JsonBody, Format::Unknown] {
                events_of(format, &[&bytes]);
            }
        }
    }
}
