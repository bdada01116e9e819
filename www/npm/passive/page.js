// What happened to the page meanwhile?

import { absent, ms } from "./figures.js";

const BEAT = 50;

/** Watches from now on. @param {number} start */
export function watchPage(start) {
  const page = globalThis.document;
  const hidden = () => page?.visibilityState === "hidden";
  let wasHidden = hidden();
  let wasFrozen = false;
  /** @type {[number, number][]} */
  const blocks = [];
  const onHide = () => (wasHidden ||= hidden());
  const onFreeze = () => (wasFrozen = true);
  page?.addEventListener("visibilitychange", onHide);
  page?.addEventListener("freeze", onFreeze);
  const stopBlocks = page ? watchBlocks(blocks) : undefined;
  return {
    hidden: () => wasHidden,
    /** @param {number} end */
    flags(end) {
      const looked = stopBlocks?.();
      const overlap = blocks.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, end) - Math.max(from, start)), 0);
      return {
        hiddenDuring: page ? wasHidden : absent("no_document"),
        frozenDuring: page ? ("onfreeze" in page ? wasFrozen : absent("engine_lacks")) : absent("no_document"),
        mainThreadBlocked: page ? ms(overlap) : absent("no_document"),
        blockedBy: looked ?? absent("no_document"),
      };
    },
    stop() {
      page?.removeEventListener("visibilitychange", onHide);
      page?.removeEventListener("freeze", onFreeze);
      stopBlocks?.();
    },
  };
}

/** Long tasks where the browser tells them, else a timer that is late. Gives what ends the watch and says which it was. */
function watchBlocks(blocks) {
  if (globalThis.PerformanceObserver?.supportedEntryTypes?.includes("longtask")) {
    const take = (entries) => entries.forEach(({ startTime, duration }) => blocks.push([startTime, startTime + duration]));
    const observer = new PerformanceObserver((list) => take(list.getEntries()));
    observer.observe({ type: "longtask" });
    return () => {
      take(observer.takeRecords());
      observer.disconnect();
      return "long_tasks";
    };
  }
  let due = performance.now() + BEAT;
  const look = () => {
    const now = performance.now();
    // Timers of hidden pages are late by themselves.
    if (now - due > BEAT && document.visibilityState === "visible") blocks.push([due, now]);
    due = now + BEAT;
  };
  const timer = setInterval(look, BEAT);
  return () => {
    look();
    clearInterval(timer);
    return "late_timer";
  };
}
