// The same bytes through Firstlight's decoder and through what a page in JavaScript would do, by turns.

import init, { Reply } from "./decode_bench.js";
import { createParser } from "./eventsource-parser/index.js";
import { STREAMS, reads } from "./streams.js";

/** How a page takes the text out of an event. */
const TEXT = {
  openai: (json) => json.choices[0]?.delta.content,
  anthropic: (json) => (json.type === "content_block_delta" ? json.delta.text : undefined),
};

function firstlight(all) {
  const begin = performance.now();
  const reply = new Reply();
  for (const bytes of all) reply.read(bytes);
  const ms = performance.now() - begin;
  const result = { ms, text: reply.text(), events: reply.events() };
  reply.free();
  return result;
}

function javascript(all, textOf) {
  const begin = performance.now();
  const decoder = new TextDecoder();
  let text = "";
  let events = 0;
  const parser = createParser({
    onEvent({ data }) {
      events += 1;
      if (data !== "[DONE]") text += textOf(JSON.parse(data)) ?? "";
    },
  });
  for (const bytes of all) parser.feed(decoder.decode(bytes, { stream: true }));
  return { ms: performance.now() - begin, text, events };
}

/** Both decoders by turns, in turning order; the milliseconds of every round, and what was decoded. */
export const bench = async (name, megabytes, readSize, rounds, warmup) => {
  await init();
  const bytes = STREAMS[name](megabytes * 1e6);
  const all = reads(bytes, readSize);
  const result = { bytes: bytes.length, events: 0, chars: 0, firstlight: [], javascript: [] };
  for (let round = -warmup; round < rounds; round += 1) {
    const ours = () => firstlight(all);
    const theirs = () => javascript(all, TEXT[name]);
    let a, b;
    if (round % 2) [a, b] = [ours(), theirs()];
    else [b, a] = [theirs(), ours()];
    if (a.text !== b.text) throw new Error(`the answers differ: ${a.text.length} and ${b.text.length} characters`);
    if (a.events !== b.events) throw new Error(`${a.events} and ${b.events} events`);
    Object.assign(result, { events: a.events, chars: a.text.length });
    if (round >= 0) {
      result.firstlight.push(a.ms);
      result.javascript.push(b.ms);
    }
    // A turn for the browser, and for its collector.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return result;
};
