// Follows one pointer event to the frame on the screen in which every chart in the window shows what it did. When a drawing
// changes, a mark with Element Timing is put beside it before the frame is made: the browser reports when that frame was presented.
(() => {
  const marks = document.createElement("div");
  marks.style.cssText = "position:fixed;left:0;bottom:0;width:40px;height:20px;overflow:hidden;contain:strict;pointer-events:none";
  document.body.append(marks);
  const shown = new Map();
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) shown.set(entry.identifier, entry.renderTime);
  }).observe({ type: "element", buffered: true });

  let made = 0, now = null, waiting = null;
  const changed = () => {
    if (!now || now.at === null) return;
    const mark = document.createElement("div");
    const id = `bench-${made++}`;
    mark.setAttribute("elementtiming", id);
    mark.textContent = "■";
    marks.replaceChildren(mark);
    const here = now;
    here.ids.push(id);
    here.last = performance.now();
    // The same without the screen: once the page has made the frame, and handed it on.
    requestAnimationFrame(() => {
      const made = new MessageChannel();
      made.port1.onmessage = () => (here.made = performance.now());
      made.port2.postMessage(null);
    });
  };
  const watch = new MutationObserver(changed);
  const inWindow = (element) => {
    const edge = element.getBoundingClientRect();
    return edge.bottom > 0 && edge.top < innerHeight;
  };
  for (const type of ["pointermove", "pointerup"]) {
    addEventListener(type, (event) => {
      if (waiting !== type || !event.isTrusted) return;
      waiting = null;
      now.at = event.timeStamp;
    }, true);
  }
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  window.bench = {
    // The next event of this type is the one to follow.
    arm(type) {
      watch.disconnect();
      now = { at: null, ids: [], last: performance.now(), made: null };
      waiting = type;
      for (const drawing of document.querySelectorAll(".figure .drawing")) {
        if (inWindow(drawing)) watch.observe(drawing, { subtree: true, childList: true, attributes: true, characterData: true });
      }
    },
    // From the event to the presentation of the last change, and until the page had made that frame, once nothing has changed for
    // a while; null if nothing did.
    async took() {
      for (let waited = 0; waited < 200; waited++) {
        await pause(10);
        const quiet = performance.now() - now.last > 120;
        if (quiet && (now.ids.length === 0 || shown.has(now.ids.at(-1)))) break;
      }
      watch.disconnect();
      if (now.at === null || now.ids.length === 0) return null;
      const last = now.ids.map((id) => shown.get(id)).filter((at) => at !== undefined);
      return last.length === 0 ? null : [Math.max(...last) - now.at, now.made - now.at];
    },
    // Charts in the window, and how many of them mark a selection.
    marked() {
      const charts = [...document.querySelectorAll(".figure .drawing")].filter(inWindow);
      return [charts.length, charts.filter((chart) => chart.querySelector(".over path.ink-neutral")).length];
    },
  };
})();
