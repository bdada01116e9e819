//! How are Anthropic's Messages written: blocks with a beginning and an end, and pings?

use serde_json::{Value, json};

use super::{Block, Closing, Finish, Output, Said, Scribe, call, event, extend, failure};
use crate::ask::Ask;
use crate::format::Format;
use crate::piece::Kind;

/// What comes before any output; input tokens are counted here.
pub(super) fn opening(s: &mut Scribe) -> Vec<u8> {
    s.state.begun = true;
    let mut message = message(&s.ask, json!([]), None);
    if s.usage {
        extend(&mut message, &[("usage", usage(s.state.counts.input, 1))]);
    }
    send("message_start", json!({"message": message}))
}

/// Sent while nothing else is, and once behind the beginning of the first block.
pub(super) fn ping() -> Vec<u8> {
    send("ping", json!({}))
}

pub(super) fn output(s: &mut Scribe, output: &Output<'_>) -> Vec<u8> {
    let mut bytes = if s.state.begun { Vec::new() } else { opening(s) };
    let block = output.block();
    if s.state.block != Some(block) {
        bytes.extend(end_block(s));
        s.state.block = Some(block);
        let begun = match block {
            Block::Reasoning => json!({"type": "thinking", "thinking": "", "signature": ""}),
            Block::Answer => json!({"type": "text", "text": ""}),
            Block::Call(nth) => json!({"type": "tool_use", "id": call::id(nth), "name": call::NAME, "input": {}}),
        };
        bytes.extend(send("content_block_start", json!({"index": s.state.closed, "content_block": begun})));
        if s.state.closed == 0 {
            bytes.extend(ping());
        }
    }
    let delta = match output {
        Output::Reasoning(text) => json!({"type": "thinking_delta", "thinking": text}),
        Output::Answer(text) => json!({"type": "text_delta", "text": text}),
        Output::Call { arguments: "", .. } => return bytes,
        Output::Call { arguments, .. } => json!({"type": "input_json_delta", "partial_json": arguments}),
    };
    bytes.extend(send("content_block_delta", json!({"index": s.state.closed, "delta": delta})));
    bytes
}

fn end_block(s: &mut Scribe) -> Vec<u8> {
    let Some(block) = s.state.block.take() else { return Vec::new() };
    let index = s.state.closed;
    s.state.closed += 1;
    let signature = match block {
        Block::Reasoning => {
            let delta = json!({"type": "signature_delta", "signature": SIGNATURE});
            send("content_block_delta", json!({"index": index, "delta": delta}))
        }
        Block::Answer | Block::Call(_) => Vec::new(),
    };
    [signature, send("content_block_stop", json!({"index": index}))].concat()
}

const SIGNATURE: &str = "built-in";

/// The last block's end, the stop reason with the count of output, the end.
pub(super) fn close(s: &mut Scribe, closing: &Closing) -> Vec<(Kind, Vec<u8>)> {
    let mut bytes = if s.state.begun { Vec::new() } else { opening(s) };
    bytes.extend(end_block(s));
    let delta = json!({"stop_reason": closing.finish.map(reason), "stop_sequence": null});
    let mut told = json!({"delta": delta});
    if let Some(counts) = closing.counts {
        extend(&mut told, &[("usage", json!({"output_tokens": counts.output}))]);
    }
    bytes.extend(send("message_delta", told));
    let mut pieces = vec![(Kind::Finish, bytes)];
    if closing.done {
        let mut end = json!({});
        extend(&mut end, &closing.reports);
        pieces.push((Kind::Done, send("message_stop", end)));
    }
    pieces
}

pub(super) fn error(message: &str) -> Vec<u8> {
    event("error", &failure::value(Format::Anthropic, 503, message))
}

/// A whole message.
pub(super) fn whole(ask: &Ask, said: &Said, closing: &Closing) -> Value {
    let mut content = Vec::new();
    if !said.reasoning.is_empty() {
        content.push(json!({"type": "thinking", "thinking": said.reasoning, "signature": SIGNATURE}));
    }
    if !said.answer.is_empty() {
        content.push(json!({"type": "text", "text": said.answer}));
    }
    content.extend((0..said.calls).map(|nth| {
        let input: Value = serde_json::from_str(&call::arguments(nth)).unwrap_or_default();
        json!({"type": "tool_use", "id": call::id(nth), "name": call::NAME, "input": input})
    }));
    let mut body = message(ask, content.into(), closing.finish);
    if let Some(counts) = closing.counts {
        extend(&mut body, &[("usage", usage(counts.input, counts.output))]);
    }
    extend(&mut body, &closing.reports);
    body
}

fn message(ask: &Ask, content: Value, finish: Option<Finish>) -> Value {
    json!({
        "id": "msg_built-in", "type": "message", "role": "assistant", "model": ask.model(), "content": content,
        "stop_reason": finish.map(reason), "stop_sequence": null,
    })
}

fn usage(input: u64, output: u64) -> Value {
    json!({
        "input_tokens": input, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": output,
    })
}

fn reason(finish: Finish) -> &'static str {
    match finish {
        Finish::Stop => "end_turn",
        Finish::Length => "max_tokens",
        Finish::Tools => "tool_use",
    }
}

/// An event whose data repeat its name first.
fn send(name: &str, fields: Value) -> Vec<u8> {
    let mut value = json!({"type": name});
    if let (Value::Object(value), Value::Object(fields)) = (&mut value, fields) {
        value.extend(fields);
    }
    event(name, &value)
}
