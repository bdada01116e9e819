// What the page for frames is told to measure: by its own address, or by a message.

/** Attributes of the element. */
const NAMES = ["target", "model", "prompt", "mode", "requests", "concurrency", "warmup", "editable", "theme", "lang"];
/** Properties that are no attributes: only a message may say them, since addresses are kept and shown. */
const KEPT = ["config", "apiKey", "headers"];

/**
 * @param {import("../element.js").FirstlightTest} element
 * @param {URLSearchParams} address
 */
export function fromAddress(element, address) {
  for (const name of NAMES) {
    const value = address.get(name);
    if (value !== null) element.setAttribute(name, value);
  }
  element.locked = address.has("locked");
}

/**
 * Says what is wrong; then nothing of it is taken.
 * @param {import("../element.js").FirstlightTest} element
 * @param {unknown} setup
 * @returns {string | undefined}
 */
export function apply(element, setup) {
  if (typeof setup !== "object" || setup === null) return "configure needs an object: setup.";
  const known = [...NAMES, ...KEPT, "locked"];
  const unknown = Object.keys(setup).filter((name) => !known.includes(name));
  if (unknown.length > 0) return `Unknown in setup: ${unknown.join(", ")}. Known are ${known.join(", ")}.`;
  for (const [name, value] of Object.entries(setup)) {
    if (KEPT.includes(name) || name === "locked") /** @type {any} */ (element)[name] = value;
    else if (value === null) element.removeAttribute(name);
    else element.setAttribute(name, String(value));
  }
  return undefined;
}
