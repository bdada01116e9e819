//! A short reply of every dialect, as its server sends it, and what it says.

/// A reply and what is to be understood of it.
pub(super) struct Fixture {
    pub content_type: &'static str,
    pub header: Option<(&'static str, &'static str)>,
    pub body: Vec<u8>,
    pub says: &'static str,
}

fn of(content_type: &'static str, body: impl AsRef<[u8]>, says: &'static str) -> Fixture {
    Fixture { content_type, header: None, body: body.as_ref().to_vec(), says }
}

/// Server-sent events, `name` TAB `data` or `data` alone, a line each.
fn sse(lines: &str, says: &'static str) -> Fixture {
    let event = |line: &str| match line.split_once('\t') {
        Some((name, data)) => format!("event: {name}\ndata: {data}\n\n"),
        None => format!("data: {line}\n\n"),
    };
    of("text/event-stream", lines.lines().map(event).collect::<String>(), says)
}

fn ndjson(lines: &str, says: &'static str) -> Fixture {
    of("application/x-ndjson", lines, says)
}

fn json(body: &str, says: &'static str) -> Fixture {
    of("application/json", body, says)
}

/// A message of an AWS event stream.
pub(super) fn aws(headers: &[(&str, &str)], payload: &str) -> Vec<u8> {
    let mut head = Vec::new();
    for (name, value) in headers {
        head.push(name.len() as u8);
        head.extend_from_slice(name.as_bytes());
        head.push(7);
        head.extend_from_slice(&(value.len() as u16).to_be_bytes());
        head.extend_from_slice(value.as_bytes());
    }
    let total = 12 + head.len() + payload.len() + 4;
    let mut bytes = [(total as u32).to_be_bytes(), (head.len() as u32).to_be_bytes()].concat();
    bytes.extend_from_slice(&crc32fast::hash(&bytes).to_be_bytes());
    bytes.extend_from_slice(&head);
    bytes.extend_from_slice(payload.as_bytes());
    bytes.extend_from_slice(&crc32fast::hash(&bytes).to_be_bytes());
    bytes
}

fn event(kind: &str, payload: &str) -> Vec<u8> {
    aws(&[(":event-type", kind), (":content-type", "application/json"), (":message-type", "event")], payload)
}

