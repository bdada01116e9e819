// Runs once in a freshly opened page. arguments: the listener's address, the token of this page.
const [listener, token] = arguments;
const state = { errors: [], blobs: new Map(), token };
window.__e2e = state;
window.addEventListener("error", (event) => state.errors.push(String(event.message)));
window.addEventListener("unhandledrejection", (event) => state.errors.push(String(event.reason)));
window.addEventListener("securitypolicyviolation", (event) =>
  state.errors.push(`${event.violatedDirective} blocked ${event.blockedURI}`));
const consoleError = console.error;
console.error = (...parts) => {
  state.errors.push(parts.map(String).join(" "));
  consoleError.apply(console, parts);
};
// What is saved can be read without a download.
const createObjectURL = URL.createObjectURL;
URL.createObjectURL = (object) => {
  const url = createObjectURL.call(URL, object);
  state.blobs.set(url, object);
  return url;
};
// Tells of every state that the page enters, after it entered it.
const tell = () => fetch(`${listener}${token}/${document.body.dataset.state}`, { mode: "no-cors", cache: "no-store" })
  .catch(() => {});
new MutationObserver(tell).observe(document.body, { attributes: true, attributeFilter: ["data-state"] });
return document.body.dataset.state;
