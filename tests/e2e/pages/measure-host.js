// A host page of `measure`: it counts what the part leaves behind, and says what it gets.

const before = new Set(Object.getOwnPropertyNames(window));

// What is held and let go, counted before the part is there.
let workers = 0;
const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype;
const known = new Map();
const listeners = new Map();
const keys = (target, kind, listener) => {
  if (!known.has(target)) known.set(target, new Set());
  if (!listeners.has(listener)) listeners.set(listener, listeners.size);
  return [known.get(target), `${kind}/${listeners.get(listener)}`];
};
EventTarget.prototype.addEventListener = function (kind, listener, ...rest) {
  const [set, key] = keys(this ?? window, kind, listener);
  set.add(key);
  return add.call(this ?? window, kind, listener, ...rest);
};
EventTarget.prototype.removeEventListener = function (kind, listener, ...rest) {
  const [set, key] = keys(this ?? window, kind, listener);
  set.delete(key);
  return remove.call(this ?? window, kind, listener, ...rest);
};
const observing = new Set();
for (const Class of [PerformanceObserver, IntersectionObserver]) {
  const { observe, disconnect } = Class.prototype;
  Class.prototype.observe = function (...args) {
    observing.add(this);
    return observe.apply(this, args);
  };
  Class.prototype.disconnect = function () {
    observing.delete(this);
    return disconnect.call(this);
  };
}
const NativeWorker = Worker;
window.Worker = class extends NativeWorker {
  constructor(...args) {
    super(...args);
    workers += 1;
  }
  terminate() {
    workers -= 1;
    super.terminate();
  }
};

const problems = [];
add.call(window, "error", (event) => problems.push(event.message));
add.call(window, "unhandledrejection", (event) => problems.push(String(event.reason)));
add.call(document, "securitypolicyviolation", (event) => problems.push(`${event.violatedDirective}: ${event.blockedURI}`));
for (const kind of ["error", "warn"]) {
  const native = console[kind];
  console[kind] = (...parts) => problems.push(parts.join(" "), native(...parts));
}

const { measure, FirstlightError } = await import("./firstlight/measure.js");
const loaded = () => performance.getEntriesByType("resource").filter((entry) => entry.name.endsWith(".wasm")).length;
const added = Object.getOwnPropertyNames(window).filter((name) => !before.has(name) && name !== "ret_nodes"); // One driver's own.
const loadedAtImport = loaded();

/** The report, or what was thrown. */
async function settled(promise) {
  try {
    return { report: await promise };
  } catch (error) {
    const { name, code, message, problems: list } = error;
    return { error: { name, code, message, problems: list, is: error instanceof FirstlightError } };
  }
}

const scenarios = {
  /** One run; `into` names where answers are drawn. */
  async run(config, { into, ...options } = {}) {
    const samples = [];
    let element;
    if (into === "light") element = document.getElementById("answers");
    if (into === "shadow") {
      element = document.createElement("div");
      document.getElementById("shadow").attachShadow({ mode: "open" }).append(element);
    }
    const inside = element?.innerHTML;
    const result = await settled(measure(config, { ...options, into: element, onSample: (sample) => void samples.push(sample) }));
    return { ...result, samples, unchanged: element?.innerHTML === inside };
  },

  /** Stopped after so many requests. */
  async stop(config, after) {
    const control = new AbortController();
    let n = 0;
    return settled(measure(config, { signal: control.signal, onSample: () => ++n === after && control.abort() }));
  },

  /** Two at once; a third gives up while it waits, a fourth was given up before. */
  async queue(config) {
    const order = [];
    const mark = (name, promise) => promise.finally(() => order.push(name));
    const control = new AbortController();
    const first = mark("first", settled(measure(config)));
    const second = mark("second", settled(measure(config)));
    const third = mark("third", settled(measure(config, { signal: control.signal })));
    control.abort();
    const aborted = mark("aborted", settled(measure(config, { signal: AbortSignal.abort() })));
    const all = await Promise.all([first, second, third, aborted]);
    return { order, all };
  },

  /** The host's callback throws. */
  async throws(config) {
    const seen = problems.length;
    const result = await settled(measure(config, { onSample: () => { throw new Error("the host's own"); } }));
    await new Promise((resolve) => setTimeout(resolve, 0));
    return { ...result, told: problems.splice(seen) };
  },

  /** What is left behind. */
  async left() {
    let open = 0;
    for (const set of known.values()) open += set.size;
    const sheets = document.adoptedStyleSheets.length;
    return { added, problems, loadedAtImport, loaded: loaded(), open, workers, observers: observing.size, sheets };
  },
};

// For the test's own driver, the one global here.
window.host = async (name, args) => JSON.stringify((await scenarios[name](...JSON.parse(args))) ?? null);
document.body.dataset.state = "ready";
