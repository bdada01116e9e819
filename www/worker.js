// The worker in which requests are sent and read: starts the page's module there.
// Its first message is the module, compiled.

import init from "./firstlight-web.js";

self.addEventListener(
  "message",
  (/** @type {MessageEvent<WebAssembly.Module>} */ first) => {
    init({ module_or_path: first.data }).catch((/** @type {unknown} */ reason) => {
      // An error event tells the page.
      setTimeout(() => { throw reason; });
    });
  },
  { once: true },
);
