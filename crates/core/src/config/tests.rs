//! A person's wishes, checked.

use super::*;

const PAGE: &str = "http://127.0.0.1:8600/";

/// A sound configuration, for tests to spoil.
pub(crate) fn sound() -> RunConfig {
    RunConfig {
        target: TargetKind::Own,
        url: "http://localhost:8080/v1/chat/completions".into(),
        model: "m".into(),
        body: BodyChoice::Chat(Map::new()),
        prompt: "Hi".into(),
        max_tokens: None,
        mode: ModeChoice::Streaming,
        requests: 10,
        concurrency: 1,
        warmup: 0,
        timeout_ms: 60_000,
        seed: 1,
        useful: RuleChoice::Word,
        reading: Reading::default(),
        key_header: String::new(),
        thread: ThreadChoice::default(),
    }
}

#[test]
fn header_lines() {
    assert_eq!(parse_headers("X-A: 1\n\n x-b :two: 2 "), Ok(vec![("X-A".into(), "1".into()), ("x-b".into(), "two: 2".into())]));
    assert_eq!(parse_headers("X-A: 1\nnonsense"), Err(Problem::Header(2)));
    assert_eq!(parse_headers("X A: 1"), Err(Problem::Header(1)));
    assert_eq!(parse_headers("X-A: 안녕"), Err(Problem::Header(1)));
    assert_eq!(parse_headers("Host: x"), Err(Problem::ForbiddenHeader("Host".into())));
}

#[test]
fn every_problem_is_named_at_once() {
    let config = RunConfig { url: "x".into(), prompt: " ".into(), requests: 0, concurrency: 999, ..sound() };
    let secrets = Secrets { api_key: "a\nb".into(), ..Secrets::default() };
    let fields: Vec<Field> = config.problems(&secrets, PAGE).iter().map(Problem::field).collect();
    assert_eq!(fields, [Field::Url, Field::Key, Field::Prompt, Field::Requests, Field::Concurrency]);
    assert!(sound().problems(&Secrets::default(), PAGE).is_empty());
}

#[test]
fn bodies() {
    let fields = parse_body_fields("{\"temperature\": 0, \"stream_options\": null}").expect("fields");
    let config = RunConfig { body: BodyChoice::Chat(fields), max_tokens: Some(5), ..sound() };
    assert_eq!(
        config.body(Mode::Streaming).to_string(),
        r#"{"model":"m","messages":[{"role":"user","content":"Hi"}],"max_tokens":5,"stream":true,"temperature":0}"#
    );
    assert_eq!(config.body(Mode::NonStreaming)["stream"], false);
    let template = parse_body(r#"{"in":["{prompt}!", 1],"s":"{stream}","m":"{model}"}"#).expect("json");
    let custom = RunConfig { body: BodyChoice::Custom(template), ..sound() };
    assert_eq!(custom.body(Mode::Streaming).to_string(), r#"{"in":["Hi!",1],"s":true,"m":"m"}"#);
    assert!(matches!(parse_body_fields("{x"), Err(Problem::Body(_))));
    assert_eq!(parse_body_fields("[1]"), Err(Problem::BodyNotObject));
}

#[test]
fn urls_are_filled_in_for_each_mode() {
    let url = "https://x/{model}:{stream:streamIt|doIt}?alt={stream:sse|json}&a={stream:}".to_owned();
    let config = RunConfig { url, ..sound() };
    assert_eq!(config.url(Mode::Streaming), "https://x/m:streamIt?alt=sse&a=");
    assert_eq!(config.url(Mode::NonStreaming), "https://x/m:doIt?alt=json&a=");
    let open = RunConfig { url: "https://x/{stream:a".into(), ..sound() };
    assert_eq!(open.url(Mode::Streaming), "https://x/{stream:a");
}

#[test]
fn a_key_may_have_a_header_of_its_own() {
    let secrets = Secrets { api_key: "sk-1".into(), ..Secrets::default() };
    let own = RunConfig { key_header: "x-api-key".into(), ..sound() };
    assert!(own.headers(&secrets).contains(&("x-api-key".into(), "sk-1".into())));
    assert!(!own.headers(&secrets).iter().any(|(name, _)| name == "Authorization"));
    let wrong = RunConfig { key_header: "x key".into(), ..sound() };
    assert_eq!(wrong.problems(&secrets, PAGE), [Problem::KeyHeader]);
}

#[test]
fn secrets_are_headers_and_nothing_else() {
    let secrets = Secrets { api_key: "sk-1".into(), headers: vec![("content-type".into(), "text/plain".into())] };
    let headers = sound().headers(&secrets);
    assert_eq!(headers, [("content-type".into(), "text/plain".into()), ("Authorization".into(), "Bearer sk-1".into())]);
    assert!(!format!("{secrets:?}").contains("sk-1"));
}
