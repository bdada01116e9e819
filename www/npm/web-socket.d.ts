import type { Observation, Options } from "./passive.js";

export interface WebSocketOptions extends Options {
  /** Does this message end the answer? Default: none does, the closing ends it. */
  ends?: (data: string | ArrayBuffer | Blob) => boolean;
}

/** Observes one answer: `sent` is the next `send()`, unless it is told. Call it before adding listeners of your own. */
export function observeWebSocket(socket: WebSocket, element?: Element | null, options?: WebSocketOptions): Observation;
