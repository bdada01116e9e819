/** Why a figure is not there. No figure is ever 0 or -1 for "missing". */
export interface Absent {
  absent: string;
}

/** Milliseconds of `performance.now()` of this page (a mark) or between two marks (a wait), or why there is none. */
export type Ms = number | Absent;

/** When the first text could be seen: surely not before `earliest`, surely not after `latest`. */
export type FirstVisible =
  | {
      method: "frame_callbacks";
      /** The observer of the element was told of the added text. */
      mutated: number;
      /** `performance.now()` in the first frame callback after that: nothing was on the screen before it. */
      earliest: number;
      /** 20 ms after the next frame callback. Absent where that was not measured to be a bound (`engine_lacks`), and if the
       * two callbacks lie more than 25 ms apart (`long_frame`). */
      latest: Ms;
      /** Always absent, in Chromium too: a mark for Element Timing can't be set on an element that exists already. */
      value: Absent;
    }
  | Absent;

/** A wait with its boundary: the marks that it goes from and to. */
export interface Wait {
  from: string;
  to: string;
  ms: Ms;
}

export interface Marks {
  /** Just before `fetch` was called; as told by `options.sent` for a response that was observed later. */
  sent: Ms;
  /** ResourceTiming `requestStart`. */
  requestStart: Ms;
  /** ResourceTiming `finalResponseHeadersStart`, else `responseStart`. */
  firstByte: Ms;
  /** The promise of `fetch` resolved (in Firefox: with the first byte of the body), or the connection opened. */
  headersSeen: Ms;
  /** The first read that gave bytes resolved. */
  firstRead: Ms;
  /** The last one did. */
  lastRead: Ms;
  /** The body ended. */
  bodyEnd: Ms;
  /** It ended otherwise: cancelled, failed, or no longer observed. */
  stoppedAt: Ms;
}

export interface Report {
  version: 1;
  /** Of this report, so that a collector can tell one that it got twice. */
  id: string;
  kind: "fetch" | "event_source" | "web_socket" | "tap";
  /** Origin and path; never the query. */
  url: string | Absent;
  clock: { unit: "ms"; source: "performance.now()"; timeOrigin: number; isolated: boolean };
  status: number | Absent;
  contentType: string | Absent;
  /** ResourceTiming `nextHopProtocol`. */
  protocol: string | Absent;
  redirected: boolean | Absent;
  outcome: {
    /** `complete`: the body ended, whatever it held. `cancelled`: the host did. `error`: a read or `fetch` was rejected.
     * `stopped`: `cancel()` of the observation. `unfinished`: the page went, or nothing came for `quietMs`.
     * `unobserved`: the body can't be watched. */
    code: "complete" | "cancelled" | "error" | "stopped" | "unfinished" | "unobserved";
    /** The name of the error, never its message. */
    error: string | Absent;
  };
  marks: Marks;
  firstVisible: FirstVisible;
  waits: {
    firstByte: Wait;
    firstRead: Wait;
    complete: Wait;
    firstVisible: { from: "sent"; to: "firstVisible"; earliest: Ms; latest: Ms };
  };
  /** Bytes that the host read, after decompression. */
  bytes: number | Absent;
  /** The first reads: when each resolved, its bytes, and how long the host waited for it (ms). A read may hold several events;
   * none is put between two reads by guess. */
  reads: [at: number, bytes: number, waited: number][] | Absent;
  readsLeftOut: number;
  /** Waits for a read, after the first, that were longer than the threshold. What the host itself paused is no stall. */
  stalls: { thresholdMs: number; count: number; longest: Ms; list: { from: number; ms: number }[] } | Absent;
  flags: {
    /** Hidden at any moment: then nothing is said to have been visible. */
    hiddenDuring: boolean | Absent;
    /** The browser froze the page: its stamps are worth nothing. */
    frozenDuring: boolean | Absent;
    /** Milliseconds in which the main thread was blocked, of this wait: stamps in them are late. */
    mainThreadBlocked: Ms;
    /** How that was found: `long_tasks`, or `late_timer` where the browser tells no long tasks. */
    blockedBy: "long_tasks" | "late_timer" | Absent;
  };
  server: {
    /** The header, as it stands. It describes the time to the headers of a stream. */
    serverTiming: string | Absent;
    /** The same by ResourceTiming, where the server allows it. A duration of 0 may be a missing one. */
    entries: { name: string; duration: number; description: string }[] | Absent;
    /** Response headers named in `responseHeaders`. */
    headers: Record<string, string>;
  };
  /** What `decode` made of the bytes: numbers and booleans; everything with `text: true`. */
  counts: Record<string, unknown> | Absent;
  /** Only with `text: true`: the body as UTF-8, as far as bytes are kept. */
  text?: string;
  textBytesLeftOut?: number;
  /** EventSource: how often the browser connected again. */
  reconnects?: number;
  /** Tap: how many parts of each kind. */
  parts?: Record<string, number>;
}

export interface Options {
  /** Share of streams that are measured, drawn before anything is touched. Default 1. */
  sample?: number;
  /** Draws the number for that, from 0 to 1. Default `Math.random`. */
  random?: () => number;
  /** Asked before anything is touched: `false` leaves it alone. A promise is waited for before the report is handed on. */
  consent?: () => boolean | Promise<boolean>;
  /** When the request was sent, by `performance.now()`; `wrapFetch` knows by itself. */
  sent?: number;
  /** The address that was asked for, where the response was redirected; `wrapFetch` knows by itself. */
  url?: string;
  /** Does added text count as the answer? Default: a character that one can see and that is no mark of Markdown. */
  shows?: (text: string) => boolean;
  /** Makes counts of the kept bytes, when the page is idle. */
  decode?: (bytes: Uint8Array, about: { contentType: string | Absent; bytesLeftOut: number }) => object | Promise<object>;
  /** The text of the body goes into the report, and with it wherever that is delivered. Default false. */
  text?: boolean;
  /** Response headers to keep in the report, such as `openai-processing-ms`. */
  responseHeaders?: string[];
  /** Bytes that are kept for `decode` and `text`; none without them. Default 262,144. */
  keepBytes?: number;
  /** Single reads in the report. Default 1,000. */
  maxReads?: number;
  /** A longer wait for a read is a stall. Default 1,000. */
  stallMs?: number;
  /** So long after the end the first visible text and the network timing are waited for. Default 1,000. */
  settleMs?: number;
  /** A stream from which nothing came for so long is given up: `unfinished`. Default 600,000. */
  quietMs?: number;
  /** Called with each report. */
  onReport?: (report: Report) => void;
}

export interface Observation {
  /** The report; null if the stream was not drawn, or consent was refused. Never rejected. */
  done: Promise<Report | null>;
  /** Ends the observation, not the stream. */
  cancel(): void;
}

/**
 * Observes a response that nobody has read yet. Returns the same response: its own ways of being read are stamped.
 * @param element Into which the host puts the answer.
 */
export function observe(response: Response, element?: Element | null, options?: Options): Observation & { response: Response };

export interface FetchOptions extends Options {
  /** The element of every answer, or what finds that of one. */
  element?: Element | null | ((input: RequestInfo | URL, init?: RequestInit) => Element | null | undefined);
}

/** A `fetch` that observes its responses; to be used instead, nothing global is replaced. */
export function wrapFetch(fetch: typeof globalThis.fetch, options?: FetchOptions): typeof globalThis.fetch;
