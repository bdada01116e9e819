import type { Report } from "./passive.js";

export interface DeliverOptions {
  /** Of the collector: it gets POST with text/plain, so that no preflight is needed: `{firstlight, dropped, reports}` in JSON. */
  url: string;
  /** The largest request. Default 65,536. */
  maxBytes?: number;
  /** So long reports are gathered. Default 1,000. */
  delayMs?: number;
  /** Pause before the second try; doubled each time, up to a minute. Longer if the collector says so: `Retry-After`, in seconds or
   * as a date, up to ten minutes. Default 1,000. */
  retryMs?: number;
  /** Default 8. */
  tries?: number;
  /** Reports that wait. Default 200. */
  maxQueue?: number;
  /** Told of every report that is not delivered: `too_large`, `queue_full`, `http_404`, `TypeError`, `stopped`. */
  onDrop?: (report: Report, reason: string) => void;
  fetch?: typeof globalThis.fetch;
}

export interface Delivery {
  (report: Report): void;
  /** Hands all that waits to the browser now, as it does when the page is hidden. */
  flush(): void;
  /** Reports that wait. */
  waiting(): number;
  /** Ends it; what waits is dropped, and told. */
  stop(): void;
}

/** Delivers reports: give it as `onReport`. */
export function deliver(options: DeliverOptions): Delivery;
