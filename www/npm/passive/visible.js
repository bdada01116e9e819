// When could the first text be seen in the host's own element? Bounds only: a mark for Element Timing can't be set on an element
// that exists already.

import { absent, ms } from "./figures.js";

/** A character that one can see, and that is no mark of Markdown. */
const SEEN = /[^\s\p{C}\p{Default_Ignorable_Code_Point}*_#>`~\-+|]/u;
/** A longer frame bounds nothing. */
const LONG_FRAME = 25;
/** The text was on the screen so long after the second callback at the latest, in the engines where that was measured. */
const MARGIN = 20;

/**
 * @param {Element | null | undefined} element
 * @param {(text: string) => boolean} shows Whether added text counts.
 * @param {() => boolean} arrived Something of the answer has come: what is added before is not it.
 * @param {() => boolean} hidden The page was hidden so far.
 * @param {() => void} settled Called once when the result is known.
 */
export function watchVisible(element, shows = (text) => SEEN.test(text), arrived, hidden, settled) {
  /** @type {import("../passive.js").FirstVisible} */
  let result = absent(element ? "not_reached" : "no_element");
  if (!element || !globalThis.MutationObserver) return { result: () => result, waits: () => false, stop() {} };
  let waits = true;
  let before = element.textContent ?? "";
  const observer = new MutationObserver((records) => {
    const mutated = performance.now();
    const text = element.textContent ?? "";
    const added = difference(before, text);
    before = arrived() ? before : text;
    if (!arrived() || !shows(added)) return;
    observer.disconnect();
    result = absent("unsettled");
    let frames;
    let inView;
    const know = () => {
      if (!frames || inView === undefined) return;
      const [first, second] = frames;
      const measured = "paintTime" in (globalThis.PerformancePaintTiming?.prototype ?? {});
      const latest = !measured ? absent("engine_lacks") : second - first > LONG_FRAME ? absent("long_frame") : ms(second + MARGIN);
      result = hidden()
        ? absent("hidden")
        : inView
        ? { method: "frame_callbacks", mutated: ms(mutated), earliest: ms(first), latest, value: absent("bounds_only") }
        : absent("off_screen");
      waits = false;
      settled();
    };
    requestAnimationFrame(() => {
      const first = performance.now();
      requestAnimationFrame(() => {
        frames = [first, performance.now()];
        know();
      });
    });
    // Looks after the frame's own layout, and forces none.
    const { addedNodes, target } = records[records.length - 1];
    const node = addedNodes[addedNodes.length - 1] ?? target;
    const place = node instanceof Element ? node : node.parentElement ?? element;
    const sight = new IntersectionObserver(([entry]) => {
      sight.disconnect();
      // A framework may have replaced it already.
      inView = entry.isIntersecting || (!place.isConnected && element.isConnected);
      know();
    });
    sight.observe(place);
  });
  observer.observe(element, { childList: true, characterData: true, subtree: true });
  return {
    /** @param {boolean} unseen No frame may have come because nobody looked. */
    result: (unseen) => (unseen && waits ? absent("hidden") : result),
    waits: () => waits,
    stop: () => observer.disconnect(),
  };
}

/** What stands in the new text between what begins and ends like the old. */
function difference(old, text) {
  let start = 0;
  while (start < text.length && text[start] === old[start]) start++;
  let end = text.length;
  let tail = old.length;
  while (end > start && tail > start && text[end - 1] === old[tail - 1]) end--, tail--;
  return text.slice(start, end);
}
