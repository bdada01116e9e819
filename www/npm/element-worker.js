// The worker in which requests of a custom element are sent and read. Its first message is the module, compiled.

import init, { serve } from "./element/firstlight_element.js";

self.addEventListener(
  "message",
  (/** @type {MessageEvent<WebAssembly.Module>} */ first) => {
    init({ module_or_path: first.data })
      .then(() => serve())
      .catch((/** @type {unknown} */ reason) => {
        // An error event tells the page.
        setTimeout(() => { throw reason; });
      });
  },
  { once: true },
);