#[expect(clippy::too_many_lines)]
pub(super) fn all() -> Vec<Fixture> {
    vec![
        sse(
            r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null}}],"usage":null,"obfuscation":"xYz"}
{"choices":[{"index":0,"delta":{"content":"Hel"}}],"obfuscation":"a"}
{"choices":[{"index":0,"delta":{"content":"lo 안녕 👋"}}]}
{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}
{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":2}}}
[DONE]"#,
            "openai_chat event | answer Hello 안녕 👋 | finish stop | usage 3/4/-/2 | end",
        ),
        sse(
            r#"{"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[{"prompt_index":0}]}
{"choices":[{"content_filter_results":{},"delta":{"content":"Azure"},"finish_reason":null,"index":0}],"object":"chat.completion.chunk"}
{"choices":[{"content_filter_offsets":{},"finish_reason":null,"index":0}]}
[DONE]"#,
            "openai_chat event | answer Azure | end",
        ),
        sse(
            r#"{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]}}]}
{"choices":[{"delta":{"content":[{"type":"text","text":"Mistral"}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}
[DONE]"#,
            "openai_chat event | reasoning hm | answer Mistral | finish stop | usage 1/2/-/- | end",
        ),
        sse(
            r#"{"choices":[{"delta":{"reasoning_content":"hm","content":null}}]}
{"choices":[{"delta":{"reasoning_content":null,"content":"xAI"},"finish_reason":"stop"}]}
{"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":1,"total_tokens":303,"completion_tokens_details":{"reasoning_tokens":290}}}
[DONE]"#,
            "openai_chat event | reasoning hm | answer xAI | finish stop | usage 12/291/290/- | end",
        ),
        sse(
            "{\"choices\":[{\"delta\":{\"content\":\"Gro\"}}]}\nerror\t{\"error\":{\"message\":\"bad call\",\"code\":\"tool_use_failed\"}}",
            "openai_chat event | answer Gro | error bad call",
        ),
        sse(r#"{"object":"error","message":"out of memory","code":500}"#, "sse content_type | error out of memory"),
        sse(
            "{\"error\": {\"message\": \"mock\", \"code\": \"500\"}}\n[DONE]",
            "sse content_type | error mock | end",
        ),
        sse(
            r#"{"choices":[{"text":"Once","index":0,"logprobs":null,"finish_reason":null}],"object":"text_completion"}
{"choices":[{"text":" more","index":0,"finish_reason":"length"}]}
{"object":"text_completion","choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2}}
[DONE]"#,
            "openai_completions event | answer Once more | finish length | usage 5/2/-/- | end",
        ),
        sse(
            r#"response.created	{"type":"response.created","response":{"status":"in_progress","error":null}}
response.output_item.added	{"type":"response.output_item.added","item":{"type":"reasoning"}}
response.reasoning_summary_text.delta	{"type":"response.reasoning_summary_text.delta","delta":"hm"}
response.output_item.added	{"type":"response.output_item.added","item":{"type":"function_call","name":"f"}}
response.function_call_arguments.delta	{"type":"response.function_call_arguments.delta","delta":"{}"}
response.output_text.delta	{"type":"response.output_text.delta","delta":"Hi","obfuscation":"zz"}
response.output_text.done	{"type":"response.output_text.done","text":"Hi"}
response.completed	{"type":"response.completed","response":{"status":"completed","error":null,"usage":{"input_tokens":3,"output_tokens":9,"output_tokens_details":{"reasoning_tokens":5}}}}
[DONE]"#,
            "openai_responses event | reasoning hm | tool f{} | answer Hi | finish completed | usage 3/9/5/- | end | end",
        ),
        sse(
            r#"{"type":"response.created","response":{}}
{"type":"error","sequence_number":2,"error":{"type":"x","code":"y","message":"server had a moment"}}
{"type":"response.failed","response":{"status":"failed","error":{"code":"y","message":"server had a moment"}}}"#,
            "openai_responses event | error server had a moment | error server had a moment | finish failed | end",
        ),
        sse(
            r#"message_start	{"type":"message_start","message":{"id":"m","usage":{"input_tokens":25,"output_tokens":1,"cache_read_input_tokens":7}}}
content_block_start	{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}
ping	{"type": "ping"}
content_block_delta	{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}
content_block_delta	{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"EqQB"}}
content_block_start	{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}
content_block_delta	{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Hi"}}
content_block_start	{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}}
content_block_delta	{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"a\":1}"}}
message_delta	{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":15}}
message_stop	{"type":"message_stop"          }"#,
            "anthropic_messages event | usage 25/1/-/7 | reasoning hm | answer Hi | tool f{\"a\":1} | finish tool_use | usage -/15/-/- | end",
        ),
        sse(
            "ping\t{\"type\":\"ping\"}\nerror\t{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}",
            "sse content_type | error Overloaded",
        ),
        of(
            "text/event-stream",
            "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"hm\",\"thought\":true}],\"role\":\"model\"},\"index\":0}],\"usageMetadata\":{\"promptTokenCount\":4}}\r\n\r\ndata: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Hi\"},{\"functionCall\":{\"name\":\"f\",\"args\":{\"a\":1}}},{\"text\":\"\",\"thoughtSignature\":\"x\"}]},\"finishReason\":\"STOP\"}],\"usageMetadata\":{\"promptTokenCount\":4,\"candidatesTokenCount\":2,\"thoughtsTokenCount\":5}}\r\n\r\n",
            "gemini event | reasoning hm | usage 4/-/-/- | answer Hi | tool f{\"a\":1} | finish STOP | usage 4/7/5/-",
        ),
        json(
            "[{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Hi, [there}\"}]}}]}\r\n,\r\n{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\" \\\"you\\\"\"}]},\"finishReason\":\"STOP\"}]}\r\n]\r\n",
            "gemini event | answer Hi, [there} \"you\" | finish STOP | end",
        ),
        ndjson(
            "{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"\",\"thinking\":\"hm\"},\"done\":false}\n{\"model\":\"m\",\"message\":{\"content\":\"Hi\",\"tool_calls\":[{\"function\":{\"name\":\"f\",\"arguments\":{\"a\":1}}}]},\"done\":false}\n{\"model\":\"m\",\"message\":{\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\",\"eval_count\":5,\"total_duration\":1000000}\n",
            "ollama event | reasoning hm | answer Hi | tool f{\"a\":1} | usage -/5/-/- | span total_duration 1 ms total | finish stop | end",
        ),
        json(
            "{\"model\":\"m\",\"response\":\"Hi\",\"done\":false}\n{\"model\":\"m\",\"response\":\"!\",\"done\":true}\n",
            "ollama event | answer Hi! | end",
        ),
        ndjson("{\"model\":\"m\",\"response\":\"Hi\",\"done\":false}\n{\"error\":\"runner died\"}\n", "ollama event | answer Hi | error runner died"),
        sse(
            r#"{"index":0,"content":" an","tokens":[5],"stop":false,"id_slot":0,"tokens_predicted":1,"tokens_evaluated":4}
{"index":0,"content":"","stop":true,"stop_type":"limit","tokens_predicted":2,"tokens_evaluated":4,"timings":{"prompt_ms":1.5}}"#,
            "llama_cpp event | answer  an | span timings.prompt_ms 1.5 ms prefill | usage 4/2/-/- | finish limit | end",
        ),
        sse(
            r#"{"index":1,"token":{"id":1,"text":"Hi","logprob":-1.0,"special":false},"generated_text":null,"details":null}
{"index":2,"token":{"id":2,"text":"</s>","special":true},"generated_text":"Hi","details":{"finish_reason":"eos_token","generated_tokens":2,"input_length":4}}"#,
            "tgi event | answer Hi | usage 4/2/-/- | finish eos_token | end",
        ),
        sse(
            r#"{"text":"Hi","meta_info":{"id":"a","finish_reason":null,"prompt_tokens":3,"completion_tokens":1}}
{"text":"Hi there","meta_info":{"id":"a","finish_reason":{"type":"stop"},"prompt_tokens":3,"completion_tokens":2,"e2e_latency":0.25}}
[DONE]"#,
            "sglang_generate event | answer Hi | usage 3/1/-/- | answer  there | usage 3/2/-/- | span meta_info.e2e_latency 0.25 s total | finish stop | end",
        ),
        sse(
            r#"{"text":"Hi","meta_info":{"completion_tokens":1}}
{"text":" there","meta_info":{"completion_tokens":2}}
{"text":" there","meta_info":{"completion_tokens":3}}"#,
            "sglang_generate event | answer Hi | usage -/1/-/- | answer  there | usage -/2/-/- | answer  there | usage -/3/-/-",
        ),
        sse(
            r#"message-start	{"type":"message-start","delta":{"message":{"role":"assistant","content":[],"tool_plan":"","tool_calls":[]}}}
tool-plan-delta	{"type":"tool-plan-delta","delta":{"message":{"tool_plan":"I will look."}}}
tool-call-start	{"type":"tool-call-start","delta":{"message":{"tool_calls":{"id":"t","function":{"name":"f","arguments":""}}}}}
tool-call-delta	{"type":"tool-call-delta","delta":{"message":{"tool_calls":{"function":{"arguments":"{}"}}}}}
content-start	{"type":"content-start","index":0,"delta":{"message":{"content":{"type":"text","text":""}}}}
content-delta	{"type":"content-delta","index":0,"delta":{"message":{"content":{"thinking":"hm"}}}}
content-delta	{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"Hi"}}}}
message-end	{"type":"message-end","delta":{"finish_reason":"COMPLETE","usage":{"billed_units":{"input_tokens":1,"output_tokens":1},"tokens":{"input_tokens":71.0,"output_tokens":5}}}}
[DONE]"#,
            "cohere_v2 event | answer I will look. | tool f{} | reasoning hm | answer Hi | finish COMPLETE | usage 71/5/-/- | end",
        ),
        of(
            "application/stream+json",
            "{\"is_finished\":false,\"event_type\":\"stream-start\",\"generation_id\":\"g\"}\n{\"is_finished\":false,\"event_type\":\"text-generation\",\"text\":\"Ar\"}\n{\"is_finished\":true,\"event_type\":\"stream-end\",\"finish_reason\":\"COMPLETE\",\"response\":{\"text\":\"Ar\",\"meta\":{\"tokens\":{\"input_tokens\":9,\"output_tokens\":1}}}}\n",
            "cohere_v1 event | answer Ar | finish COMPLETE | usage 9/1/-/- | end",
        ),
        of(
            "application/vnd.amazon.eventstream",
            [
                event("messageStart", r#"{"role":"assistant","p":"abcd"}"#),
                event("contentBlockDelta", r#"{"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"hm"}}}"#),
                event("contentBlockDelta", r#"{"contentBlockIndex":0,"delta":{"text":"Hi"},"p":"abcdefgh"}"#),
                event("contentBlockStart", r#"{"contentBlockIndex":1,"start":{"toolUse":{"name":"f"}}}"#),
                event("contentBlockDelta", r#"{"contentBlockIndex":1,"delta":{"toolUse":{"input":"{}"}}}"#),
                event("messageStop", r#"{"stopReason":"end_turn"}"#),
                event("metadata", r#"{"usage":{"inputTokens":3,"outputTokens":2},"metrics":{"latencyMs":551}}"#),
            ]
            .concat(),
            "bedrock content_type | reasoning hm | answer Hi | tool f{} | finish end_turn | usage 3/2/-/- | span metrics.latencyMs 551 ms total",
        ),
        of(
            "application/vnd.amazon.eventstream",
            [
                event("chunk", r#"{"bytes":"eyJ0eXBlIjoiY29udGVudF9ibG9ja19kZWx0YSIsImRlbHRhIjp7InR5cGUiOiJ0ZXh0X2RlbHRhIiwidGV4dCI6IkhpIn19"}"#),
                aws(&[(":exception-type", "throttlingException"), (":message-type", "exception")], r#"{"message":"Too fast"}"#),
            ]
            .concat(),
            "bedrock content_type | answer Hi | error throttlingException: Too fast",
        ),
        Fixture {
            header: Some(("x-vercel-ai-ui-message-stream", "v1")),
            ..sse(
                r#"{"type":"start","messageId":"m"}
{"type":"start-step"}
{"type":"reasoning-delta","id":"r","delta":"hm"}
{"type":"text-start","id":"t"}
{"type":"text-delta","id":"t","delta":"Wrong"}
{"type":"reset-step"}
{"type":"tool-input-start","toolCallId":"a","toolName":"f"}
{"type":"tool-input-delta","toolCallId":"a","inputTextDelta":"{}"}
{"type":"tool-input-available","toolCallId":"a","toolName":"f","input":{}}
{"type":"tool-input-available","toolCallId":"b","toolName":"g","input":{"x":1}}
{"type":"text-delta","id":"t","delta":"Right"}
{"type":"finish"}
[DONE]"#,
                "ai_sdk_ui header | reasoning hm | answer Wrong | withdraw | tool f{}g{\"x\":1} | answer Right | finish finish | end",
            )
        },
        sse("{\"type\":\"start-step\"}\n{\"type\":\"error\",\"errorText\":\"no\"}", "ai_sdk_ui event | error no"),
        Fixture {
            header: Some(("x-vercel-ai-data-stream", "v1")),
            ..of(
                "text/plain; charset=utf-8",
                "f:{\"messageId\":\"m\"}\ng:\"hm\"\n0:\"Hi\"\n0:\" 안녕\"\nb:{\"toolCallId\":\"a\",\"toolName\":\"f\"}\nc:{\"toolCallId\":\"a\",\"argsTextDelta\":\"{}\"}\ne:{\"finishReason\":\"stop\"}\nd:{\"finishReason\":\"stop\",\"usage\":{\"promptTokens\":4,\"completionTokens\":2}}\n",
                "ai_sdk_data header | reasoning hm | answer Hi 안녕 | tool f{} | usage 4/2/-/- | finish stop | end",
            )
        },
        Fixture {
            header: Some(("X-Vercel-AI-Data-Stream", "v1")),
            ..of("text/plain", "0:\"Hi\"\n3:\"no luck\"\n", "ai_sdk_data header | answer Hi | error no luck")
        },
        sse(
            "metadata\t{\"run_id\":\"r\"}\ndata\t\"Hi\"\ndata\t{\"content\":\" there\",\"type\":\"AIMessageChunk\"}\nend\t",
            "langserve event | answer Hi there | finish end | end",
        ),
        sse(
            "data\t\"Hi\"\nerror\t{\"status_code\":500,\"message\":\"Internal Server Error\"}",
            "langserve event | answer Hi | error Internal Server Error",
        ),
        sse(
            "{\"response\":\"Hi\",\"p\":\"abcdefgh\"}\n{\"response\":\"\",\"usage\":{\"prompt_tokens\":4,\"completion_tokens\":1}}\n[DONE]",
            "workers_ai event | answer Hi | usage 4/1/-/- | end",
        ),
        of(
            "text/event-stream",
            ": hi\n\nevent: output\nid: 1\ndata: \n\nevent: output\ndata: A\n\nevent: output\ndata:  {\"b\"\ndata: c\n\nevent: done\ndata: {}\n\n:408: 408 Request Timeout\n",
            "replicate event | answer A {\"b\"\nc | finish done | end",
        ),
        of(
            "text/event-stream",
            "id: 1\nevent: message\ndata: {\"results\":[{\"generated_text\":\"\",\"generated_token_count\":0,\"input_token_count\":8,\"stop_reason\":\"not_finished\"}]}\n\nid: 2\nevent: message\ndata: {\"results\":[{\"generated_text\":\"Hi\",\"generated_token_count\":1,\"input_token_count\":0,\"stop_reason\":\"max_tokens\"}]}\n\n",
            "watsonx event | usage 8/0/-/- | answer Hi | usage -/1/-/- | finish max_tokens",
        ),
        sse("{\"value\":\"Su\"}\n{\"value\":\"re\"}", "writer event | answer Sure"),
        sse("{\"model_name\":\"m\",\"text_output\":\"Hi\"}", "triton event | answer Hi"),
        sse("{\"model_name\":\"m\",\"text_output\":\"Hi\"}\n{\"error\":\"died\"}", "triton event | answer Hi | error died"),
        of("text/plain", "안녕, plain", "plain_text content_type | answer 안녕, plain"),
        of("", "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\n", "openai_chat event | answer Hi"),
        of("", " {\"choices\":[{\"message\":{\"content\":\"Hi\"}}]}", "openai_chat event | answer Hi"),
        of(
            "application/octet-stream",
            "{\"model\":\"m\",\"response\":\"Hi\",\"done\":false}\n",
            "ollama event | answer Hi",
        ),
        of("application/octet-stream", event("messageStop", r#"{"stopReason":"x"}"#), "bedrock first_bytes | finish x"),
        of("text/plain", "{\"a\": 1}", "plain_text content_type | answer {\"a\": 1}"),
        of("text/html", "<html>", "unknown html_page"),
        of("image/png", "PNG", "unknown content_type"),
        json(
            r#"{"choices":[{"index":0,"message":{"reasoning":"hm","content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":2,"completion_tokens":1}}"#,
            "openai_chat event | reasoning hm | answer Hi | finish stop | usage 2/1/-/-",
        ),
        json(
            r#"{"object":"response","status":"completed","error":null,"output":[{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]},{"type":"message","content":[{"type":"output_text","text":"Hi"}]},{"type":"function_call","name":"f","arguments":"{}"}],"usage":{"input_tokens":1,"output_tokens":2}}"#,
            "openai_responses event | reasoning hm | answer Hi | tool f{} | finish completed | usage 1/2/-/-",
        ),
        json(
            r#"{"type":"message","role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Hi"},{"type":"tool_use","name":"f","input":{"a":1}}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":2}}"#,
            "anthropic_messages event | reasoning hm | answer Hi | tool f{\"a\":1} | finish end_turn | usage 1/2/-/-",
        ),
        json(
            r#"{"candidates":[{"content":{"parts":[{"text":"Hi"}]},"finishReason":"STOP"}]}"#,
            "gemini event | answer Hi | finish STOP",
        ),
        json(r#"{"model":"m","response":"Hi","done":true,"done_reason":"stop"}"#, "ollama event | answer Hi | finish stop | end"),
        json(r#"{"content":"Hi","stop":true,"stop_type":"eos"}"#, "llama_cpp event | answer Hi | finish eos | end"),
        json(r#"[{"generated_text":"Hi"}]"#, "tgi event | answer Hi | end"),
        json(
            r#"{"message":{"role":"assistant","content":[{"type":"text","text":"Hi"}]},"finish_reason":"COMPLETE"}"#,
            "cohere_v2 event | answer Hi | finish COMPLETE",
        ),
        json(
            r#"{"output":{"message":{"role":"assistant","content":[{"text":"Hi"}]}},"stopReason":"end_turn","metrics":{"latencyMs":7}}"#,
            "bedrock event | answer Hi | finish end_turn | span metrics.latencyMs 7 ms total",
        ),
        json(r#"{"result":{"response":"Hi"},"success":true,"errors":[]}"#, "workers_ai event | answer Hi"),
        json(r#"{"score": 0.93}"#, "json_body content_type | prediction | answer {\"score\": 0.93}"),
        json(
            r#"{"object":"list","data":[{"embedding":[1,2]},{"embedding":[3,4]}]}"#,
            "json_body content_type | prediction | answer {\"object\":\"list\",\"data\":[{\"embedding\":[1,2]},{\"embedding\":[3,4]}]} | items 2",
        ),
        json("[1,2,3]", "json_body content_type | prediction | answer [1,2,3] | items 3"),
        json("{\"error\":{\"message\":\"no\"}}", "json_body content_type | error no"),
    ]
}
