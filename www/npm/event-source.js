// Server-sent events that the browser itself reads: each message is one arrival.

import { chosen, record } from "./passive/record.js";

/** @type {import("./event-source.js").observeEventSource} */
export function observeEventSource(source, element, options = {}) {
  const allowed = chosen(options);
  if (!allowed) return { done: Promise.resolve(null), cancel() {} };
  const { events = ["message"], ends = (event) => event.data === "[DONE]" } = options;
  const { sent } = options;
  const stream = record("event_source", element, options, allowed, { sent, url: source.url });
  const { close } = source;
  let last = performance.now();
  let reconnects = -1;
  const onOpen = () => {
    const at = performance.now();
    reconnects++;
    stream.tell({ reconnects });
    if (reconnects === 0) stream.opened(at);
  };
  const onEvent = (event) => {
    const at = performance.now();
    const bytes = new TextEncoder().encode(event.data);
    stream.read(at, last, bytes);
    last = at;
    if (ends(event)) over(() => stream.end(at));
  };
  const onError = () => {
    const at = performance.now();
    // Otherwise the browser connects again by itself.
    if (source.readyState === source.CLOSED) over(() => stream.fail(at, { name: "connection_closed" }));
  };
  const over = (tell) => {
    tell();
    source.removeEventListener("open", onOpen);
    source.removeEventListener("error", onError);
    for (const name of events) source.removeEventListener(name, onEvent);
    delete source.close;
  };
  source.addEventListener("open", onOpen);
  source.addEventListener("error", onError);
  for (const name of events) source.addEventListener(name, onEvent);
  // Closing tells nobody.
  source.close = () => {
    const at = performance.now();
    close.call(source);
    over(() => stream.cancel(at));
  };
  return { done: stream.done, cancel: () => over(stream.stop) };
}
