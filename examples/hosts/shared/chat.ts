// The product's own chat: what it asks, and how it reads the answer.

import { ENDPOINT, MODEL } from "./endpoint.ts";

export function ask(fetch: typeof globalThis.fetch, question: string): Promise<Response> {
  return fetch(ENDPOINT, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ model: MODEL, stream: true, messages: [{ role: "user", content: question }] }),
  });
}

/** The words of a streamed chat completion, as they come. */
export async function* words(response: Response): AsyncGenerator<string> {
  if (!response.ok || !response.body) throw new Error(`the assistant answers with ${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("data: {")) yield JSON.parse(line.slice(6)).choices[0]?.delta?.content ?? "";
    }
  }
}
