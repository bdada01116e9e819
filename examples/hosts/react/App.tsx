import { useState } from "react";

import { ENDPOINT, MODEL } from "../shared/endpoint.ts";
import { NOTHING_YET, inWords, soFar, wentWrong } from "../shared/words.ts";
import { Chat } from "./Chat.tsx";

/** The element's events are properties in lower case: React 19 listens to them by these names. */
export function App() {
  const [heard, setHeard] = useState(NOTHING_YET);
  return (
    <>
      <h1>How quick is the assistant where you are?</h1>
      <p>This asks our assistant three times from your browser, and looks when the answer begins to show.</p>
      <firstlight-test
        target={ENDPOINT}
        model={MODEL}
        requests="3"
        warmup="0"
        editable="prompt"
        theme="light"
        onprogress={({ detail }) => setHeard(soFar(detail))}
        onreport={({ detail }) => setHeard(inWords(detail))}
        onerror={({ detail }) => setHeard(wentWrong(detail))}
      />
      <p id="heard" role="status">{heard}</p>
      <h2>Ask it yourself</h2>
      <Chat />
    </>
  );
}
