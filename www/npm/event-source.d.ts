import type { Observation, Options } from "./passive.js";

export interface EventSourceOptions extends Options {
  /** Names of the events that bring the answer. Default `["message"]`. */
  events?: string[];
  /** Does this event end the answer? Default: its data is `[DONE]`. A source itself never ends. */
  ends?: (event: MessageEvent) => boolean;
}

/** Observes an EventSource. Call it before adding listeners of your own, so that stamps come first. */
export function observeEventSource(source: EventSource, element?: Element | null, options?: EventSourceOptions): Observation;
