//! A person's wishes, checked.

use super::*;

const PAGE: &str = "http://127.0.0.1:8600/";

/// A sound configuration, for tests to spoil.
pub(crate) fn sound() -> RunConfig {
    RunConfig { model: "m".into(), requests: 10, ..RunConfig::of("http://localhost:8080/v1/chat/completions") }
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
fn the_servers_metrics_have_an_address_and_a_period_within_limits() {
    let check = |url: &str, period_ms| {
        let server_metrics = Some(crate::scrape::ServerMetrics { url: url.into(), period_ms });
        RunConfig { server_metrics, ..sound() }.problems(&Secrets::default(), PAGE)
    };
    assert!(check("http://localhost:8000/metrics", 250).is_empty());
    let range = Problem::Range { field: Field::MetricsPeriod, min: 250, max: 60_000 };
    assert_eq!(check("http://localhost:8000/metrics", 249), std::slice::from_ref(&range));
    let both = check("localhost/metrics", 60_001);
    assert_eq!(both, [Problem::Metrics(Box::new(Problem::Url("localhost/metrics".into()))), range]);
    assert_eq!(both[0].field(), Field::MetricsUrl);
    let said = crate::text::problem(crate::text::Lang::En, &both[0]);
    assert!(said.contains("metrics") && said.contains("localhost/metrics"), "{said}");
    let read: crate::scrape::ServerMetrics = serde_json::from_str(r#"{"url":"http://a/"}"#).expect("a period of its own");
    assert_eq!(read.period_ms, 1000);
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
