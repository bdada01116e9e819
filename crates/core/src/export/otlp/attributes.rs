//! Attributes: where a run was measured, what was asked of whom, and how it ended.

use serde_json::{Value, json};

use super::times::Wall;
use crate::config::{BodyChoice, RunConfig, origin};
use crate::outcome::Outcome;
use crate::report::Origin;
use crate::summary::browser_name;
use crate::trace::{Shape, Trace};

pub(super) fn text(key: &str, value: &str) -> Value {
    json!({"key": key, "value": {"stringValue": value}})
}

pub(super) fn flag(key: &str, value: bool) -> Value {
    json!({"key": key, "value": {"boolValue": value}})
}

pub(super) fn double(key: &str, value: f64) -> Value {
    json!({"key": key, "value": {"doubleValue": value}})
}

/// 64-bit integers are texts.
pub(super) fn int(key: &str, value: u64) -> Value {
    json!({"key": key, "value": {"intValue": value.to_string()}})
}

/// Where it was measured.
pub(super) fn resource(origin: &Origin<'_>) -> Value {
    let environment = origin.environment;
    let mut all = vec![
        text("service.name", "firstlight"),
        text("service.version", env!("CARGO_PKG_VERSION")),
        text("user_agent.original", &environment.user_agent),
        text("browser.language", &environment.language),
        text("firstlight.run.created", origin.created),
        // A text, since not every seed is a signed number of 64 bits.
        text("firstlight.run.seed", &origin.seed.to_string()),
        flag("firstlight.isolated", environment.isolated),
        text("firstlight.arrival", environment.arrival.code()),
        double("firstlight.clock.step", crate::Micros(origin.clock.step_us).as_secs()),
    ];
    all.extend(origin.clock.joint_us.map(|us| double("firstlight.clock.joint", crate::Micros(us).as_secs())));
    all.extend(origin.label.map(|label| text("firstlight.run.label", label)));
    all.extend(Wall::of(origin).attributes());
    // What a browser did not say is left out.
    all.retain(|attribute| attribute["value"]["stringValue"] != "");
    json!({"attributes": all})
}

/// What was asked of whom, and how it ended: what tells one series from another.
pub(super) fn request(config: &RunConfig, origin: &Origin<'_>, trace: &Trace) -> Vec<Value> {
    let config = config.of_arm(trace.planned.arm);
    let mut all = vec![text("gen_ai.operation.name", operation(&config, trace))];
    all.extend(provider(trace).map(|provider| text("gen_ai.provider.name", provider)));
    all.extend((!config.model.is_empty()).then(|| text("gen_ai.request.model", &config.model)));
    if let Some((host, port)) = place(&config.url(trace.planned.mode)) {
        all.push(text("server.address", &host));
        all.extend(port.map(|port| int("server.port", port.into())));
    }
    all.extend(error_type(&trace.outcome).map(|error| text("error.type", &error)));
    let browser = browser_name(&origin.environment.user_agent);
    if let Some((name, version)) = browser.rsplit_once(' ') {
        all.extend([text("user_agent.name", name), text("user_agent.version", version)]);
    }
    all.push(text("firstlight.mode", trace.planned.mode.code()));
    all.push(text("firstlight.outcome", trace.outcome.code()));
    all.extend(config_arm(trace));
    all
}

/// Which side of a comparison inside the run.
fn config_arm(trace: &Trace) -> Option<Value> {
    (trace.planned.arm > 0).then(|| text("firstlight.arm", "candidate"))
}

/// What kind of operation: by the reply's format where that tells.
fn operation(config: &RunConfig, trace: &Trace) -> &'static str {
    match (trace.shape, trace.dialect.map(|(format, _)| format)) {
        (Some(Shape::Prediction), _) => "prediction",
        (_, Some("openai_completions")) => "text_completion",
        (_, Some("gemini")) => "generate_content",
        (_, Some(_)) => "chat",
        (_, None) if matches!(config.body, BodyChoice::Chat(_)) => "chat",
        _ => "request",
    }
}

/// Whose format the reply had: that is what a client knows, whoever answers behind it. None before there was a reply.
fn provider(trace: &Trace) -> Option<&'static str> {
    Some(match trace.dialect?.0 {
        "openai_chat" | "openai_completions" | "openai_responses" => "openai",
        "anthropic_messages" => "anthropic",
        "bedrock" => "aws.bedrock",
        "cohere_v1" | "cohere_v2" => "cohere",
        "gemini" => "gcp.gemini",
        "watsonx" => "ibm.watsonx.ai",
        other => other,
    })
}

/// Host and port of an address; nothing else of it.
fn place(url: &str) -> Option<(String, Option<u16>)> {
    let origin = origin(url)?;
    let (scheme, authority) = origin.split_once("://")?;
    let authority = authority.rsplit('@').next()?;
    let (host, port) = match authority.strip_prefix('[').and_then(|v6| v6.split_once(']')) {
        Some((host, rest)) => (host, rest.strip_prefix(':')),
        None => authority.split_once(':').map_or((authority, None), |(host, port)| (host, Some(port))),
    };
    let usual = match scheme.to_ascii_lowercase().as_str() {
        "https" => Some(443),
        "http" => Some(80),
        _ => None,
    };
    Some((host.to_owned(), port.and_then(|port| port.parse().ok()).or(usual)))
}

/// The class of a failure: the status where there is one. Requests that the user, the run or the browser ended did not fail.
pub(super) fn error_type(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::HttpError { status } => Some(status.to_string()),
        failure if failure.is_failure() => Some(failure.code().to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn of_an_address_only_host_and_port() {
        let check = |url: &str, host: &str, port| assert_eq!(place(url), Some((host.to_owned(), port)), "{url}");
        check("https://api.example.com/v1?key=secret", "api.example.com", Some(443));
        check("http://user:pass@localhost:8080/x", "localhost", Some(8080));
        check("http://[::1]:9/", "::1", Some(9));
        assert_eq!(place("nonsense"), None);
    }
}
