// A host page of the passive part: every scenario reads streams as products do, with it and without, and says what it saw.

const before = new Set(Object.getOwnPropertyNames(window));
// As a bundler takes it, and as a page without one does.
const file = location.search === "?min" ? "passive.min.js" : "passive.js";
const { observe, wrapFetch } = await import(`./firstlight/${file}`);
const { deliver } = await import("./firstlight/deliver.js");
const { observeEventSource } = await import("./firstlight/event-source.js");
const { observeWebSocket } = await import("./firstlight/web-socket.js");
const { tap } = await import("./firstlight/ai-sdk.js");

const added = Object.getOwnPropertyNames(window).filter((name) => !before.has(name) && name !== "ret_nodes"); // One driver's own.

const element = document.getElementById("answer");
const problems = [];
addEventListener("error", (event) => problems.push(event.message));
addEventListener("unhandledrejection", (event) => problems.push(String(event.reason)));
const consoleError = console.error;
console.error = (...parts) => problems.push(parts.join(" "), consoleError(...parts));

const body = JSON.stringify({ stream: true, messages: [{ role: "user", content: "Why is the sky blue?" }] });
const init = (more) => ({ method: "POST", body, cache: "no-store", headers: { "content-type": "application/json" }, ...more });
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const named = (error) => ({ name: error?.name ?? String(error), message: error?.message ?? "" });
const attempt = async (act) => {
  try {
    return { value: await act() };
  } catch (error) {
    return { error: named(error) };
  }
};

/** A measured fetch and the report of its one response. */
function measured(options = {}) {
  let told;
  const report = new Promise((resolve) => (told = resolve));
  return { fetch: wrapFetch(fetch, { settleMs: 200, ...options, onReport: told }), report };
}

/** Without what differs from one reply to the next. */
const steady = (facts) => JSON.stringify(facts).replace(/created\W+\d+|accept;dur=[\d.]+/g, "");

async function gather(reader, view) {
  const parts = [];
  for (;;) {
    const { done, value } = await (view ? reader.read(new Uint8Array(view)) : reader.read());
    if (done) return parts;
    parts.push(value);
  }
}

async function textOf(stream) {
  return new TextDecoder().decode(await new Blob(await gather(stream.getReader())).arrayBuffer());
}

/** Every way in which products read a body. */
const WAYS = {
  reader: (response) => textOf(response.body),
  reader_in_turns: async ({ body }) => {
    const parts = [];
    for (;;) {
      const reader = body.getReader();
      const { done, value } = await reader.read();
      reader.releaseLock();
      if (done) return new Blob(parts).text();
      parts.push(value);
    }
  },
  byob: async ({ body }) => new Blob(await gather(body.getReader({ mode: "byob" }), 13)).text(),
  iterate: async ({ body }) => {
    const parts = [];
    for await (const part of body) parts.push(part);
    return new Blob(parts).text();
  },
  pipe_through: async ({ body }) => {
    const parts = [];
    await body.pipeThrough(new TextDecoderStream()).pipeTo(new WritableStream({ write: (part) => void parts.push(part) }));
    return parts.join("");
  },
  pipe_to: async ({ body }) => {
    const parts = [];
    await body.pipeTo(new WritableStream({ write: (part) => void parts.push(part) }));
    return new Blob(parts).text();
  },
  tee: async ({ body }) => {
    const [a, b] = await Promise.all(body.tee().map(textOf));
    return a === b ? a : "the branches differ";
  },
  in_a_response: ({ body }) => new Response(body).text(),
  text: (response) => response.text(),
  json: (response) => response.json().then(JSON.stringify),
  array_buffer: async (response) => new TextDecoder().decode(await response.arrayBuffer()),
  blob: async (response) => {
    const blob = await response.blob();
    return blob.type + (await blob.text());
  },
  bytes: async (response) => new TextDecoder().decode(await response.bytes()),
  form_data: (response) => response.formData(),
  clone: async (response) => {
    const [a, b] = await Promise.all([response.clone(), response].map((each) => textOf(each.body)));
    return a === b ? a : "the clone differs";
  },
  body_then_text: (response) => (response.body ? response.text() : ""),
  twice: async (response) => {
    await response.text();
    return response.text();
  },
  locked: (response) => {
    response.body.getReader();
    return response.text();
  },
  two_readers: (response) => [response.body.getReader(), response.body.getReader()],
  two_pipes: ({ body }) => [body.pipeThrough(new TextDecoderStream()), body.pipeThrough(new TextDecoderStream())],
  byob_after_tee: ({ body }) => body.tee() && body.getReader({ mode: "byob" }),
  clone_used: async (response) => {
    await response.text();
    return response.clone();
  },
  cancelled: async (response) => {
    await response.body.cancel("enough");
    return `${response.bodyUsed} ${await response.text()}`;
  },
};

