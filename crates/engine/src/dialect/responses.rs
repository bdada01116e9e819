//! How are OpenAI's Responses written: named and numbered events, of items with a beginning and an end?

use serde_json::{Value, json};

use super::{Block, Closing, Finish, Output, Said, Scribe, call, event, extend};
use crate::ask::Ask;
use crate::piece::Kind;

/// Every reply has the same ids: nothing in it is random.
const ID: &str = "resp_built-in";

/// What comes before any output.
pub(super) fn opening(s: &mut Scribe) -> Vec<u8> {
    s.state.begun = true;
    let response = response(&s.ask, "in_progress", json!([]));
    let mut bytes = send(s, "response.created", json!({"response": response.clone()}));
    bytes.extend(send(s, "response.in_progress", json!({"response": response})));
    bytes
}

pub(super) fn output(s: &mut Scribe, output: &Output<'_>) -> Vec<u8> {
    let mut bytes = if s.state.begun { Vec::new() } else { opening(s) };
    let block = output.block();
    if s.state.block != Some(block) {
        bytes.extend(end_block(s));
        bytes.extend(begin_block(s, block));
    }
    let (at, id) = (s.state.closed, item_id(block));
    match output {
        Output::Reasoning(text) => bytes.extend(send(
            s,
            "response.reasoning_summary_text.delta",
            json!({"item_id": id, "output_index": at, "summary_index": 0, "delta": text}),
        )),
        Output::Answer(text) => bytes.extend(send(
            s,
            "response.output_text.delta",
            json!({"item_id": id, "output_index": at, "content_index": 0, "delta": text, "logprobs": []}),
        )),
        Output::Call { arguments: "", .. } => {}
        Output::Call { arguments, .. } => bytes.extend(send(
            s,
            "response.function_call_arguments.delta",
            json!({"item_id": id, "output_index": at, "delta": arguments}),
        )),
    }
    bytes
}

fn begin_block(s: &mut Scribe, block: Block) -> Vec<u8> {
    s.state.block = Some(block);
    let (at, id) = (s.state.closed, item_id(block));
    let added = json!({"output_index": at, "item": item(&s.said, block, "in_progress")});
    let mut bytes = send(s, "response.output_item.added", added);
    bytes.extend(match block {
        Block::Reasoning => send(
            s,
            "response.reasoning_summary_part.added",
            json!({"item_id": id, "output_index": at, "summary_index": 0, "part": summary("")}),
        ),
        Block::Answer => send(
            s,
            "response.content_part.added",
            json!({"item_id": id, "output_index": at, "content_index": 0, "part": text_part("")}),
        ),
        Block::Call(_) => Vec::new(),
    });
    bytes
}

fn end_block(s: &mut Scribe) -> Vec<u8> {
    let Some(block) = s.state.block.take() else { return Vec::new() };
    let (at, id) = (s.state.closed, item_id(block));
    let mut bytes = match block {
        Block::Reasoning => {
            let text = s.said.reasoning.clone();
            let place = json!({"item_id": id, "output_index": at, "summary_index": 0});
            let mut bytes = send(s, "response.reasoning_summary_text.done", with(&place, "text", json!(text)));
            bytes.extend(send(s, "response.reasoning_summary_part.done", with(&place, "part", summary(&text))));
            bytes
        }
        Block::Answer => {
            let text = s.said.answer.clone();
            let place = json!({"item_id": id, "output_index": at, "content_index": 0});
            let mut bytes = send(s, "response.output_text.done", with(&place, "text", json!(text)));
            bytes.extend(send(s, "response.content_part.done", with(&place, "part", text_part(&text))));
            bytes
        }
        Block::Call(nth) => send(
            s,
            "response.function_call_arguments.done",
            json!({"item_id": id, "output_index": at, "arguments": call::arguments(nth)}),
        ),
    };
    let done = json!({"output_index": at, "item": item(&s.said, block, "completed")});
    bytes.extend(send(s, "response.output_item.done", done));
    s.state.closed += 1;
    bytes
}

