// In Next.js this file would begin with "use client": it is made on the server once, and goes on in the browser.

// Where there is no document, this defines nothing.
import "firstlight/element";

import type { FirstlightTest } from "firstlight/element";
import { useEffect, useRef, useState } from "react";

import { ENDPOINT, MODEL } from "../shared/endpoint.ts";
import { NOTHING_YET, inWords, soFar, wentWrong } from "../shared/words.ts";

export function Page() {
  const [heard, setHeard] = useState(NOTHING_YET);
  const test = useRef<FirstlightTest>(null);
  // React puts listeners on elements that it makes, and not on custom elements that were in the HTML already.
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    test.current?.addEventListener("progress", ({ detail }) => setHeard(soFar(detail)), { signal });
    test.current?.addEventListener("report", ({ detail }) => setHeard(inWords(detail)), { signal });
    test.current?.addEventListener("error", ({ detail }) => setHeard(wentWrong(detail)), { signal });
    return () => ended.abort();
  }, []);
  return (
    <>
      <h1>How quick is the assistant where you are?</h1>
      <p>This asks our assistant three times from your browser, and looks when the answer begins to show.</p>
      <firstlight-test ref={test} target={ENDPOINT} model={MODEL} requests="3" warmup="0" editable="prompt" theme="light" />
      <p id="heard" role="status">{heard}</p>
    </>
  );
}
