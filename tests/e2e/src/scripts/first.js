// The first script of a host's page: keeps what is thrown, logged or forbidden in it, and knows what was global before.
{
  const problems = [];
  const before = new Set(Object.getOwnPropertyNames(window));
  // The tests' own, one driver's, and those of what looks for barriers.
  const TESTS = ["host", "ret_nodes", "axe", "__core-js_shared__"];
  addEventListener("error", (event) => problems.push(event.message ?? `${event.target.localName} did not load`), true);
  addEventListener("unhandledrejection", (event) => problems.push(String(event.reason)));
  addEventListener("securitypolicyviolation", (event) => problems.push(`${event.violatedDirective} blocked ${event.blockedURI}`));
  for (const level of ["error", "warn"]) {
    const log = console[level];
    console[level] = (...parts) => { problems.push(parts.map(String).join(" ")); log.apply(console, parts); };
  }
  window.host = {
    left: () => JSON.stringify({
      added: Object.getOwnPropertyNames(window).filter((name) => !before.has(name) && !TESTS.includes(name)),
      problems,
    }),
    report: () => JSON.stringify(document.querySelector("firstlight-test").report),
  };
}
