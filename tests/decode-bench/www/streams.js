// Streams as the two APIs send them: the shape, order and length of the fields are theirs, the words are made up.

const TOKENS = [
  " the", " of", " and", " latency", " is", " what", " people", " see", ",", ".", " a", " wait", " before", " first", " words", "ing",
  " measure", "d", " browser", " frame", " stream", "s", " token", " by", " 안", "녕", "하", "세요", " é", "té", "\n\n", "\n", " \"quoted\"", "**",
  " network", " server", " says", " 42", "%", ":", " queue", " between", " them", " lies", " rest",
];

/** A generator that gives the same numbers in every browser (mulberry32). */
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** One or two tokens. */
function words(next) {
  const token = () => TOKENS[Math.floor(next() * TOKENS.length)];
  return next() < 0.7 ? token() : token() + token();
}

function fill(begin, event, end, size) {
  const next = random(1);
  const parts = [begin];
  let length = begin.length;
  while (length < size) {
    const part = event(next);
    parts.push(part);
    length += part.length;
  }
  parts.push(end);
  return new TextEncoder().encode(parts.join(""));
}

const chunk = (choices, usage, more) =>
  `data: {"id":"chatcmpl-CXa1bD7eFgH2iJkL3mNoPqRsTuVwX","object":"chat.completion.chunk","created":1795969714,` +
  `"model":"gpt-4o-mini-2024-07-18","service_tier":"default","system_fingerprint":"fp_560af6e559","choices":${choices},` +
  `"usage":${usage}${more}}\n\n`;

/** Chat completions of OpenAI, with `stream_options.include_usage`: about 320 bytes an event. */
function openai(size) {
  const choice = (delta, reason) => `[{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${reason}}]`;
  const pad = (next) => `,"obfuscation":"${"aB3dE5gH7jK9".slice(0, 1 + Math.floor(next() * 11))}"`;
  return fill(
    chunk(choice(`{"role":"assistant","content":"","refusal":null}`, "null"), "null", ""),
    (next) => chunk(choice(`{"content":${JSON.stringify(words(next))}}`, "null"), "null", pad(next)),
    chunk(choice("{}", `"stop"`), "null", "") +
      chunk("[]", `{"prompt_tokens":24,"completion_tokens":9,"total_tokens":33}`, "") +
      "data: [DONE]\n\n",
    size,
  );
}

const named = (name, rest) => `event: ${name}\ndata: {"type":"${name}"${rest}}\n\n`;

/** Messages of Anthropic: about 125 bytes an event. */
function anthropic(size) {
  return fill(
    named("message_start", `,"message":{"id":"msg_01","type":"message","role":"assistant","model":"claude-sonnet-4-5","content":[],` +
      `"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":25,"output_tokens":1}}`) +
      named("content_block_start", `,"index":0,"content_block":{"type":"text","text":""}`) +
      named("ping", ""),
    (next) => named("content_block_delta", `,"index":0,"delta":{"type":"text_delta","text":${JSON.stringify(words(next))}}`),
    named("content_block_stop", `,"index":0`) +
      named("message_delta", `,"delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":15}`) +
      named("message_stop", ""),
    size,
  );
}

export const STREAMS = { openai, anthropic };

/** The reads in which a stream comes: each has a buffer of its own, as the browser gives them. */
export function reads(bytes, size) {
  const all = [];
  for (let at = 0; at < bytes.length; at += size) all.push(bytes.slice(at, at + size));
  return all;
}
