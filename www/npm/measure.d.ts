import type { Absent } from "./passive.js";

/** What is asked: the fields of a run file's `config`. What is left out is as noted; every wrong field is named at once. */
export interface Config {
  /** The endpoint, complete. `{model}` and `{stream:…|…}` (the first if a stream is asked for, else the second) are filled in. */
  url: string;
  /** Whose endpoint. Default `"own"`. */
  target?: "own" | { built_in: string };
  /** Left out of the body if empty. Default none. */
  model?: string;
  /** `chat`: fields laid over a chat completion (null takes one away). `custom`: a whole body with `{prompt}`, `{messages}`,
   * `{max_tokens}`, `{model}` and `{stream}`. Default `{ chat: {} }`. */
  body?: { chat: Record<string, unknown> } | { custom: unknown };
  /** Default `"Hi"`. */
  prompt?: string;
  max_tokens?: number | null;
  /** Default `"streaming"`. `both`: pairs of one and the other, in random order. */
  mode?: "streaming" | "non_streaming" | "both";
  /** Measured requests, of each mode. 1 to 100,000; default 1. */
  requests?: number;
  /** Requests under way at once in a closed loop. 1 to 256; default 1. */
  concurrency?: number;
  /** Requests before the measured ones, in no figure. Default 0. */
  warmup?: number;
  /** A request's limit from `sent`, ms. Default 60,000. */
  timeout_ms?: number;
  /** Of every random choice. Default: another each time; the run file holds it. */
  seed?: number;
  /** When an answer is useful. Default `"word"`. */
  useful?: "word" | "sentence" | "json" | { chars: number } | { contains: string };
  /** How replies are read, where it is fixed. */
  reading?: { format?: string; text?: string; items?: string; split_think?: boolean; spans?: string[] };
  /** The header of the key. Default: `Authorization: Bearer …`. */
  key_header?: string;
  /** Where requests are sent and read. Default `"worker"`. */
  thread?: "worker" | "main";
  /** How answers are drawn into `into`. Default `"plain"`. */
  rendering?: "plain";
  /** When requests start: docs/load.md. Default: a closed loop. */
  load?: Record<string, unknown>;
  /** What is asked instead of the prompt: docs/workloads.md. */
  workload?: Record<string, unknown>;
  cache?: string;
  confirmation?: boolean;
  /** Another endpoint, or the prefix cache, by turns. */
  versus?: Record<string, unknown>;
  /** Such as `"ttfv<800ms"`: docs/decisions.md. */
  thresholds?: string[];
  stop_rules?: Record<string, unknown>[];
  prices?: { currency: string; input_per_million: number; output_per_million: number };
  decision?: Record<string, unknown>;
  /** Where the target tells its clock: docs/aligned.md. */
  probe?: string;
  /** The server's own metrics: docs/server-metrics.md. */
  server_metrics?: { url: string; period_ms?: number };
}

export interface Options {
  /** Stops the run: what is finished is in the report, which says `stopped`. Aborted before the run began (already, while the module
   * is loaded, while another run goes on), its reason is thrown. */
  signal?: AbortSignal;
  /** Called once for each request that is over, warm-up too. What it throws is told to the page as an uncaught error. */
  onSample?: (sample: Sample) => void;
  /** Sent with each request, and kept nowhere. */
  apiKey?: string;
  /** Sent with each request, and kept nowhere. */
  headers?: Record<string, string> | Iterable<readonly [string, string]>;
  /** Answers are drawn inside this element, and what is seen of them is measured. Without it nothing is drawn, and what would have
   * been seen is absent: `not_in_painted_subset`. It is as before afterwards. */
  into?: Element;
  /** Answers that are drawn at a time, 1 to 6. Default: twice the concurrency, at most 4. */
  places?: number;
  /** Where `measure-worker.js` is, if not beside this file; on the page's own origin. */
  workerUrl?: string | URL;
  /** Where the module is, if not beside its JavaScript. */
  wasmUrl?: string | URL | Request | WebAssembly.Module;
}

/** `at_least`: the rank falls on a request that was cut before it got there. */
export type Quantile = number | { at_least: number };

/** A percentile by nearest rank with its 95 % interval; too few requests have none. */
export interface Percentile {
  value: Quantile | Absent;
  interval: { lower: Quantile; upper: Quantile } | (Absent & { needs: number; has: number });
}

export interface Statistics {
  p50: Percentile;
  p90: Percentile;
  p95: Percentile;
  p99: Percentile;
  "p99.9": Percentile;
  max: { value: Quantile | Absent };
  mean: { value: number | Absent };
  sd: { value: number | Absent };
}

