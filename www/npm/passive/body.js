// Lets every way of reading a response's body be seen, and changes none: the browser's own reader does the reading.

const WHOLE = ["text", "json", "arrayBuffer", "blob", "bytes", "formData"];
const WAYS = ["getReader", "cancel", "pipeTo", "pipeThrough", "tee", "values", Symbol.asyncIterator];

/** @param {object} object @param {PropertyKey} name @param {unknown} value */
const hide = (object, name, value) => Object.defineProperty(object, name, { value, configurable: true, writable: true });

/**
 * Watches a response that nobody has read yet. It stays the same object; only its own ways of reading are stamped.
 * @param {Response} response
 * @param {import("./record.js").Stream} seen
 */
export function watchBody(response, seen) {
  const prototype = Object.getPrototypeOf(response);
  /** @type {ReadableStream<Uint8Array> | undefined} */
  let original;
  /** @type {ReadableStream<Uint8Array> | undefined} */
  let shown;
  const get = () => {
    const body = Reflect.get(prototype, "body", response);
    // `clone()` gives the response another stream.
    if (body && body !== original) shown = through((original = body), seen);
    return body && shown;
  };
  Object.defineProperty(response, "body", { get, configurable: true });
  for (const name of WHOLE) {
    const whole = response[name];
    if (!whole) continue;
    hide(response, name, () => {
      // What the browser refuses says nothing of the stream. The stream is not asked for before the host does: in one engine
      // that alone changes the type of a blob.
      const refused = response.bodyUsed || original?.locked;
      const promise = whole.call(response);
      if (!refused) promise.then((value) => seen.whole(performance.now(), value), (error) => {
        const at = performance.now();
        // A body that is no JSON has come all the same.
        if (error?.name === "SyntaxError") seen.whole(at);
        else seen.fail(at, error);
      });
      return promise;
    });
  }
}

/** A stream that lends the original's reader, and reads from it only where the browser itself reads. */
function through(original, seen) {
  /** @type {ReadableStreamDefaultReader<Uint8Array> | undefined} Ours, from the first piping, teeing or iterating on. */
  let reader;
  const type = hasBytes(original) ? "bytes" : undefined;
  const pull = (controller) => {
    const asked = performance.now();
    reader ??= original.getReader();
    return reader.read().then(({ done, value }) => {
      const at = performance.now();
      if (done) {
        controller.close();
        controller.byobRequest?.respond(0);
        seen.end(at);
      } else {
        // Before it is handed on: a stream of bytes takes its memory away.
        seen.read(at, asked, value);
        if (type && !value.byteLength) return pull(controller);
        controller.enqueue(value);
      }
    }, (error) => {
      seen.fail(performance.now(), error);
      throw error;
    });
  };
  const cancel = (reason) => {
    seen.cancel(performance.now());
    return (reader ?? original).cancel(reason);
  };
  // No water mark: nothing is read before somebody asks.
  const shown = new ReadableStream({ type, pull, cancel }, { highWaterMark: 0 });
  const native = Object.getPrototypeOf(shown);
  const lockedHere = () => Reflect.get(native, "locked", shown);
  Object.defineProperty(shown, "locked", { get: () => lockedHere() || (!reader && original.locked), configurable: true });
  for (const way of WAYS) {
    const call = native[way];
    if (call) hide(shown, way, (...args) => {
      if (reader || lockedHere()) return call.apply(shown, args);
      // The browser's own words, where somebody reads already.
      if (original.locked) return call.apply(original, args);
      if (way === "getReader") return stamped(call.apply(original, args), seen);
      if (way === "cancel") seen.cancel(performance.now());
      else reader = original.getReader();
      return call.apply(way === "cancel" ? original : shown, args);
    });
  }
  return shown;
}

function hasBytes(stream) {
  try {
    stream.getReader({ mode: "byob" }).releaseLock();
    new ReadableStream({ type: "bytes" });
    return true;
  } catch {
    return false;
  }
}

/** The browser's reader; the promise of a read is its own, and the stamp is the first that hangs on it. */
function stamped(reader, seen) {
  const { read, cancel, releaseLock } = reader;
  let held = true;
  let pending = 0;
  let closed = false;
  const fail = (error) => {
    const at = performance.now();
    if (held) seen.fail(at, error);
  };
  hide(reader, "read", (...args) => {
    const asked = performance.now();
    const promise = read.apply(reader, args);
    pending++;
    promise.then(({ done, value }) => {
      const at = performance.now();
      pending--;
      if (!done) seen.read(at, asked, value);
      if (done || (closed && !pending)) seen.end(at);
    }, fail);
    return promise;
  });
  hide(reader, "cancel", (reason) => {
    if (held) seen.cancel(performance.now());
    return cancel.call(reader, reason);
  });
  hide(reader, "releaseLock", () => {
    releaseLock.call(reader);
    held = false;
  });
  // Whoever stops at the stream's own end mark never makes the last read, and an abort may come between two.
  reader.closed.then(() => {
    const at = performance.now();
    // The read that took the last piece may be told later.
    closed = true;
    if (held && !pending) seen.end(at);
  }, fail);
  return reader;
}
