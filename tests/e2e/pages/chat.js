// A product's chat: it asks, shows what comes as it comes, and is measured by the passive part meanwhile. In the same page the measuring
// part asks the same.

import { measure } from "./firstlight/measure.js";
import { wrapFetch } from "./firstlight/passive.js";

const problems = [];
addEventListener("error", (event) => problems.push(event.message));
addEventListener("unhandledrejection", (event) => problems.push(String(event.reason)));
document.addEventListener("securitypolicyviolation", (event) => problems.push(`${event.violatedDirective}: ${event.blockedURI}`));

const log = document.getElementById("log");
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** When the first text of each answer was presented, where the browser tells. */
const presented = new Map();
const tells = PerformanceObserver.supportedEntryTypes?.includes("element");
if (tells) new PerformanceObserver((list) => list.getEntries().forEach((entry) => presented.set(entry.identifier, entry.renderTime))).observe({ type: "element" });

/** What lines of a stream say. */
const events = (lines) => lines.filter((line) => line.startsWith("data: {")).map((line) => JSON.parse(line.slice(6)));

/** What the server says of itself at the end of a stream. */
const decode = (bytes) => events(new TextDecoder().decode(bytes).split("\n")).find(({ timings }) => timings)?.timings;

let report;
const chat = wrapFetch(fetch, { element: () => log.lastElementChild, decode, onReport: (made) => report(made) });

/**
 * One question and its answer. Gives the report, all that was read, when the first text was presented, and between which instants of
 * its own it asked and got the first bytes, the last ones and the end.
 */
async function ask({ url, prompt, max_tokens }, name) {
  const answer = document.createElement("div");
  log.append(answer);
  log.scrollTop = log.scrollHeight;
  const reported = new Promise((resolve) => (report = resolve));
  const messages = [{ role: "user", content: prompt }];
  const body = JSON.stringify({ messages, max_tokens, stream: true, stream_options: { include_usage: true } });
  const between = { sent: [performance.now()] };
  const response = await chat(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  between.sent[1] = performance.now();
  const reader = response.body.getReader();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let [read, rest, text] = ["", ""];
  for (let done; !done; ) {
    const asked = performance.now();
    const piece = await reader.read();
    const came = [asked, performance.now()];
    done = piece.done;
    // It may have ended before the page asked whether it had.
    if (done) between.bodyEnd = [between.lastRead[0], came[1]];
    else {
      between.firstRead ??= came;
      between.lastRead = came;
    }
    const got = decoder.decode(piece.value, { stream: !done });
    read += got;
    const lines = (rest + got).split("\n");
    rest = lines.pop();
    for (const { choices } of events(lines)) {
      const words = choices[0]?.delta.content;
      if (!words) continue;
      if (text) text.append(words);
      else {
        text = document.createElement("p");
        text.setAttribute("elementtiming", name);
        text.append(words);
        answer.append(text);
      }
    }
  }
  const made = await reported;
  for (let n = 0; tells && !presented.has(name) && n < 100; n++) await pause(10);
  return { report: made, read, between, presented: presented.get(name) ?? null };
}

const scenarios = {
  /** As many requests by each, one after the other; one of each before them counts for nothing. */
  async block(config, number) {
    const run = () => measure({ ...config, warmup: 1 }, { into: document.getElementById("measured"), places: 6 });
    const talk = async () => {
      const all = [];
      // As evenly as the measuring part, so that the engine has rested as long before each.
      const begun = performance.now();
      for (let n = 0; n <= config.requests; n++) {
        await pause(begun + (n * 1000) / config.load.shape.open.per_second - performance.now());
        all.push(await ask(config, `answer-${number}-${n}`));
      }
      return all.slice(1);
    };
    // By turns one and the other comes first.
    if (number % 2) {
      const chats = await talk();
      return { chats, run: (await run()).run };
    }
    const measured = await run();
    return { run: measured.run, chats: await talk() };
  },

  /** What went wrong. */
  async left() {
    return problems;
  },
};

// For the test's own driver, the one global here.
window.host = async (name, args) => JSON.stringify((await scenarios[name](...JSON.parse(args))) ?? null);
document.body.dataset.state = "ready";