/** One metric of one mode. Two of them, `earliest` and `latest`, where only bounds are known. */
export interface Figure {
  metric: string;
  mode: "streaming" | "non_streaming";
  edge: "value" | "earliest" | "latest";
  unit: "ms" | "count" | "tokens_per_second";
  /** The marks that a wait goes from and to. */
  from?: string;
  to?: string;
  /** Samples, those among them that were cut first, and for pooled samples the requests that they are of. */
  n: number;
  censored: number;
  requests?: number;
  /** Some number of tokens in it is an estimate. */
  estimated: boolean;
  statistics: Statistics | Absent;
  /** Requests without it, by reason. */
  absent: Record<string, number>;
}

/** What the server's report leaves of a wait: computed for each request; percentiles are never subtracted. */
export interface Gap {
  mode: "streaming" | "non_streaming";
  wait: "first_visible" | "first_answer" | "complete_visible" | "last_output";
  n: number;
  without_report: number;
  inconsistent: number;
  wait_ms: Statistics | Absent;
  outside_report_ms: Statistics | Absent;
  /** Of 1. */
  outside_report_share: Statistics | Absent;
}

export interface Report {
  version: 1;
  /** The version that measured. */
  firstlight: string;
  /** RFC 3339; for display only. */
  created: string;
  stopped: boolean;
  /** What stands beside every figure: what was asked for, under which load, read on which thread, by which clock. */
  context: {
    url: string;
    model: string;
    mode: string;
    requests: number;
    concurrency: number;
    warmup: number;
    load: Record<string, unknown>;
    cache: string;
    /** `no_worker`: on the main thread, since a worker could not be started; `worker_refused` says why. */
    arrival: "worker" | "worker_through_main" | "main" | "no_worker";
    worker_refused: string;
    isolated: boolean;
    /** Whose page it was shown in: a custom element's host, or the page around a frame, of the same or of another origin. */
    embedded: "own" | "element" | "frame" | "foreign_frame";
    clock: { step_us: number; joint_us: number | null; lag: { n: number; p50_us: number; p99_us: number; max_us: number } | null };
  };
  workload: { hash: string; cases: number; held_out: number } | Absent;
  /** The largest error of a difference of two stamps. */
  clock_error_ms: number;
  warmup_requests: number;
  outcomes: { mode: string; outcome: string; status?: number; requests: number }[];
  figures: Figure[];
  /** Streaming − not streaming, of pairs that were measured side by side. */
  paired: { metric: string; unit: string; statistics: Statistics | Absent }[];
  throughput: ({ mode: string } & (
    | { window_ms: number; requests_per_second: number; tokens_per_second: number | Absent; estimated: boolean; items_per_second: number | Absent }
    | Absent
  ))[];
  /** Tokens or items per second while the concurrency stood at its target. */
  steady: ({ mode: string } & ({ per_second: number } | Absent))[];
  gaps: Gap[];
  /** The run file: `JSON.stringify(report.run)` opens in the measuring page. */
  run: Record<string, unknown>;
}

/** One request that is over. What blocked the page meanwhile is known at the end only: in the run file. */
export interface Sample {
  /** Its place in the plan; `report.run.requests` has it under the same number. */
  id: number;
  mode: "streaming" | "non_streaming";
  warmup: boolean;
  painted: boolean;
  outcome: string;
  status: number | Absent;
  figures: Record<string, { unit: Figure["unit"]; value: number } | { unit: Figure["unit"]; earliest: number; latest: number | Absent } | Absent>;
}

export interface Problem {
  /** The field to put right: of the configuration, or `api_key`, `headers`. */
  field: string;
  message: string;
}

/** `config`: see `problems`. `no_document`: called outside a page. `load`: the module could not be loaded. `worker`: the worker broke.
 * `broken`: the module did; the page must be reloaded. `busy`: another copy of the function measures with the same module. */
export type ErrorCode = "config" | "no_document" | "load" | "worker" | "broken" | "busy";

export class FirstlightError extends Error {
  constructor(code: ErrorCode, message: string, problems?: Problem[], cause?: unknown);
  readonly name: "FirstlightError";
  readonly code: ErrorCode;
  /** Everything that is wrong with the configuration; empty for other codes. */
  readonly problems: Problem[];
}

/**
 * Measures an endpoint from this page. One run at a time: a call during another run waits for it.
 * @throws {FirstlightError} and, if `signal` is aborted before the run began, its reason.
 */
export function measure(config: Config, options?: Options): Promise<Report>;
