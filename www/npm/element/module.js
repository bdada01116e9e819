// The WebAssembly module of the custom elements: one for all elements of a page, loaded when the first of them is shown.

/** @typedef {typeof import("./firstlight_element.js")} Module */

/** @type {Promise<Module> | undefined} */
let loading;

/** After the page's next frame, so that its own first paint does not wait; a page that draws none is not waited for. */
const drawn = () => new Promise((resolve) => {
  requestAnimationFrame(() => setTimeout(resolve));
  setTimeout(resolve, 500);
});

/** The module. One that could not be loaded is asked for again by the next element. */
export function load() {
  loading ??= drawn()
    .then(() => import("./firstlight_element.js"))
    .then(async (module) => {
      await module.default();
      return module;
    })
    .catch((reason) => {
      loading = undefined;
      throw reason;
    });
  return loading;
}

/** A worker with the same module. Written so that bundlers find the file. */
export function worker() {
  return new Worker(new URL("../element-worker.js", import.meta.url), { type: "module" });
}
