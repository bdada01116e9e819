// A figure, or why there is none.

/** @param {string} reason @returns {{ absent: string }} */
export const absent = (reason) => ({ absent: reason });

/** Milliseconds to the microsecond. @param {number} time */
export const ms = (time) => Math.round(time * 1000) / 1000;

/** The time from one mark to another. */
export function between(marks, from, to) {
  const [a, b] = [marks[from], marks[to]];
  const missing = typeof a === "object" ? a : typeof b === "object" ? b : undefined;
  return { from, to, ms: missing ?? ms(b - a) };
}
