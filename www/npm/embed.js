// The page for frames: an element that fills it, and messages to and from the page around. Whom it speaks with, its own address says:
// ?origin=https://host.example, as often as needed. Without one it speaks with nobody, and is only a page to look at.

import "./element.js";
import "./race.js";
import { Line } from "./embed/line.js";
import { apply, fromAddress } from "./embed/setup.js";

const address = new URL(location.href).searchParams;
const name = address.has("race") ? "firstlight-race" : "firstlight-test";
const element = /** @type {import("./element.js").FirstlightTest} */ (document.createElement(name));
const line = new Line(address.getAll("origin"));

/** What of the outer page can't be seen from in here, by code: see docs/embed.md. */
function notSeen() {
  const codes = ["covered_by_outer_page", "slowed_by_browser"];
  if (!crossOriginIsolated) codes.push("coarse_clock");
  return codes;
}

/** The built-in endpoint of the server that this page came from; none where it came from plain files. */
async function builtIn() {
  try {
    const reply = await fetch("/api/info");
    const { second_origin: origin } = await reply.json();
    return typeof origin === "string" ? `${origin}/v1/chat/completions?preset=chat` : "";
  } catch {
    return "";
  }
}

const ready = () => line.send("ready", { version, running: element.running });
let version = "";

line.on("hello", () => {
  if (version) ready();
});
line.on("configure", ({ setup }) => {
  const wrong = apply(element, setup);
  if (wrong) line.send("error", { error: { code: "invalid", message: wrong, problems: [{ field: "setup", message: wrong }] } });
  else line.send("configured");
});
line.on("start", () => element.start());
line.on("stop", () => element.stop());

element.addEventListener("ready", ({ detail }) => {
  version = detail.version;
  ready();
});
element.addEventListener("progress", ({ detail }) => line.send("progress", { progress: detail }));
element.addEventListener("sample", ({ detail }) => line.send("sample", { sample: detail }));
element.addEventListener("error", ({ detail }) => line.send("error", { error: detail }));
element.addEventListener("report", ({ detail }) => line.send("report", { report: detail, not_seen: notSeen() }));

// A sheet that is made by a script needs no permission of a content security policy.
const sheet = new CSSStyleSheet();
sheet.replaceSync("body { margin: 0 } h1 { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%) }");
document.adoptedStyleSheets = [sheet];

fromAddress(element, address);
if (!element.target) element.target = await builtIn();
if (!element.target && !element.hasAttribute("editable")) element.editable = "target model key prompt mode requests concurrency warmup";
document.documentElement.lang = element.lang || navigator.language;
const title = document.createElement("h1");
title.textContent = document.title;
document.querySelector("main")?.append(title, element);
