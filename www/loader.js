// Starts the page's WebAssembly module; a file of its own because the page's
// Content-Security-Policy forbids inline scripts.

/**
 * Shows the text of index.html that says what is needed, with the reason.
 * @param {unknown} reason What `init` was rejected with.
 * @returns {void}
 */
function showFailure(reason) {
  console.error("Firstlight did not start:", reason);
  const failure = document.getElementById("failure");
  if (failure === null) return; // The app has replaced the text: it did start.
  failure.hidden = false;
  const detail = document.createElement("small");
  detail.textContent = String(reason);
  failure.append(document.createElement("br"), detail);
}

/**
 * A trap (a fault of ours, or of the browser's compiler) leaves the module in pieces: the page must not go on as if nothing were.
 * @param {unknown} reason What was thrown.
 * @returns {void}
 */
function showBroken(reason) {
  const broken = document.getElementById("broken");
  if (broken === null || !broken.hidden || !(reason instanceof WebAssembly.RuntimeError)) return;
  const detail = document.createElement("small");
  detail.textContent = String(reason);
  broken.append(detail);
  broken.hidden = false;
}

window.addEventListener("error", (event) => showBroken(event.error));
window.addEventListener("unhandledrejection", (event) => showBroken(event.reason));

// A dynamic import, so that a module which cannot be fetched or parsed is also reported.
import("./firstlight-web.js")
  .then((/** @type {{ default: () => Promise<unknown> }} */ page) => page.default())
  .catch(showFailure);
