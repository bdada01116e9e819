// The element in JSX: its properties, and its events as React 19 listens to them (`onreport`, not `onReport`).

import type { FirstlightEventMap, FirstlightTest } from "firstlight/element";
import type { HTMLAttributes, RefAttributes } from "react";

type Settings = "target" | "model" | "prompt" | "mode" | "requests" | "concurrency" | "warmup" | "editable" | "locked" | "theme" | "config" | "apiKey" | "headers";
type Events = { [K in keyof FirstlightEventMap as `on${K}`]?: (event: FirstlightEventMap[K]) => void };

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "firstlight-test": HTMLAttributes<FirstlightTest> & RefAttributes<FirstlightTest> & Partial<Pick<FirstlightTest, Settings>> & Events;
    }
  }
}
