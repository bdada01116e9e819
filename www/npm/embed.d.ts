import type { ErrorDetail, ProgressDetail, Report, Sample } from "./element.js";

/** What a host sends to the frame: `frame.contentWindow.postMessage(message, originOfTheFrame)`. */
export type ToFrame =
  /** Asks for `ready`, for whoever began to listen too late. */
  | { firstlight: 1; type: "hello" }
  /** For the next run; answered with `configured` or `error`. */
  | { firstlight: 1; type: "configure"; setup: Setup }
  | { firstlight: 1; type: "start" }
  | { firstlight: 1; type: "stop" };

/** What the frame sends to its host. */
export type FromFrame =
  | { firstlight: 1; type: "ready"; version: string; running: boolean }
  | { firstlight: 1; type: "configured" }
  | { firstlight: 1; type: "progress"; progress: ProgressDetail }
  | { firstlight: 1; type: "sample"; sample: Sample }
  | { firstlight: 1; type: "report"; report: Report; not_seen: NotSeen[] }
  | { firstlight: 1; type: "error"; error: FrameError };

/** What can't be seen of the page around. */
export type NotSeen = "covered_by_outer_page" | "slowed_by_browser" | "coarse_clock";

export type FrameError = ErrorDetail | { code: "version" | "unknown_message"; message: string; problems: [] };

/** Attributes of the element, and what only a message may say. `null` takes an attribute away. */
export interface Setup {
  target?: string | null;
  model?: string | null;
  prompt?: string | null;
  mode?: string | null;
  requests?: string | number | null;
  concurrency?: string | number | null;
  warmup?: string | number | null;
  editable?: string | null;
  locked?: boolean;
  theme?: string | null;
  lang?: string | null;
  config?: object;
  apiKey?: string;
  headers?: [string, string][] | Record<string, string>;
}
