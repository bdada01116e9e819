import { Shell } from "./element/shell.js";
import type { Report, Sample } from "./measure.js";

export type { Report, Sample };

/** A part of the set-up that a person may be allowed to change. */
export type Editable = "target" | "model" | "key" | "prompt" | "mode" | "requests" | "concurrency" | "warmup";

export type Mode = "streaming" | "non_streaming" | "both";

/** Not known yet, with the reason. */
export interface Absent {
  absent: string;
}

/** The element can be used: `start()` begins at once. */
export interface ReadyDetail {
  /** Of the package and of its WebAssembly. */
  version: string;
}

/** How far a run is; told at most once a second, in idle time. Figures are of what was received so far. */
export interface ProgressDetail {
  warmup: { done: number; of: number };
  measured: { done: number; of: number };
  /** Measured requests that failed. */
  failed: number;
  in_flight: number;
  time_left_ms: number | Absent;
  first_received: { p50_ms: number; p95_ms: number } | Absent;
  complete: { p50_ms: number; p95_ms: number } | Absent;
  /** The page is hidden, and nothing is sent. */
  paused: boolean;
}

/** Why nothing was measured, or why it ended. */
export type ErrorCode =
  /** The set-up is wrong: see `problems`. Nothing was sent. */
  | "invalid"
  /** Another element of this page measures. Nothing was sent. */
  | "busy"
  /** The page is hidden, so nothing could be seen. Nothing was sent. */
  | "hidden"
  /** The element is in no page. Nothing was sent. */
  | "not_in_page"
  /** It was taken out of its page: the run was stopped, and a `report` of what was measured follows. */
  | "disconnected"
  /** The worker broke, and what it had measured is lost. */
  | "worker_broke"
  /** The WebAssembly could not be loaded. */
  | "load"
  /** The WebAssembly broke: reload the page. */
  | "broken";

export interface ErrorDetail {
  code: ErrorCode;
  /** For people, in the element's language. */
  message: string;
  problems: { field: string; message: string }[];
}

export interface FirstlightEventMap {
  ready: CustomEvent<ReadyDetail>;
  progress: CustomEvent<ProgressDetail>;
  /** A request is over; told with the next `progress`, at the latest before the `report`. */
  sample: CustomEvent<Sample>;
  /** A run is over, or was stopped (`stopped`). */
  report: CustomEvent<Report>;
  error: CustomEvent<ErrorDetail>;
}

/** `<firstlight-test>`. */
export declare class FirstlightTest extends Shell {}

declare global {
  interface HTMLElementTagNameMap {
    "firstlight-test": FirstlightTest;
  }
}
