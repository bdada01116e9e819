// Reports to the host's own collector: in batches, within limits, tried again, and never dropped in silence.

/** Browsers refuse more than 64 KiB of requests that outlive the page, over all of them together. */
const KEEPALIVE = 60_000;
const size = (text) => new TextEncoder().encode(text).length;
/** However long a collector asks to be left alone, it is asked again after this, ms. */
const LONGEST = 600_000;

/** How long it asks for, ms: it says seconds or a date. @param {Response} reply */
function asked(reply) {
  const after = reply.headers?.get("retry-after")?.trim() ?? "";
  const ms = /^\d+$/.test(after) ? Number(after) * 1_000 : Date.parse(after) - Date.now();
  return Math.min(LONGEST, Math.max(0, ms || 0));
}

/** @type {import("./deliver.js").deliver} */
export function deliver({ url, maxBytes = 65_536, delayMs = 1_000, retryMs = 1_000, tries = 8, maxQueue = 200, onDrop = () => {}, fetch = globalThis.fetch }) {
  /** @type {{ report: any, text: string, tried: number }[]} */
  let queue = [];
  let dropped = 0;
  let timer;
  let sending = false;
  let stopped = false;
  // Before this the collector wants nothing.
  let free = 0;
  const drop = ({ report }, reason) => {
    dropped++;
    onDrop(report, reason);
  };
  const body = (batch) => `{"firstlight":1,"dropped":${dropped},"reports":[${batch.map((item) => item.text)}]}`;
  // Of the first of the queue, as many as fit: one at least, since nothing would ever go otherwise.
  const take = (limit) => {
    let left = limit - size(body([]));
    const count = queue.findIndex((item, n) => (left -= size(item.text) + 1) < -1 && n > 0);
    return queue.splice(0, count < 0 ? queue.length : count);
  };
  const plan = (after) => (timer ??= setTimeout(send, Math.max(after, free - performance.now())));

  async function send() {
    timer = undefined;
    if (sending || !queue.length) return;
    sending = true;
    await post(take(maxBytes));
    sending = false;
  }

  async function post(batch) {
    const told = dropped;
    const text = body(batch);
    dropped = 0;
    let failed;
    let left = 0;
    try {
      // Unlike a beacon: the page's origin is named under every referrer policy, and what became of it is learnt.
      const reply = await fetch(url, { method: "POST", body: text, keepalive: size(text) <= KEEPALIVE });
      if (!reply.ok) {
        failed = `http_${reply.status}`;
        left = asked(reply);
      }
    } catch (error) {
      failed = error?.name ?? "error";
    }
    if (failed) dropped += told;
    // What the collector refuses for good is refused again.
    const final = /^http_4(?!08|25|29)/.test(failed ?? "");
    const again = failed ? batch.filter((item) => !(final || ++item.tried >= tries) || drop(item, failed)) : [];
    if (stopped) again.splice(0).forEach((item) => drop(item, "stopped"));
    queue = [...again, ...queue];
    const tried = Math.max(0, ...again.map((item) => item.tried));
    if (failed) {
      // Not all pages come back at the same moment.
      if (left) free = performance.now() + left + retryMs * Math.random();
      // A report that came meanwhile made a plan that knew nothing of this.
      clearTimeout(timer);
      timer = undefined;
    }
    if (queue.length) plan(failed ? Math.min(60_000, retryMs * 2 ** Math.max(0, tried - 1)) * (0.5 + Math.random() / 2) : 0);
  }

  /** Hands all that waits to the browser: what it takes outlives the page. */
  function flush() {
    while (queue.length) post(take(Math.min(maxBytes, KEEPALIVE)));
  }

  const onHide = () => document.visibilityState === "hidden" && flush();
  globalThis.document?.addEventListener("visibilitychange", onHide);
  globalThis.addEventListener?.("pagehide", flush);

  const add = (report) => {
    const limit = Math.min(maxBytes, KEEPALIVE) - size(body([]));
    const item = { report, text: JSON.stringify(report), tried: 0 };
    if (size(item.text) > limit && Array.isArray(report.reads)) {
      // The single reads are the longest part, and the least missed.
      item.text = JSON.stringify({ ...report, reads: [], readsLeftOut: report.readsLeftOut + report.reads.length });
    }
    if (size(item.text) > limit) return drop(item, "too_large");
    queue.push(item);
    while (queue.length > maxQueue) drop(queue.shift(), "queue_full");
    // A report made while the page goes has no later.
    if (globalThis.document?.visibilityState === "hidden") flush();
    plan(delayMs);
  };
  return Object.assign(add, {
    flush,
    waiting: () => queue.length,
    stop() {
      stopped = true;
      globalThis.document?.removeEventListener("visibilitychange", onHide);
      globalThis.removeEventListener?.("pagehide", flush);
      clearTimeout(timer);
      for (const item of queue.splice(0)) drop(item, "stopped");
    },
  });
}