/// The open item's end, and the event that holds all of it again.
pub(super) fn close(s: &mut Scribe, closing: &Closing) -> Vec<(Kind, Vec<u8>)> {
    let mut bytes = if s.state.begun { Vec::new() } else { opening(s) };
    bytes.extend(end_block(s));
    let mut pieces = if bytes.is_empty() { Vec::new() } else { vec![(Kind::Finish, bytes)] };
    if closing.done {
        let status = if closing.finish == Some(Finish::Length) { "incomplete" } else { "completed" };
        let response = whole(&s.ask, &s.said, closing, status);
        pieces.push((Kind::Done, send(s, &format!("response.{status}"), json!({"response": response}))));
    }
    pieces
}

/// An error, and the response that failed by it.
pub(super) fn error(s: &mut Scribe, message: &str) -> Vec<u8> {
    let told = json!({"error": {"type": "server_error", "code": "server_error", "message": message, "param": null}});
    let mut bytes = send(s, "error", told);
    let mut failed = response(&s.ask, "failed", json!([]));
    extend(&mut failed, &[("error", json!({"code": "server_error", "message": message}))]);
    bytes.extend(send(s, "response.failed", json!({"response": failed})));
    bytes
}

/// The response, as it is at its end.
pub(super) fn whole(ask: &Ask, said: &Said, closing: &Closing, status: &str) -> Value {
    let blocks = [Block::Reasoning, Block::Answer].into_iter().chain((0..said.calls).map(Block::Call));
    let there = blocks.filter(|block| match block {
        Block::Reasoning => !said.reasoning.is_empty(),
        Block::Answer => !said.answer.is_empty() || said.calls == 0,
        Block::Call(_) => true,
    });
    let cut = closing.finish == Some(Finish::Length);
    let status = if cut { "incomplete" } else { status };
    let mut whole = response(ask, status, there.map(|block| item(said, block, "completed")).collect());
    if cut {
        extend(&mut whole, &[("incomplete_details", json!({"reason": "max_output_tokens"}))]);
    }
    if let Some(counts) = closing.counts {
        let usage = json!({
            "input_tokens": counts.input,
            "input_tokens_details": {"cached_tokens": counts.cached.unwrap_or(0)},
            "output_tokens": counts.output,
            "output_tokens_details": {"reasoning_tokens": counts.reasoning},
            "total_tokens": counts.input + counts.output,
        });
        extend(&mut whole, &[("usage", usage)]);
    }
    extend(&mut whole, &closing.reports);
    whole
}

fn response(ask: &Ask, status: &str, output: Value) -> Value {
    json!({
        "id": ID, "object": "response", "created_at": ask.created_s, "status": status, "error": null,
        "incomplete_details": null, "model": ask.model(), "output": output,
    })
}

/// An item, as it is added and when it is done.
fn item(said: &Said, block: Block, status: &str) -> Value {
    let (id, done) = (item_id(block), status == "completed");
    match block {
        Block::Reasoning => {
            let parts = if done { json!([summary(&said.reasoning)]) } else { json!([]) };
            json!({"id": id, "type": "reasoning", "summary": parts})
        }
        Block::Answer => {
            let parts = if done { json!([text_part(&said.answer)]) } else { json!([]) };
            json!({"id": id, "type": "message", "status": status, "role": "assistant", "content": parts})
        }
        Block::Call(nth) => {
            let arguments = if done { call::arguments(nth) } else { String::new() };
            json!({
                "id": id, "type": "function_call", "status": status, "call_id": call::id(nth), "name": call::NAME,
                "arguments": arguments,
            })
        }
    }
}

fn item_id(block: Block) -> String {
    match block {
        Block::Reasoning => "rs_built-in".to_owned(),
        Block::Answer => "msg_built-in".to_owned(),
        Block::Call(nth) => format!("fc_{}", nth + 1),
    }
}

fn summary(text: &str) -> Value {
    json!({"type": "summary_text", "text": text})
}

fn text_part(text: &str) -> Value {
    json!({"type": "output_text", "text": text, "annotations": []})
}

fn with(place: &Value, name: &'static str, value: Value) -> Value {
    let mut place = place.clone();
    extend(&mut place, &[(name, value)]);
    place
}

/// The next event: its type and its number come first.
fn send(s: &mut Scribe, name: &str, fields: Value) -> Vec<u8> {
    let mut value = json!({"type": name, "sequence_number": s.state.events});
    s.state.events += 1;
    if let (Value::Object(value), Value::Object(fields)) = (&mut value, fields) {
        value.extend(fields);
    }
    event(name, &value)
}
