// One answer over a WebSocket: from the first message sent to the one that ends it.

import { chosen, record } from "./passive/record.js";

/** @type {import("./web-socket.js").observeWebSocket} */
export function observeWebSocket(socket, element, options = {}) {
  const allowed = chosen(options);
  if (!allowed) return { done: Promise.resolve(null), cancel() {} };
  const { ends = () => false, sent } = options;
  const stream = record("web_socket", element, options, allowed, { sent, url: socket.url });
  const { send, close } = socket;
  let last = performance.now();
  const onMessage = ({ data }) => {
    const at = performance.now();
    const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data instanceof ArrayBuffer ? new Uint8Array(data) : data.size;
    stream.read(at, last, bytes);
    last = at;
    if (ends(data)) over(() => stream.end(at));
  };
  const onClose = ({ code, wasClean }) => {
    const at = performance.now();
    over(() => (wasClean && code === 1000 ? stream.end(at) : stream.fail(at, { name: `close_${code}` })));
  };
  const over = (tell) => {
    tell();
    socket.removeEventListener("message", onMessage);
    socket.removeEventListener("close", onClose);
    delete socket.send;
    delete socket.close;
  };
  socket.addEventListener("message", onMessage);
  socket.addEventListener("close", onClose);
  if (sent === undefined) {
    socket.send = (data) => {
      delete socket.send;
      last = performance.now();
      stream.sent(last);
      return send.call(socket, data);
    };
  }
  socket.close = (...why) => {
    const at = performance.now();
    over(() => stream.cancel(at));
    return close.apply(socket, why);
  };
  return { done: stream.done, cancel: () => over(stream.stop) };
}
