// One stream: what is told of it becomes a report.

import { absent, between, ms } from "./figures.js";
import { ofEntry, watchNetwork } from "./network.js";
import { watchPage } from "./page.js";
import { watchVisible } from "./visible.js";

export const DEFAULTS = { keepBytes: 262_144, maxReads: 1_000, stallMs: 1_000, settleMs: 1_000, quietMs: 600_000 };

/**
 * Draws and asks for consent, before anything is touched. @param {import("../passive.js").Options} options
 * @returns {false | Promise<boolean>}
 */
export function chosen({ sample = 1, random = Math.random, consent = () => true }) {
  if (!(random() < sample)) return false;
  const answer = consent();
  return answer && Promise.resolve(answer).then(Boolean);
}

/**
 * What a source tells: every time by performance.now().
 * @typedef {ReturnType<typeof record>} Stream
 */

/**
 * @param {string} kind
 * @param {Element | null | undefined} element
 * @param {import("../passive.js").Options} options
 * @param {Promise<boolean>} allowed
 * @param {{ sent?: number, url?: string, signal?: AbortSignal | null }} start
 */
export function record(kind, element, options, allowed, { sent, url, signal }) {
  const { keepBytes, maxReads, stallMs, settleMs, quietMs } = { ...DEFAULTS, ...options };
  const began = performance.now();
  const keep = options.decode || options.text;
  /** @type {Partial<Record<string, any>>} */
  const marks = {};
  /** @type {[number, number, number][]} */
  const reads = [];
  /** @type {Uint8Array[]} */
  const kept = [];
  const stalls = { thresholdMs: stallMs, count: 0, longest: absent("too_few"), list: [] };
  let [bytes, readsLeftOut, bytesLeftOut, room, last] = [0, 0, 0, keepBytes, began];
  let outcome, whole, about, extra, timer, quiet;
  /** @type {(report: import("../passive.js").Report | null) => void} */
  let resolve;
  const done = new Promise((give) => (resolve = give));
  const arrived = () => marks.firstRead !== undefined || whole;
  const page = watchPage(sent ?? began);
  const visible = watchVisible(element, options.shows, arrived, page.hidden, () => settle());
  const network = watchNetwork(/fetch|source/.test(kind) ? url : undefined, sent, () => settle());

  /** @type {import("../passive.js").Report | undefined} */
  let report;
  // There may be no later.
  function onLeave() {
    // The browser ends requests before it tells that the page goes.
    if (!report && outcome?.code === "error") outcome.code = "unfinished";
    outcome ??= { code: "unfinished", error: absent("none") };
    settle(true);
    finish();
  }
  globalThis.addEventListener?.("pagehide", onLeave);

  /** @param {boolean} [now] */
  function settle(now) {
    if (!outcome || report || (!now && (outcome.code === "error" || visible.waits() || network.waits()))) return;
    clearTimeout(timer);
    clearTimeout(quiet);
    visible.stop();
    report = make();
    page.stop();
    if (options.decode && kept.length) idle(() => decode(report).then(finish));
    else finish();
  }

  async function finish() {
    if (!resolve) return;
    const give = resolve;
    resolve = undefined;
    globalThis.removeEventListener?.("pagehide", onLeave);
    const wanted = await allowed.catch(() => false);
    if (wanted && options.onReport) queueMicrotask(() => options.onReport(report));
    give(wanted ? report : null);
  }

  async function decode(report) {
    try {
      const said = await options.decode(joined(), { contentType: report.contentType, bytesLeftOut });
      const safe = ([, value]) => options.text || typeof value === "number" || typeof value === "boolean";
      report.counts = Object.fromEntries(Object.entries(said ?? {}).filter(safe));
    } catch (error) {
      report.counts = absent(`decoder_failed: ${error?.name}`);
    }
  }

  function joined() {
    const all = new Uint8Array(kept.reduce((sum, part) => sum + part.length, 0));
    kept.reduce((at, part) => (all.set(part, at), at + part.length), 0);
    return all;
  }

  function end(code, at, error) {
    if (outcome) return;
    outcome = { code, error: error ?? absent("none") };
    marks[code === "complete" ? "bodyEnd" : "stoppedAt"] = ms(at);
    timer = setTimeout(() => settle(true), settleMs);
    settle();
  }

  function make() {
    const timing = ofEntry(network.take(), marks.headersSeen === undefined ? "no_response" : "no_timing_allow_origin");
    const first = visible.result(page.hidden());
    const why = outcome.code === "complete" ? (whole ? "whole_body" : "no_body") : outcome.code;
    const unknown = absent(kind === "fetch" ? "no_response" : "not_told");
    const told = (name, reason) => marks[name] ?? absent(reason);
    const all = {
      sent: sent === undefined ? absent("not_told") : ms(sent),
      requestStart: timing.requestStart,
      firstByte: timing.firstByte,
      headersSeen: told("headersSeen", outcome.code),
      firstRead: told("firstRead", why),
      lastRead: told("lastRead", why),
      bodyEnd: told("bodyEnd", outcome.code),
      stoppedAt: told("stoppedAt", outcome.code === "complete" ? "complete" : "not_told"),
    };
    const { entries } = timing;
    return {
      version: 1,
      id: globalThis.crypto?.randomUUID?.() ?? `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`,
      kind,
      url: url ? publicPart(url) : absent("not_told"),
      clock: { unit: "ms", source: "performance.now()", timeOrigin: performance.timeOrigin, isolated: !!globalThis.crossOriginIsolated },
      status: about?.status ?? unknown,
      contentType: about?.contentType ?? unknown,
      protocol: timing.protocol,
      redirected: about?.redirected ?? unknown,
      outcome,
      marks: all,
      firstVisible: first,
      waits: {
        firstByte: between(all, "sent", "firstByte"),
        firstRead: between(all, "sent", "firstRead"),
        complete: between(all, "sent", "bodyEnd"),
        firstVisible: bounds(all.sent, first),
      },
      bytes: whole ? absent("whole_body") : bytes,
      reads: whole ? absent("whole_body") : reads,
      readsLeftOut,
      stalls: whole ? absent("whole_body") : stalls,
      flags: page.flags(marks.bodyEnd ?? marks.stoppedAt ?? performance.now()),
      server: {
        serverTiming: about?.serverTiming ?? (about ? absent("no_server_report") : unknown),
        entries,
        headers: about?.headers ?? {},
      },
      counts: absent("not_decoded"),
      ...extra,
      ...(options.text && { text: new TextDecoder().decode(joined()), textBytesLeftOut: bytesLeftOut }),
    };
  }

  // Nobody has to read a body to its end.
  const watchQuiet = () => {
    if (performance.now() - last < quietMs) return void (quiet = setTimeout(watchQuiet, quietMs));
    onLeave();
  };
  quiet = setTimeout(watchQuiet, quietMs);

  /** @param {ArrayBufferView | ArrayBuffer} value */
  function keepSome(value) {
    const all = new Uint8Array(value.buffer ?? value, value.byteOffset ?? 0, value.byteLength);
    // A copy: the memory is the host's.
    if (room) kept.push(all.slice(0, room));
    bytesLeftOut += Math.max(0, all.length - room);
    room = Math.max(0, room - all.length);
  }

  return {
    done,
    /** @param {number} at @param {Response} response */
    headers(at, { status, redirected, headers }) {
      marks.headersSeen = ms(at);
      last = at;
      const named = (options.responseHeaders ?? []).map((name) => [name, headers.get(name)]).filter(([, value]) => value !== null);
      about = {
        status,
        redirected,
        contentType: headers.get("content-type") ?? absent("no_header"),
        serverTiming: headers.get("server-timing"),
        headers: Object.fromEntries(named),
      };
    },
    /** A connection stands. @param {number} at */
    opened(at) {
      marks.headersSeen = ms(at);
    },
    /** What is measured was sent only now. @param {number} at */
    sent(at) {
      sent = last = at;
    },
    /** Something came. @param {number} at @param {number} asked @param {Uint8Array | number} value Bytes, or how many. */
    read(at, asked, value) {
      if (outcome) return;
      const size = typeof value === "number" ? value : (value?.byteLength ?? 0);
      const wait = at - Math.max(asked, last);
      if (marks.firstRead !== undefined) {
        stalls.longest = ms(Math.max(wait, stalls.longest.absent ? 0 : stalls.longest));
        if (wait > stallMs && stalls.count++ < 100) stalls.list.push({ from: ms(at - wait), ms: ms(wait) });
      }
      marks.firstRead ??= ms(at);
      marks.lastRead = ms(at);
      last = at;
      bytes += size;
      if (reads.length < maxReads) reads.push([ms(at), size, ms(wait)]);
      else readsLeftOut++;
      if (keep && typeof value !== "number") keepSome(value);
    },
    /** The browser gathered the whole body by itself. @param {number} at @param {unknown} [value] */
    whole(at, value) {
      if (outcome) return;
      whole = true;
      if (keep) {
        if (typeof value === "string") keepSome(new TextEncoder().encode(value));
        else if (value?.byteLength) keepSome(value);
      }
      end("complete", at);
    },
    /** @param {number} at */
    end: (at) => end("complete", at),
    /** @param {number} at */
    cancel: (at) => end("cancelled", at),
    /** @param {number} at @param {any} error Of which the name alone is kept. */
    fail(at, error) {
      const name = String(error?.name ?? typeof error);
      end(signal?.aborted || name === "AbortError" ? "cancelled" : "error", at, name);
    },
    /** More of a source's own in the report. @param {object} more */
    tell: (more) => (extra = { ...extra, ...more }),
    stop: () => end("stopped", performance.now()),
    /** Nothing of this can be seen. @param {string} reason */
    give: (reason) => end("unobserved", performance.now(), reason),
  };
}

/** Queries may hold keys. */
function publicPart(url) {
  const { origin, pathname } = new URL(url, globalThis.location?.href);
  return origin + pathname;
}

function bounds(sent, first) {
  const from = { from: "sent", to: "firstVisible" };
  const missing = first.absent ? first : typeof sent === "object" ? sent : undefined;
  if (missing) return { ...from, earliest: missing, latest: missing };
  return { ...from, earliest: ms(first.earliest - sent), latest: typeof first.latest === "object" ? first.latest : ms(first.latest - sent) };
}

const idle = (work) => (globalThis.requestIdleCallback ? requestIdleCallback(work, { timeout: 2_000 }) : setTimeout(work, 0));
