//! Bedrock ConverseStream, Converse, and InvokeModelWithResponseStream, whose chunks hold events of the model's family.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{Dialect, Ending, Facts, Frame, Memory, Usual, recognise};
use crate::server_report::bedrock;
use crate::trace::Usage;
use firstlight_json::{Json, Tape};

pub(crate) static DIALECT: Dialect = Dialect {
    code: "bedrock",
    name: "Amazon Bedrock",
    usual: Usual::Aws,
    ending: Ending::Reason,
    free_text: false,
    fits,
    decode,
};

fn fits(frame: &Frame<'_>) -> bool {
    frame.json.and_then(|j| j.path(&["output", "message", "content"])).is_some()
}

fn decode(frame: &Frame<'_>, memory: &mut Memory, out: &mut Facts<'_>) {
    let Some(json) = frame.json else { return };
    match frame.name {
        "contentBlockStart" => out.tool(0, json.path(&["start", "toolUse", "name"]).and_then(Json::as_text)),
        "contentBlockDelta" => block(json.get("delta"), out),
        "messageStop" => out.finish(json.text_at("stopReason")),
        "metadata" => close(json, out),
        "chunk" => chunk(json, memory, out),
        "" => {
            let content = json.path(&["output", "message"]).into_iter().flat_map(|m| m.items_at("content"));
            content.for_each(|part| block(Some(part), out));
            out.finish(json.text_at("stopReason"));
            close(json, out);
        }
        // Everything else that has a message is an exception.
        name if name.ends_with("Exception") || json.get("message").is_some() => {
            out.error(&format!("{name}: {}", json.text_at("message").unwrap_or_default()));
        }
        _ => {}
    }
}

fn block(part: Option<Json<'_>>, out: &mut Facts<'_>) {
    let Some(part) = part else { return };
    out.answer(part.text_at("text"));
    let reasoning = part.get("reasoningContent");
    let text = reasoning.and_then(|r| r.text_at("text").or_else(|| r.path(&["reasoningText", "text"])?.as_text()));
    out.reasoning(0, text);
    if let Some(tool) = part.get("toolUse") {
        out.tool(0, tool.text_at("name"));
        out.arguments(0, tool.get("input"));
    }
}

fn close(json: Json<'_>, out: &mut Facts<'_>) {
    if let Some(usage) = json.get("usage") {
        out.usage(Usage {
            input: usage.u64_at("inputTokens"),
            output: usage.u64_at("outputTokens"),
            reasoning: None,
            cached: usage.u64_at("cacheReadInputTokens"),
        });
    }
    out.spans(bedrock(json));
}

/// A chunk of the model's own family, in base64.
fn chunk(json: Json<'_>, memory: &mut Memory, out: &mut Facts<'_>) {
    let inside = json.text_at("bytes").and_then(|b| STANDARD.decode(b.as_bytes()).ok());
    let Some(text) = inside.and_then(|bytes| String::from_utf8(bytes).ok()) else {
        return out.note("unreadable_event", "a chunk without readable bytes");
    };
    let mut tape = Tape::default();
    let Ok(inside) = tape.read(&text) else { return out.note("unreadable_event", &text) };
    let frame = Frame { name: "", data: &text, json: Some(inside) };
    match recognise(&frame) {
        Some(family) => (family.decode)(&frame, memory, out),
        None => plain(inside, out),
    }
    if let Some(metrics) = inside.get("amazon-bedrock-invocationMetrics") {
        out.usage(Usage {
            input: metrics.u64_at("inputTokenCount"),
            output: metrics.u64_at("outputTokenCount"),
            ..Usage::default()
        });
        out.spans(bedrock(metrics));
    }
}

/// Families with a text field of their own: Llama, Titan, Cohere command, Mistral.
fn plain(json: Json<'_>, out: &mut Facts<'_>) {
    let texts = ["generation", "outputText", "completion", "text"];
    out.answer(texts.into_iter().find_map(|name| json.text_at(name)));
    json.items_at("outputs").for_each(|o| {
        out.answer(o.text_at("text"));
        out.finish(o.text_at("stop_reason"));
    });
    let reasons = ["stop_reason", "completionReason", "finish_reason"];
    out.finish(reasons.into_iter().find_map(|name| json.text_at(name)));
}
