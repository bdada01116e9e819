// Aligned time stamps (docs/aligned.md) in Express: the stage times of each answer, and a clock to ask.
// Run: npm install && node serve.mjs [PORT]

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import express from "express";

const CLOCK = randomUUID(); // New for every process: each worker has a clock of its own.
const nowUs = () => Number(process.hrtime.bigint() / 1000n);

const app = express();

app.use((request, response, next) => {
  request.receivedUs = nowUs(); // First thing, before anything else of the application runs.
  response.set({
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Headers": request.get("Access-Control-Request-Headers") ?? "*",
    "Access-Control-Expose-Headers": "Server-Timing",
    "Timing-Allow-Origin": "*",
    "Cache-Control": "no-store",
  });
  if (request.method === "OPTIONS") return response.sendStatus(204);
  next();
});

app.get("/clock", (request, response) => {
  response.json({ clock: CLOCK, received_us: request.receivedUs, sent_us: nowUs() });
});

// Stands for the model.
async function* tokens() {
  for (const word of ["Light", " is", " scattered", " by", " air."]) {
    await sleep(20);
    yield word;
  }
}

app.post("/v1/chat/completions", express.json(), async (request, response) => {
  const stages = { clock: CLOCK, received_us: request.receivedUs, started_us: nowUs() };

  async function* answer() {
    for await (const token of tokens()) {
      stages.last_token_us = nowUs();
      stages.first_token_us ??= stages.last_token_us;
      yield token;
    }
  }

  if (!request.body.stream) {
    let content = "";
    for await (const token of answer()) content += token;
    stages.last_token_us = nowUs();
    const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
    return response.json({ object: "chat.completion", choices, firstlight: stages });
  }

  const event = (choices, more) =>
    response.write(`data: ${JSON.stringify({ object: "chat.completion.chunk", choices, ...more })}\n\n`);
  response.type("text/event-stream");
  for await (const content of answer()) event([{ index: 0, delta: { content }, finish_reason: null }]);
  event([{ index: 0, delta: {}, finish_reason: "stop" }]);
  event([], { firstlight: stages });
  response.end("data: [DONE]\n\n");
});

const server = app.listen(Number(process.argv[2] ?? 8000), "127.0.0.1", () =>
  console.log(`listening on http://127.0.0.1:${server.address().port}`),
);
