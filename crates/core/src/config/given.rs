//! A configuration as a program gives it: some of the fields, by the names of the run file. All that is wrong is said at once.

use serde_json::{Map, Value};

use super::{Field, Problem, Rendering, RunConfig, Secrets, parse_headers, redacted_url};
use crate::typed;

/// What can be run.
pub struct Given {
    /// What is asked.
    pub config: RunConfig,
    /// What is sent with it and kept nowhere.
    pub secrets: Secrets,
}

/// Reads both; what is not given is as in [`RunConfig::of`], and the seed is this one. `page` is the page's own URL. An error is a
/// JSON list of problems, each `{"field", "message"}`.
pub fn given(config: &str, secrets: &str, page: &str, seed: u64) -> Result<Given, String> {
    let secrets: Secrets = typed::from_str(secrets).map_err(|error| list([shape("headers", &error)]))?;
    let config = read(config, seed).map_err(list)?;
    let problems = header_problems(&secrets).chain(config.problems(&secrets, page));
    let told = problems.map(without_secrets);
    let mut problems: Vec<Value> = told.map(|wrong| problem(wrong.field().code(), &wrong.to_string())).collect();
    if config.rendering == Rendering::Markdown {
        problems
            .push(problem("rendering", "answers in Markdown are drawn on Firstlight's own page alone; leave rendering out"));
    }
    if problems.is_empty() { Ok(Given { config, secrets }) } else { Err(list(problems)) }
}

fn read(text: &str, seed: u64) -> Result<RunConfig, Vec<Value>> {
    let Ok(Value::Object(given)) = serde_json::from_str::<Value>(text) else {
        return Err(vec![problem("config", "the configuration must be an object")]);
    };
    let (config, wrong) = with_fields(&RunConfig { seed, ..RunConfig::of("") }, given);
    let problems: Vec<Value> = wrong.iter().map(|(name, error)| shape(name, error)).collect();
    if problems.is_empty() { Ok(config) } else { Err(problems) }
}

/// The fields of a configuration, by their names.
pub(crate) fn fields(config: &RunConfig) -> Map<String, Value> {
    serde_json::to_string(config).and_then(|text| serde_json::from_str(&text)).unwrap_or_default()
}

/// A configuration with other fields. Each is read by itself, so that one which can't be read hides no other; it stays as it was, and is
/// told with its error.
pub(crate) fn with_fields(usual: &RunConfig, given: Map<String, Value>) -> (RunConfig, Vec<(String, serde_json::Error)>) {
    let before = fields(usual);
    let (mut all, mut wrong) = (before.clone(), Vec::new());
    for (name, value) in given {
        let mut one = before.clone();
        one.insert(name.clone(), value.clone());
        match config_of(one) {
            Ok(_) => drop(all.insert(name, value)),
            Err(error) => wrong.push((name, error)),
        }
    }
    let config = config_of(all).unwrap_or_else(|error| {
        wrong.push(("config".to_owned(), error));
        usual.clone()
    });
    (config, wrong)
}

fn config_of(fields: Map<String, Value>) -> serde_json::Result<RunConfig> {
    // By way of text: that reader is compiled in anyway, and one for values would be a second copy of it.
    typed::from_str(&Value::Object(fields).to_string())
}

fn header_problems(secrets: &Secrets) -> impl Iterator<Item = Problem> {
    (1..).zip(&secrets.headers).filter_map(|(at, (name, value))| match parse_headers(&format!("{name}: {value}")) {
        Ok(one) if one.len() == 1 => None,
        Ok(_) | Err(Problem::Header(_)) => Some(Problem::Header(at)),
        Err(other) => Some(other),
    })
}

/// Errors end in logs: an address that is wrong may still hold a key.
fn without_secrets(wrong: Problem) -> Problem {
    let inside = |wrong: Box<Problem>| Box::new(without_secrets(*wrong));
    match wrong {
        Problem::Url(url) => Problem::Url(redacted_url(&url)),
        Problem::Probe(wrong) => Problem::Probe(inside(wrong)),
        Problem::Candidate(wrong) => Problem::Candidate(inside(wrong)),
        Problem::Metrics(wrong) => Problem::Metrics(inside(wrong)),
        other => other,
    }
}

fn shape(field: &str, error: &serde_json::Error) -> Value {
    // The place in a text that nobody wrote says nothing.
    problem(field, error.to_string().split(" at line ").next().unwrap_or_default())
}

