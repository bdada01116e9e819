// A host page of the custom elements: it puts them in, moves them, takes them out, and keeps what they tell.

const before = new Set(Object.getOwnPropertyNames(window));
const { FirstlightTest } = await import("./firstlight/element.js");
await import("./firstlight/race.js");
// The tests' own, one driver's, and those of what looks for barriers.
const TESTS = ["host", "__e2e", "ret_nodes", "axe", "__core-js_shared__"];
const added = () => Object.getOwnPropertyNames(window).filter((name) => !before.has(name) && !TESTS.includes(name));

const problems = [];
addEventListener("error", (event) => problems.push(event.message));
addEventListener("unhandledrejection", (event) => problems.push(String(event.reason)));
addEventListener("securitypolicyviolation", (event) => problems.push(`${event.violatedDirective} blocked ${event.blockedURI}`));
const consoleError = console.error;
console.error = (...parts) => problems.push(parts.join(" "), consoleError(...parts));

const NAMES = ["ready", "progress", "sample", "report", "error"];
const elements = new Map();
const bubbled = [];
for (const name of NAMES) document.addEventListener(name, ({ target }) => bubbled.push(`${name} of ${target.localName}`));

/** Resolves once what is kept of an element is as wanted. */
function until({ waiting }, holds) {
  return new Promise((resolve) => {
    const look = () => holds() && (resolve(), waiting.delete(look));
    waiting.add(look);
    look();
  });
}

const told = (kept, name) => kept.events.filter((event) => event.name === name);
const brief = ({ events, element }) => ({
  names: events.map(({ name }) => name),
  errors: events.filter(({ name }) => name === "error").map(({ detail }) => detail),
  running: element.running,
  children: element.children.length,
});

const scenarios = {
  /** Puts an element in, with these attributes and properties. */
  async put(key, { name = "firstlight-test", into = "first", attributes = {}, properties = {} }) {
    const element = document.createElement(name);
    const kept = { element, events: [], waiting: new Set() };
    elements.set(key, kept);
    for (const name of NAMES) {
      element.addEventListener(name, ({ detail }) => {
        kept.events.push({ name, detail });
        for (const look of kept.waiting) look();
      });
    }
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    Object.assign(element, properties);
    document.getElementById(into).append(element);
    await until(kept, () => told(kept, "ready").length === 1);
    return brief(kept);
  },
  async start(key) {
    elements.get(key).element.start();
  },
  async stop(key) {
    elements.get(key).element.stop();
  },
  /** Waits for so many events of a name, and says what was told. */
  async wait(key, name, count = 1) {
    const kept = elements.get(key);
    await until(kept, () => told(kept, name).length >= count);
    return brief(kept);
  },
  async report(key) {
    const kept = elements.get(key);
    const details = told(kept, "report").map(({ detail }) => detail);
    return { reports: details.length, last: details.at(-1), same: kept.element.report === details.at(-1), samples: told(kept, "sample").map(({ detail }) => detail) };
  },
  async move(key, to) {
    document.getElementById(to).append(elements.get(key).element);
    return brief(elements.get(key));
  },
  async remove(key) {
    elements.get(key).element.remove();
  },
  async look(key) {
    const { element } = elements.get(key);
    const { shadowRoot } = element;
    const parts = [...shadowRoot.querySelectorAll("[part]")].map((part) => part.getAttribute("part"));
    const answers = [...element.querySelectorAll("firstlight-answer > firstlight-text")].map((answer) => ({
      text: answer.textContent,
      shown: answer.checkVisibility({ visibilityProperty: true }) && answer.getBoundingClientRect().height > 0,
      spacing: getComputedStyle(answer).letterSpacing,
    }));
    return { parts, answers, text: shadowRoot.textContent, fields: [...shadowRoot.querySelectorAll("input, textarea, select")].map(({ id }) => id) };
  },
  /** Fills a field in and presses the button that starts. */
  async type(key, values) {
    const { shadowRoot } = elements.get(key).element;
    for (const [id, value] of Object.entries(values)) shadowRoot.getElementById(id).value = value;
    shadowRoot.querySelector("[part=start]").click();
  },
  async paper(key) {
    const { element } = elements.get(key);
    return getComputedStyle(element.shadowRoot.querySelector("[part=base]")).backgroundColor;
  },
  /** Taken out before anything can have been sent. */
  async startAndRemove(key) {
    const { element } = elements.get(key);
    element.start();
    element.remove();
  },
  async left() {
    const own = getComputedStyle(document.getElementById("own"));
    return { added: added(), problems, bubbled, sheets: document.adoptedStyleSheets.length, color: own.color, isDefined: customElements.get("firstlight-test") === FirstlightTest };
  },
};

// For the test's own driver, the one global here.
window.host = async (name, args) => JSON.stringify((await scenarios[name](...JSON.parse(args))) ?? null);
document.body.dataset.state = "ready";
