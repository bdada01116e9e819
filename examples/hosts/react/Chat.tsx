import { wrapFetch } from "firstlight/passive";
import { type FormEvent, useMemo, useRef, useState } from "react";

import { ask, words } from "../shared/chat.ts";
import { watchedInWords } from "../shared/words.ts";

/** The product's own chat, which Firstlight watches: the same `fetch`, stamped, and the element in which the answer appears. */
export function Chat() {
  const [question, setQuestion] = useState("Why is the sky blue?");
  const [answer, setAnswer] = useState("");
  const [watched, setWatched] = useState("");
  const shown = useRef<HTMLParagraphElement>(null);
  const watchedFetch = useMemo(
    () => wrapFetch(fetch, { element: () => shown.current, onReport: (report) => setWatched(watchedInWords(report)) }),
    [],
  );

  async function submit(event: FormEvent) {
    event.preventDefault();
    setAnswer("");
    try {
      for await (const more of words(await ask(watchedFetch, question))) setAnswer((before) => before + more);
    } catch (error) {
      setAnswer(`It did not work: ${error}`);
    }
  }

  return (
    <>
      <form id="chat" onSubmit={submit}>
        <label htmlFor="question">Your question</label>
        <input id="question" value={question} onChange={(event) => setQuestion(event.target.value)} autoComplete="off" />
        <button>Ask</button>
      </form>
      <p id="answer" ref={shown}>{answer}</p>
      <p id="watched" role="status">{watched}</p>
    </>
  );
}
