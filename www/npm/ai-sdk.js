// The AI SDK: its transports and providers take a `fetch`, its streams of parts can be tapped.

import { chosen, record } from "./passive/record.js";
export { wrapFetch } from "./passive/observe.js";

/** @type {import("./ai-sdk.js").tap} */
export function tap(element, options = {}) {
  const allowed = chosen(options);
  if (!allowed) return { transform: new TransformStream(), done: Promise.resolve(null), cancel() {} };
  const { sent } = options;
  const stream = record("tap", element, options, allowed, { sent });
  /** @type {Record<string, number>} */
  const parts = {};
  let last = performance.now();
  const transform = new TransformStream(
    {
      transform(part, controller) {
        const at = performance.now();
        controller.enqueue(part);
        const kind = typeof part === "string" ? "text" : part instanceof Uint8Array ? "bytes" : String(part?.type ?? "other");
        parts[kind] = (parts[kind] ?? 0) + 1;
        const text = typeof part === "string" ? part : part?.delta ?? part?.text ?? part?.textDelta;
        stream.read(at, last, part instanceof Uint8Array ? part : typeof text === "string" ? new TextEncoder().encode(text) : 0);
        last = at;
      },
      flush() {
        const at = performance.now();
        stream.tell({ parts });
        stream.end(at);
      },
      cancel() {
        const at = performance.now();
        stream.tell({ parts });
        stream.cancel(at);
      },
    },
    // As little as a transform can hold.
    { highWaterMark: 1 },
    { highWaterMark: 0 },
  );
  return { transform, done: stream.done, cancel: stream.stop };
}
