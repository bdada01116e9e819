// What the custom elements have in common: attributes and properties in, events out, and a life that survives being moved. What stands
// in the shadow tree, and the measurement itself, is WebAssembly.

import { report } from "../measure/report.js";
import { load, worker } from "./module.js";

/** @typedef {import("./firstlight_element.js").Face} Face */

/** Attributes that are handed over as they stand. */
const PLAIN = ["model", "prompt", "mode", "requests", "concurrency", "warmup"];
/** Attributes that are properties of the same name. */
const REFLECTED = [...PLAIN, "target", "editable", "theme"];
/** What a person may change unless the host says otherwise. */
const EDITABLE = "prompt mode requests concurrency warmup";

// Where there is no document (a page that is made on a server) there is nothing to extend, and nothing is defined.
const Base = /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? class {});

/**
 * Defines an element, once, where there are any.
 * @param {string} name
 * @param {CustomElementConstructor} element
 */
export function define(name, element) {
  const registry = globalThis.customElements;
  if (registry && !registry.get(name)) registry.define(name, element);
}

export class Shell extends Base {
  /** It is a race. */
  static race = false;

  static get observedAttributes() {
    return [...PLAIN, "target", "editable", "locked", "lang"];
  }

  /** @type {Face | undefined} */
  #face;
  #mounting = false;
  #startWanted = false;
  #changed = false;
  /** What only properties can say: kept in memory, and in no attribute. */
  #given = { config: {}, apiKey: "", headers: /** @type {[string, string][]} */ ([]) };
  /** @type {import("../measure.js").Report | null} */
  #report = null;

  constructor() {
    super();
    this.attachShadow?.({ mode: "open" });
  }

  /** The last report; none before the first. */
  get report() {
    return this.#report;
  }

  /** A run is under way. */
  get running() {
    return this.#face?.running() ?? false;
  }

  /** Fields of a run's configuration, laid over what the attributes say. */
  get config() {
    return this.#given.config;
  }

  set config(config) {
    this.#given.config = config ?? {};
    this.#change();
  }

  get apiKey() {
    return this.#given.apiKey;
  }

  set apiKey(key) {
    this.#given.apiKey = String(key ?? "");
    this.#change();
  }

  get headers() {
    return this.#given.headers;
  }

  set headers(headers) {
    const object = /** @type {any} */ (headers ?? []);
    this.#given.headers = Symbol.iterator in Object(object) ? [...object] : Object.entries(object);
    this.#change();
  }

  /** Starts a run; events tell what becomes of it. */
  start() {
    if (this.#face) this.#face.start();
    else if (this.isConnected) this.#startWanted = true;
    else this.#tell("error", { code: "not_in_page", message: "The element is in no page: put it into the document first.", problems: [] });
  }

  /** Stops it; what was measured is kept, and told in a `report`. */
  stop() {
    this.#startWanted = false;
    this.#face?.stop();
  }

  connectedCallback() {
    // Set before there was a definition: then they are the object's own, and hide those of the class.
    for (const name of /** @type {const} */ (["config", "apiKey", "headers", ...REFLECTED, "locked"])) {
      if (!Object.hasOwn(this, name)) continue;
      const value = /** @type {any} */ (this)[name];
      delete (/** @type {any} */ (this)[name]);
      /** @type {any} */ (this)[name] = value;
    }
    if (!this.#face) void this.#mount();
  }

  disconnectedCallback() {
    // Whoever moves an element takes it out and puts it in again at once.
    queueMicrotask(() => {
      if (!this.isConnected) this.#leave();
    });
  }

  /** Moved by `moveBefore`: nothing has changed. */
  connectedMoveCallback() {}

  attributeChangedCallback() {
    this.#change();
  }

  /** Several changes at once are one. */
  #change() {
    if (this.#changed) return;
    this.#changed = true;
    queueMicrotask(() => {
      this.#changed = false;
      this.#face?.set(this.#setup());
    });
  }

  async #mount() {
    if (this.#mounting) return;
    this.#mounting = true;
    try {
      const { Face, version } = await load();
      // Taken out meanwhile: the next time it is put into a page, this begins anew.
      if (!this.isConnected || !this.shadowRoot) return;
      const race = /** @type {typeof Shell} */ (this.constructor).race;
      /** @type {(name: string, detail: string, run?: string) => void} */
      const hear = (name, detail, run) => this.#hear(name, detail, run);
      this.#face = new Face(this, this.shadowRoot, race, this.#setup(), worker, hear);
      this.#tell("ready", { version: version() });
      if (this.#startWanted) this.#face.start();
    } catch (error) {
      const message = `The WebAssembly module could not be loaded: ${error}`;
      const line = document.createElement("p");
      line.setAttribute("role", "alert");
      line.textContent = message;
      this.shadowRoot?.replaceChildren(line);
      this.#tell("error", { code: "load", message, problems: [] });
    } finally {
      this.#mounting = false;
      this.#startWanted = false;
    }
  }

  /** Out of the page: a run is stopped and told; then nothing of this element is left. */
  #leave() {
    this.#startWanted = false;
    if (this.running) this.#face?.leave();
    else this.#drop();
  }

  #drop() {
    this.#face?.free();
    this.#face = undefined;
  }

  #setup() {
    /** @type {Record<string, unknown>} */
    const setup = { ...Object.fromEntries(PLAIN.map((name) => [name, this.getAttribute(name) ?? undefined])) };
    const target = this.getAttribute("target")?.trim() ?? "";
    // Of an absolute address nothing is changed: it may hold {model}.
    setup.target = target === "" || /^[a-z][a-z0-9+.-]*:/i.test(target) ? target : new URL(target, document.baseURI).href;
    setup.editable = this.hasAttribute("locked") ? "" : (this.getAttribute("editable") ?? EDITABLE);
    const language = /** @type {HTMLElement | null} */ (this.closest("[lang]"))?.lang;
    setup.lang = language || navigator.language;
    setup.config = this.#given.config;
    setup.key = this.#given.apiKey;
    setup.headers = this.#given.headers;
    return JSON.stringify(setup);
  }

  /**
   * @param {string} name
   * @param {string} detail
   * @param {string} [run]
   */
  #hear(name, detail, run) {
    // Taken out of the page while it ran. Not from inside a call of the module.
    queueMicrotask(() => {
      if (!this.isConnected && !this.running) this.#drop();
    });
    if (name !== "report" || run === undefined) return this.#tell(name, JSON.parse(detail));
    this.#report = report(JSON.parse(detail), JSON.parse(run));
    this.#tell(name, this.#report);
  }

  /**
   * Does not bubble: `error` is a name that pages listen to.
   * @param {string} name
   * @param {unknown} detail
   */
  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

for (const name of REFLECTED) {
  Object.defineProperty(Shell.prototype, name, {
    configurable: true,
    enumerable: true,
    /** @this {Element} */
    get() {
      return this.getAttribute(name) ?? "";
    },
    /** @this {Element} @param {unknown} value */
    set(value) {
      if (value === null || value === undefined) this.removeAttribute(name);
      else this.setAttribute(name, String(value));
    },
  });
}

Object.defineProperty(Shell.prototype, "locked", {
  configurable: true,
  enumerable: true,
  /** @this {Element} */
  get() {
    return this.hasAttribute("locked");
  },
  /** @this {Element} @param {unknown} value */
  set(value) {
    this.toggleAttribute("locked", Boolean(value));
  },
});
