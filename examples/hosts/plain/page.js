// A product's page without a bundler: what it does with what Firstlight tells it, and its own chat, which Firstlight watches.

import { wrapFetch } from "/firstlight/passive.min.js";

/** What this product measures: the address that its own chat uses. */
const ENDPOINT = "https://api.example.com/v1/chat/completions";

const part = (id) => document.getElementById(id);

/** Of a whole run, in this product's own words. A figure that is not there says why. */
function inWords(report) {
  const count = (of) => of.reduce((sum, { requests }) => sum + requests, 0);
  const whole = count(report.outcomes.filter(({ outcome }) => outcome === "complete"));
  const answers = `${whole} of ${count(report.outcomes)} answers came whole`;
  // Two rows where only bounds are known: the first is then the earliest.
  const seen = report.figures.find(({ metric, edge }) => metric === "ttfv" && edge !== "latest");
  if (!seen?.statistics.p50) return `${answers}; when they were seen is not known (${seen?.statistics.absent}).`;
  const half = seen.statistics.p50.value;
  if (typeof half !== "number") return `${answers}; half of them took too long to tell.`;
  return `${answers}; half of them began to show ${seen.edge === "value" ? "after" : "not before"} ${Math.round(half)} ms.`;
}

const test = document.querySelector("firstlight-test");
const tell = (words) => { part("heard").textContent = words; };
test.addEventListener("progress", ({ detail }) => tell(`${detail.measured.done} of ${detail.measured.of} so far.`));
test.addEventListener("report", ({ detail }) => tell(inWords(detail)));
test.addEventListener("error", ({ detail }) => tell(`It did not work: ${detail.message}`));

/** Of one answer of the chat. */
function watchedInWords({ waits }) {
  const { earliest, latest } = waits.firstVisible;
  if (typeof earliest !== "number") return `When it began to show is not known (${earliest.absent}).`;
  const bounds = typeof latest === "number" ? `${Math.round(earliest)} to ${Math.round(latest)}` : `at least ${Math.round(earliest)}`;
  const whole = typeof waits.complete.ms === "number" ? `, and was whole after ${Math.round(waits.complete.ms)} ms` : "";
  return `It began to show after ${bounds} ms${whole}.`;
}

const watchedFetch = wrapFetch(fetch, {
  element: part("answer"),
  onReport: (report) => { part("watched").textContent = watchedInWords(report); },
});

/** The words of a streamed chat completion, as they come. */
async function* words(response) {
  if (!response.ok) throw new Error(`the assistant answers with ${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      if (line.startsWith("data: {")) yield JSON.parse(line.slice(6)).choices[0]?.delta?.content ?? "";
    }
  }
}

part("chat").addEventListener("submit", async (event) => {
  event.preventDefault();
  part("answer").textContent = "";
  try {
    const response = await watchedFetch(ENDPOINT, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ model: "acme-1", stream: true, messages: [{ role: "user", content: part("question").value }] }),
    });
    for await (const more of words(response)) part("answer").append(more);
  } catch (error) {
    part("answer").textContent = `It did not work: ${error.message}`;
  }
});
