import type { FirstlightEventMap, Mode } from "../element.js";
import type { Config, Report } from "../measure.js";

/** What both elements have. Events do not bubble. */
export declare class Shell extends HTMLElement {
  /** Address to measure; `{model}` and `{stream:…|…}` are filled in. A relative one is of the page. */
  target: string;
  model: string;
  prompt: string;
  /** `streaming` (default), `non_streaming` or `both`. */
  mode: Mode | "";
  /** Measured requests of each mode. Default 20. */
  requests: string;
  /** Requests at once. Default 1. */
  concurrency: string;
  /** Requests before the measured ones, in no figure. Default 1. */
  warmup: string;
  /** Codes of what a person may change, with spaces. Default `prompt mode requests concurrency warmup`. */
  editable: string;
  /** Nothing may be changed. */
  locked: boolean;
  /** `light` or `dark`; else as the person's system has it. */
  theme: "light" | "dark" | "";
  /** Fields of a run's configuration, laid over the attributes; answers are drawn as plain text. */
  config: Partial<Config>;
  /** In memory only: never in an attribute, an event or a report. */
  apiKey: string;
  /** Sent as they are; in memory only. */
  headers: Iterable<[string, string]> | Record<string, string>;
  /** The last one. */
  readonly report: Report | null;
  readonly running: boolean;
  start(): void;
  /** What was measured is kept, and told in a `report`. */
  stop(): void;
  addEventListener<K extends keyof FirstlightEventMap>(
    type: K,
    listener: (this: this, event: FirstlightEventMap[K]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

/** Defines an element, once, where there are any. */
export declare function define(name: string, element: CustomElementConstructor): void;
