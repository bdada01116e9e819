// Messages between the page for frames and the page around it. Every one is an object with `firstlight: 1` and a `type`; messages of
// other origins, of other windows and of other programs are not for this one, and are left alone.

/** The version of the protocol. */
export const PROTOCOL = 1;

/**
 * An origin as browsers write it; none if the text is more, less or something else.
 * @param {string} text
 */
function origin(text) {
  try {
    const url = new URL(text);
    const whole = url.origin === text || `${url.origin}/` === text;
    return whole && /^https?:$/.test(url.protocol) ? url.origin : undefined;
  } catch {
    return undefined;
  }
}

export class Line {
  /** @type {Map<string, (message: any) => void>} */
  #handlers = new Map();
  /** @type {string[]} */
  #origins;

  /** @param {string[]} origins Those that may speak and are spoken to. */
  constructor(origins) {
    const allowed = origins.map(origin).filter((known) => known !== undefined);
    // Where the browser says whose the page around is, nobody else is spoken to.
    const around = location.ancestorOrigins?.[0];
    this.#origins = around === undefined ? allowed : allowed.filter((known) => known === around);
    if (window.parent !== window && this.#origins.length > 0) addEventListener("message", (event) => this.#hear(event));
  }

  /**
   * @param {string} type
   * @param {(message: any) => void} handler
   */
  on(type, handler) {
    this.#handlers.set(type, handler);
  }

  /**
   * @param {string} type
   * @param {object} [parts]
   */
  send(type, parts = {}) {
    if (window.parent === window) return;
    for (const to of this.#origins) window.parent.postMessage({ firstlight: PROTOCOL, type, ...parts }, to);
  }

  /** @param {MessageEvent} event */
  #hear({ source, origin: from, data }) {
    if (source !== window.parent || !this.#origins.includes(from) || typeof data?.firstlight !== "number") return;
    // From now on it is known who is there.
    this.#origins = [from];
    if (data.firstlight !== PROTOCOL) {
      return this.#refuse("version", `This page speaks version ${PROTOCOL} of the protocol, the message has ${data.firstlight}.`);
    }
    const handler = this.#handlers.get(data.type);
    if (handler) handler(data);
    else this.#refuse("unknown_message", `There is no message “${data.type}”: hello, configure, start and stop are known.`);
  }

  /**
   * @param {string} code
   * @param {string} message
   */
  #refuse(code, message) {
    this.send("error", { error: { code, message, problems: [] } });
  }
}