const scenarios = {
  /** The same address in every way, plain and measured. */
  async ways(url, ways) {
    const all = {};
    for (const way of ways ?? Object.keys(WAYS)) {
      const { fetch: watched, report } = measured();
      const plain = await attempt(async () => WAYS[way](await fetch(url, init())));
      const observed = await attempt(async () => WAYS[way](await watched(url, init())));
      // Nothing is told of a body that nobody reads.
      const unread = /locked|two_|byob_after/.test(way) || (plain.error && /byob|iterate/.test(way));
      const told = await (unread ? Promise.race([report, pause(700)]) : report);
      all[way] = { same: steady(plain) === steady(observed), plain, observed, report: told ?? null };
    }
    return all;
  },

  /** How often is a source asked for more, by a host that is slow? What it gives comes from an address, where there is one. */
  async pulls(url) {
    const hosts = {
      untouched: (response) => response.body,
      locked: ({ body }) => body.getReader(),
      one_read: ({ body }) => body.getReader().read(),
      three_reads: async ({ body }) => {
        const reader = body.getReader();
        for (let n = 0; n < 3; n++) await reader.read();
      },
      stuck_pipe: ({ body }) => void body.pipeTo(new WritableStream({ write: () => new Promise(() => {}) })),
      stuck_transform: ({ body }) => void body.pipeThrough(new TransformStream()),
      stuck_tee: async ({ body }) => body.tee()[0].getReader().read(),
      stuck_clone: async (response) => response.clone().body.getReader().read(),
    };
    const all = {};
    for (const [name, slow] of Object.entries(hosts)) {
      all[name] = [];
      for (const look of [(response) => response, (response) => observe(response, null).response]) {
        const pieces = url && (await fetch(url, init())).body.getReader();
        let pulls = 0;
        let waits = false;
        const pull = async (controller) => {
          pulls++;
          waits = true;
          controller.enqueue((await pieces.read()).value);
          waits = false;
        };
        const endless = (controller) => void (pulls++, controller.enqueue(new Uint8Array(5)));
        const source = new ReadableStream({ pull: pieces ? pull : endless }, { highWaterMark: 0 });
        const response = look(new Response(source));
        await slow(response);
        do await pause(20);
        while (waits);
        await pieces?.cancel();
        all[name].push(pulls);
      }
    }
    return all;
  },

  /** Reads a piece and cancels, by each way there is. */
  async cancel(urls) {
    const all = {};
    const abort = new AbortController();
    const ways = {
      reader: async ({ body }) => {
        const reader = body.getReader();
        await reader.read();
        return (await reader.cancel("enough")) ?? "nothing";
      },
      iterate: async ({ body }) => {
        for await (const part of body) return part.length > 0;
      },
      pipe: async ({ body }) => {
        const failed = new WritableStream({ write: () => Promise.reject(new RangeError("full")) });
        return body.pipeTo(failed);
      },
      abort: async ({ body }) => {
        const reader = body.getReader();
        await reader.read();
        abort.abort();
        return gather(reader);
      },
      abort_piped: async ({ body }) => body.pipeTo(new WritableStream({ write: () => void abort.abort() })),
      abort_text: async (response) => {
        setTimeout(() => abort.abort(), 50);
        return response.text();
      },
    };
    for (const way of Object.keys(ways)) {
      if (way === "iterate" && !ReadableStream.prototype[Symbol.asyncIterator]) continue;
      const results = [];
      const { fetch: watched, report } = measured();
      for (const get of [fetch, watched]) {
        const own = new AbortController();
        abort.abort = () => own.abort();
        results.push(await attempt(async () => ways[way](await get(`${urls}&rid=${way}-${results.length}`, init({ signal: own.signal })))));
      }
      all[way] = { plain: results[0], observed: results[1], report: await report };
    }
    return all;
  },

  /** What a response says of itself. */
  async itself(url) {
    const facts = (response) => ({
      url: response.url, redirected: response.redirected, type: response.type, status: response.status, ok: response.ok,
      statusText: response.statusText, headers: [...response.headers], used: response.bodyUsed, locked: response.body?.locked,
      tag: String(response), stream: response.body instanceof ReadableStream, keys: Object.keys(response), same: response.body === response.body,
    });
    const { fetch: watched, report } = measured();
    const [plain, observed] = [await fetch(url, init()), await watched(url, init())];
    const seen = [plain, observed].map((response) => {
      const steps = [facts(response)];
      const reader = response.body.getReader();
      steps.push(facts(response));
      reader.read().catch(() => {});
      steps.push(facts(response));
      reader.releaseLock();
      steps.push(facts(response));
      return steps;
    });
    await Promise.all([plain, observed].map((response) => response.body.cancel()));
    return { same: steady(seen[0]) === steady(seen[1]), plain: seen[0], observed: seen[1], isResponse: observed instanceof Response, report: await report };
  },

  /** In which order does what happens at once happen? The source is the page's own, so that both are fed alike. */
  async order() {
    const orders = {};
    for (const [name, look] of [["plain", (response) => response], ["observed", (response) => observe(response, null).response]]) {
      const order = [];
      let feed;
      const response = look(new Response(new ReadableStream({ start: (controller) => (feed = controller) })));
      const reader = response.body.getReader();
      reader.closed.then(() => order.push("closed"));
      let turn = Promise.resolve();
      reader.read().then(() => order.push("read 1")).then(() => order.push("after read 1"));
      reader.read().then(() => order.push("read 2"));
      for (let n = 0; n < 8; n++) turn = turn.then(() => order.push(n));
      feed.enqueue(new Uint8Array(1));
      await turn;
      order.push("later");
      feed.enqueue(new Uint8Array(1));
      feed.close();
      reader.read().then(({ done }) => order.push(`end ${done}`));
      await pause(0);
      orders[name] = order;
    }
    return orders;
  },

  /** A stream is shown as it comes. */
  async show(url, options) {
    const { fetch: watched, report } = measured({ element, ...options });
    element.textContent = "Earlier answer. ";
    await pause(0);
    const from = performance.now();
    const response = await watched(url, init());
    element.append("…");
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const host = [];
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      host.push(performance.now());
      const text = [...value.matchAll(/"content":"([^"]*)"/g)].map((match) => match[1]).join("");
      if (text) element.append(text);
    }
    const to = performance.now();
    return { from, host, to, report: await report };
  },

  async blocked(url) {
    const { fetch: watched, report } = measured({ element });
    const response = await watched(url, init());
    const timer = setInterval(() => { for (const end = performance.now() + 150; performance.now() < end;); }, 300);
    await textOf(response.body);
    clearInterval(timer);
    return report;
  },

  async unsampled(url) {
    let asked = 0;
    const own = await fetch(url, init());
    const none = observe(own, element, { sample: 0.5, random: () => 0.5, consent: () => asked++ });
    const refused = observe(own, element, { consent: () => false });
    const untouched = Object.getOwnPropertyNames(own).length === 0 && none.response === own && refused.response === own;
    const later = observe(own, element, { consent: () => Promise.resolve(false) });
    await own.text();
    let calls = 0;
    const fake = (...all) => (calls++, fetch(...all));
    const hooked = await wrapFetch(fetch, { element: () => { throw new RangeError("a hook of the host's"); } })(url, init());
    await hooked.text();
    const through = await wrapFetch(fake, { sample: 0.1, random: () => 0.1 })(url, init());
    await through.text();
    return { untouched, asked, calls, clean: Object.getOwnPropertyNames(through).length === 0, reports: await Promise.all([none.done, refused.done, later.done]) };
  },

  /** What is kept, and what is not said without being asked for. */
  async text(url) {
    const look = async (options, read) => {
      const { fetch: watched, report } = measured(options);
      await read(await watched(url, init({ headers: { "content-type": "application/json", authorization: "Bearer secret-key" } })));
      return report;
    };
    const decode = (bytes) => ({ bytes: bytes.length, streamed: true, text: new TextDecoder().decode(bytes) });
    return {
      plain: await look({}, (response) => textOf(response.body)),
      decoded: await look({ decode }, (response) => textOf(response.body)),
      broken: await look({ decode: () => { throw new RangeError("no"); } }, (response) => textOf(response.body)),
      asked: await look({ text: true, keepBytes: 40, decode, responseHeaders: ["content-type", "x-none"] }, (response) => response.body.pipeTo(new WritableStream())),
      whole: await look({ text: true }, (response) => response.text()),
    };
  },

  /** The collector fails first. */
  async deliver(url, endpoint) {
    const lost = [];
    const requests = [];
    let turn = 0;
    const flaky = (to, options) => {
      requests.push({ keepalive: options.keepalive, bytes: options.body.length });
      return turn++ ? fetch(to, options) : Promise.reject(new TypeError("no way there"));
    };
    const send = deliver({ url, delayMs: 20, retryMs: 30, tries: 3, maxQueue: 3, maxBytes: 3_000, fetch: flaky, onDrop: (report, reason) => lost.push([report.id, reason]) });
    const watched = wrapFetch(fetch, { settleMs: 100, onReport: send });
    await Promise.all([1, 2].map(async () => (await watched(endpoint, init())).text()));
    send({ id: "long", text: "x".repeat(4_000) });
    const many = { id: "many", reads: Array.from({ length: 500 }, () => [1, 2, 3]), readsLeftOut: 1 };
    send(many);
    while (turn < 2 || send.waiting()) await pause(10);
    for (const id of ["a", "b", "c", "d"]) send({ id });
    while (send.waiting()) await pause(10);
    const refused = deliver({ url: "./nowhere", delayMs: 0, fetch: () => Promise.resolve({ ok: false, status: 404 }), onDrop: (report, reason) => lost.push([report.id, reason]) });
    refused({ id: "refused" });
    await pause(50);
    send.stop();
    return { lost, requests, kept: many.reads.length };
  },

  /** Which pause does a collector get that asks for one? Timers are kept, and go off when they are told to. */
  async pauses() {
    const { setTimeout, clearTimeout } = window;
    const timers = new Map();
    let count = 0;
    window.setTimeout = (act, ms) => (timers.set(++count, { act, ms }), count);
    window.clearTimeout = (timer) => timers.delete(timer);
    const fire = async () => {
      const [[timer, { act }]] = timers;
      timers.delete(timer);
      act();
      for (let n = 0; n < 30; n++) await null;
    };
    const asks = {
      seconds: "7", date: new Date(Date.now() + 7_000).toUTCString(), long: "99999999", nothing: "0", past: "Thu, 01 Jan 1970 00:00:00 GMT", nonsense: "soon", none: "", dropped: "7",
    };
    const all = {};
    for (const [name, after] of Object.entries(asks)) {
      timers.clear();
      let turn = 0;
      const refuse = () => {
        // One more comes while the first is under way.
        send({ id: "meanwhile" });
        return { ok: false, status: 503, headers: new Headers(after ? { "retry-after": after } : {}) };
      };
      const send = deliver({ url: "./", delayMs: 5, retryMs: 100, tries: name === "dropped" ? 1 : 2, fetch: async () => (turn++ ? { ok: true } : refuse()) });
      send({ id: "first" });
      await fire();
      const pauses = [...timers.values()].map(({ ms }) => ms);
      await fire();
      all[name] = { pauses, requests: turn, waiting: send.waiting() };
      send.stop();
    }
    Object.assign(window, { setTimeout, clearTimeout });
    return all;
  },

  /** The page goes in the middle of a stream. */
  async leave(url, endpoint) {
    const watched = wrapFetch(fetch, { onReport: deliver({ url, delayMs: 60_000 }) });
    await (await watched(endpoint, init())).body.getReader().read();
    setTimeout(() => location.replace("about:blank"), 200);
  },

  async sources(url) {
    const source = new EventSource(url);
    const heard = [];
    const { done } = observeEventSource(source, element, { settleMs: 100 });
    source.onmessage = ({ data }) => {
      heard.push(data);
      if (data === "[DONE]") source.close();
    };
    const event_source = await done;

    class Socket extends EventTarget {
      url = "wss://example.test/chat?key=secret";
      sends = [];
      send(text) {
        this.sends.push(text);
      }
      close() {
        this.dispatchEvent(Object.assign(new Event("close"), { code: 1000, wasClean: true }));
      }
    }
    const message = (socket, data) => socket.dispatchEvent(Object.assign(new Event("message"), { data }));
    const socket = new Socket();
    const talk = observeWebSocket(socket, element, { settleMs: 100, ends: (data) => data === "end" });
    socket.send("ask");
    await pause(20);
    for (const text of ["한", "b", "end", "not of this answer"]) message(socket, text);
    const dead = new Socket();
    const death = observeWebSocket(dead, null, { settleMs: 10 });
    dead.dispatchEvent(Object.assign(new Event("close"), { code: 1006, wasClean: false }));
    const clean = Object.getOwnPropertyNames(socket).sort().join();

    const parts = [{ type: "text-delta", delta: "Hel" }, { type: "text-delta", delta: "lo" }, { type: "finish" }];
    const { transform, done: tapped } = tap(null, { settleMs: 10 });
    const out = await gather(new ReadableStream({ start: (c) => (parts.forEach((part) => c.enqueue(part)), c.close()) }).pipeThrough(transform).getReader());
    return {
      heard, event_source, sends: socket.sends, clean, web_socket: await talk.done, death: await death.done,
      tap: await tapped, passed: out.length === 3 && out.every((part, n) => part === parts[n]),
    };
  },

  /** Fetches that fail altogether. */
  async fails(url) {
    const { fetch: watched, report } = measured();
    return { plain: await attempt(() => fetch(url, init())), observed: await attempt(() => watched(url, init())), report: await report };
  },

  /** One answer, read by a reader. */
  async once(url) {
    const { fetch: watched, report } = measured({ element });
    await textOf((await watched(url, init())).body);
    return report;
  },

  /** Two at once to one address. */
  async pair(url) {
    const both = [measured(), measured()];
    await Promise.all(both.map(async ({ fetch: watched }) => textOf((await watched(url, init())).body)));
    return Promise.all(both.map(({ report }) => report));
  },

  /** Globals that came with the modules, and what went wrong since. */
  async left() {
    return { added, problems };
  },
};

// For the test's own driver, the one global here.
window.host = async (name, args) => JSON.stringify((await scenarios[name](...JSON.parse(args))) ?? null);
document.body.dataset.state = "ready";
