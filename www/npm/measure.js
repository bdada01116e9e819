// Measuring without an interface. The WebAssembly module is loaded with the first call, and not before.

import { Places } from "./measure/places.js";
import { report } from "./measure/report.js";

/** Why nothing was measured. */
export class FirstlightError extends Error {
  /**
   * @param {import("./measure.js").ErrorCode} code
   * @param {string} message
   * @param {import("./measure.js").Problem[]} problems
   * @param {unknown} [cause]
   */
  constructor(code, message, problems = [], cause) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "FirstlightError";
    this.code = code;
    this.problems = problems;
  }
}

/** @typedef {typeof import("./measure/firstlight_measure.js")} Module */

/** @type {Promise<Module> | undefined} */
let loading;
/** Why the module can't be used any more; none while it can. */
let death = "";
/** Over when nothing is measured any more: two runs at once would measure each other. */
let tail = Promise.resolve();

/**
 * The module. One that could not be loaded is asked for again by the next call.
 * @param {import("./measure.js").Options["wasmUrl"]} wasmUrl
 */
function load(wasmUrl) {
  loading ??= import("./measure/firstlight_measure.js")
    .then(async (module) => {
      await module.default(wasmUrl === undefined ? undefined : { module_or_path: wasmUrl });
      return module;
    })
    .catch((reason) => {
      loading = undefined;
      throw new FirstlightError("load", `the WebAssembly module could not be loaded: ${reason}`, [], reason);
    });
  return loading;
}

/**
 * The promise, or the signal's reason if that comes first.
 * @template T
 * @param {Promise<T>} promise
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<T>}
 */
function unlessAborted(promise, signal) {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/**
 * Waits for the runs before; what is given ends this one's turn.
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<() => void>}
 */
async function turn(signal) {
  const before = tail;
  /** @type {() => void} */
  let over = () => {};
  const mine = new Promise((resolve) => (over = () => resolve(undefined)));
  tail = before.then(() => mine);
  try {
    await unlessAborted(before, signal);
  } catch (reason) {
    over();
    throw reason;
  }
  return over;
}

/** @param {string} message */
const wrong = (message) => new FirstlightError("config", message, [{ field: "config", message }]);

/**
 * The configuration, and what is kept out of every report, as text.
 * @param {import("./measure.js").Config} config
 * @param {import("./measure.js").Options} options
 */
function texts(config, { apiKey = "", headers = {} }) {
  const list = Symbol.iterator in headers ? [.../** @type {Iterable<readonly [string, string]>} */ (headers)] : Object.entries(headers);
  try {
    return [JSON.stringify(config) ?? "null", JSON.stringify({ api_key: apiKey, headers: list })];
  } catch (reason) {
    throw wrong(`the configuration can't be written as JSON: ${reason}`);
  }
}

/**
 * @param {Module} module
 * @param {string[]} texts
 * @param {import("./measure.js").Config} config
 * @param {import("./measure.js").Options} options
 * @returns {Promise<import("./measure.js").Report>}
 */
function run(module, [asked, secrets], config, { signal, onSample, into, places, workerUrl }) {
  const rooms = into ? new Places(into, places ?? Math.min(2 * (config.concurrency ?? 1), 4)) : undefined;
  return new Promise((resolve, reject) => {
    const stop = () => module.stop();
    const end = () => {
      signal?.removeEventListener("abort", stop);
      rooms?.remove();
    };
    const host = {
      worker() {
        // Written so that bundlers find the file.
        if (workerUrl === undefined) return new Worker(new URL("./measure-worker.js", import.meta.url), { type: "module" });
        return new Worker(workerUrl, { type: "module" });
      },
      rooms: () => rooms?.pairs ?? [],
      /** @param {string} json */
      sample(json) {
        try {
          onSample?.(JSON.parse(json));
        } catch (error) {
          // The host's own: told to its page, and no matter to the run.
          reportError(error);
        }
      },
      /** @param {string} figures @param {string} file */
      done(figures, file) {
        end();
        resolve(report(JSON.parse(figures), JSON.parse(file)));
      },
      /** @param {string} why */
      broken(why) {
        end();
        reject(new FirstlightError("worker", `the worker broke, and what it had measured is lost: ${why}`));
      },
      /** @param {string} why */
      dead(why) {
        death = why;
        end();
        reject(new FirstlightError("broken", `Firstlight broke: ${why}`));
      },
    };
    signal?.addEventListener("abort", stop);
    if (!module.start(asked, secrets, onSample !== undefined, host)) {
      end();
      reject(new FirstlightError("busy", "another copy of this function measures with the same module"));
    } else if (signal?.aborted) {
      stop();
    }
  });
}

/**
 * Measures, and gives the report.
 * @param {import("./measure.js").Config} config
 * @param {import("./measure.js").Options} [options]
 * @returns {Promise<import("./measure.js").Report>}
 */
export async function measure(config, options = {}) {
  const { signal } = options;
  signal?.throwIfAborted();
  if (typeof document === "undefined") throw new FirstlightError("no_document", "call it in a page: a worker has no document");
  const both = texts(config, options);
  const module = await unlessAborted(load(options.wasmUrl), signal);
  const alive = () => {
    if (death !== "") throw new FirstlightError("broken", `Firstlight broke before, reload the page: ${death}`);
  };
  alive();
  const problems = module.check(both[0], both[1]);
  if (problems !== undefined) {
    /** @type {import("./measure.js").Problem[]} */
    const list = JSON.parse(problems);
    throw new FirstlightError("config", list.map(({ field, message }) => `${field}: ${message}`).join("; "), list);
  }
  const over = await turn(signal);
  try {
    alive();
    return await run(module, both, config, options);
  } finally {
    over();
  }
}