fn problem(field: &str, message: &str) -> Value {
    let members = [("field", field), ("message", message)];
    Value::Object(members.into_iter().map(|(name, text)| (name.to_owned(), text.into())).collect())
}

fn list(problems: impl IntoIterator<Item = Value>) -> String {
    problems.into_iter().collect::<Value>().to_string()
}

impl Field {
    /// The field of a configuration that holds it, or of what is sent beside one.
    pub fn code(self) -> &'static str {
        match self {
            Field::Url => "url",
            Field::Headers => "headers",
            Field::Key => "api_key",
            Field::KeyHeader => "key_header",
            Field::Body => "body",
            Field::Prompt => "prompt",
            Field::Requests => "requests",
            Field::Concurrency => "concurrency",
            Field::WarmUp => "warmup",
            Field::Timeout => "timeout_ms",
            Field::MaxTokens => "max_tokens",
            Field::Format | Field::TextPointer | Field::ItemsPointer | Field::Spans => "reading",
            Field::Probe => "probe",
            Field::Load | Field::Cancel => "load",
            Field::Versus => "versus",
            Field::Thresholds => "thresholds",
            Field::StopRules => "stop_rules",
            Field::Criteria => "decision",
            Field::Prices => "prices",
            Field::Workload => "workload",
            Field::MetricsUrl | Field::MetricsPeriod => "server_metrics",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "https://host.test/page";
    const URL: &str = r#""url": "https://api.test/v1/chat/completions""#;

    fn fields(config: &str, secrets: &str) -> Vec<String> {
        let wrong = given(config, secrets, PAGE, 3).err().unwrap_or_else(|| "[]".to_owned());
        let wrong: Vec<Map<String, Value>> = serde_json::from_str(&wrong).expect("a list");
        wrong.iter().map(|one| one["field"].as_str().expect("a field").to_owned()).collect()
    }

    #[test]
    fn what_is_not_given_is_as_usual() {
        let given = given(&format!(r#"{{{URL}, "requests": 7, "load": {{}}}}"#), r#"{"api_key": "sk"}"#, PAGE, 3).ok();
        let Given { config, secrets } = given.expect("sound");
        let usual = RunConfig::of("https://api.test/v1/chat/completions");
        assert_eq!(config, RunConfig { requests: 7, seed: 3, ..usual });
        assert_eq!(secrets.api_key, "sk");
    }

    #[test]
    fn everything_wrong_is_said_at_once() {
        let wrong = format!(r#"{{{URL}, "requests": "ten", "mode": "fast", "apiKey": "sk", "prompt": "Hi"}}"#);
        assert_eq!(fields(&wrong, "{}"), ["requests", "mode", "apiKey"]);
        let wrong = r#"{"url": "http://api.test/v1", "requests": 0, "concurrency": 300, "prompt": " "}"#;
        assert_eq!(fields(wrong, "{}"), ["url", "prompt", "requests", "concurrency"]);
        assert_eq!(fields("[]", "{}"), ["config"]);
        assert_eq!(fields("{}", "{}"), ["url"]);
        assert_eq!(fields(&format!(r#"{{{URL}, "rendering": "markdown"}}"#), "{}"), ["rendering"]);
    }

    #[test]
    fn headers_that_browsers_refuse_are_named() {
        let config = format!("{{{URL}}}");
        let headers = r#"{"headers": [["x-a", "1"], ["cookie", "a"], ["x-b", "1\nx-c: 2"], ["x d", "1"]]}"#;
        assert_eq!(fields(&config, headers), ["headers", "headers", "headers"]);
        assert_eq!(fields(&config, r#"{"api_key": "a\nb"}"#), ["api_key"]);
        assert_eq!(fields(&config, r#"{"headers": {"x-a": "1"}}"#), ["headers"]);
    }

    #[test]
    fn a_wrong_address_is_told_without_its_key() {
        let metrics = r#""server_metrics": {"url": "m?token=sk-2"}"#;
        let wrong = given(&format!(r#"{{"url": "api.test/v1?key=sk-1", {metrics}}}"#), "{}", PAGE, 1).err().expect("wrong");
        assert!(wrong.contains("api.test/v1?key=redacted") && wrong.contains("m?token=redacted"), "{wrong}");
    }

    #[test]
    fn a_problem_is_told_without_a_place_in_a_text_that_nobody_wrote() {
        let wrong = given(&format!(r#"{{{URL}, "requests": -1}}"#), "{}", PAGE, 1).err().expect("wrong");
        assert_eq!(wrong, r#"[{"field":"requests","message":"invalid value: integer `-1`, expected u32"}]"#);
    }
}
