// The product's own fetch and its responses.

import { watchBody } from "./body.js";
import { chosen, record } from "./record.js";

/** @type {import("../passive.js").observe} */
export function observe(response, element, options = {}) {
  const at = performance.now();
  return attempt(
    () => {
      const allowed = chosen(options);
      // An entry of a redirected request bears a name that the response does not tell.
      const url = options.url ?? (response.redirected ? undefined : response.url);
      const stream = allowed && record("fetch", element, options, allowed, { sent: options.sent, url });
      return stream && { ...attach(response, stream, at), response };
    },
    () => ({ response, done: Promise.resolve(null), cancel() {} }),
  );
}

/** @type {import("../passive.js").wrapFetch} */
export function wrapFetch(fetch, options = {}) {
  return (input, init) => {
    const stream = attempt(() => {
      const allowed = chosen(options);
      const { element } = options;
      return allowed && record("fetch", typeof element === "function" ? element(input, init) : element, options, allowed, {
        sent: performance.now(),
        url: new URL(input.url ?? input, globalThis.location?.href).href,
        signal: init?.signal ?? input.signal,
      });
    });
    if (!stream) return fetch(input, init);
    stream.sent(performance.now());
    return fetch(input, init).then(
      (response) => {
        const at = performance.now();
        attempt(() => attach(response, stream, at));
        return response;
      },
      (error) => {
        stream.fail(performance.now(), error);
        throw error;
      },
    );
  };
}

/** What goes wrong here is told to the page, and is no affair of the product's. */
function attempt(act, otherwise = () => undefined) {
  try {
    return act() || otherwise();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
    return otherwise();
  }
}

const NO_BODY = [204, 205, 304];

function attach(response, stream, at) {
  stream.headers(at, response);
  if (response.bodyUsed) stream.give("body_used");
  else if (response.type.startsWith("opaque")) stream.give("opaque");
  else if (NO_BODY.includes(response.status)) stream.end(at);
  else {
    try {
      watchBody(response, stream);
    } catch (error) {
      stream.give(error.name);
    }
  }
  return { done: stream.done, cancel: stream.stop };
}
