// Which of the browser's network timing entries belongs to this request? Two that can't be told apart belong to none.

import { absent, ms } from "./figures.js";

/** @type {Map<string, Set<{ shared: boolean }>>} */
const open = new Map();

/**
 * @param {string | undefined} url As it was asked for; an entry bears that name, whatever it was redirected to.
 * @param {number | undefined} sent
 * @param {() => void} settled Called when an entry has come.
 */
export function watchNetwork(url, sent, settled) {
  if (!url || !globalThis.PerformanceObserver) return { waits: () => false, take: () => absent("no_resource_timing") };
  const name = url.split("#")[0];
  const others = open.get(name) ?? new Set();
  const self = { shared: others.size > 0 };
  for (const other of others) other.shared = true;
  open.set(name, others.add(self));
  /** @type {PerformanceResourceTiming[]} */
  const found = [];
  const look = (entries) => {
    found.push(...entries.filter((entry) => entry.name === name && !(entry.startTime < sent - 1)));
    if (found.length) settled();
  };
  const observer = new PerformanceObserver((list) => look(list.getEntries()));
  observer.observe({ type: "resource" });
  return {
    waits: () => !found.length,
    /** Ends the watch. */
    take() {
      found.push(...observer.takeRecords().filter((entry) => entry.name === name && !(entry.startTime < sent - 1)));
      observer.disconnect();
      others.delete(self);
      if (!others.size) open.delete(name);
      if (!found.length) return absent("no_resource_timing");
      return self.shared || found.length > 1 ? absent("ambiguous") : found[0];
    },
  };
}

/** Marks and the server's words of an entry, each absent with its reason; 0 is how a browser says that it may not tell. */
export function ofEntry(entry, why) {
  const figure = (time) => (entry.absent ? entry : time ? ms(time) : absent(why));
  return {
    requestStart: figure(entry.requestStart),
    firstByte: figure(entry.finalResponseHeadersStart || entry.responseStart),
    protocol: entry.absent ? entry : entry.nextHopProtocol || absent(why),
    entries: entry.absent
      ? entry
      : entry.serverTiming?.length
        ? entry.serverTiming.map(({ name, duration, description }) => ({ name, duration, description }))
        : absent("no_server_report"),
  };
}
