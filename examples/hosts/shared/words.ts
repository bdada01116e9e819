// What this product says, in its own words, of what Firstlight tells it.

import type { ErrorDetail, ProgressDetail, Report } from "firstlight/element";
import type { Report as Watched } from "firstlight/passive";

export const NOTHING_YET = "Nothing measured yet.";

export function soFar({ measured }: ProgressDetail): string {
  return `${measured.done} of ${measured.of} so far.`;
}

export function wentWrong({ message }: ErrorDetail): string {
  return `It did not work: ${message}`;
}

/** Of a whole run. A figure that is not there says why. */
export function inWords(report: Report): string {
  const count = (of: Report["outcomes"]) => of.reduce((sum, { requests }) => sum + requests, 0);
  const whole = count(report.outcomes.filter(({ outcome }) => outcome === "complete"));
  const answers = `${whole} of ${count(report.outcomes)} answers came whole`;
  const unknown = (why: string) => `${answers}; when they were seen is not known (${why}).`;
  // Two rows where only bounds are known: the first is then the earliest.
  const seen = report.figures.find(({ metric, edge }) => metric === "ttfv" && edge !== "latest");
  if (!seen) return unknown("not looked at");
  if ("absent" in seen.statistics) return unknown(seen.statistics.absent);
  const half = seen.statistics.p50.value;
  if (typeof half !== "number") return `${answers}; half of them took too long to tell.`;
  return `${answers}; half of them began to show ${seen.edge === "value" ? "after" : "not before"} ${Math.round(half)} ms.`;
}

/** Of one answer of the product's own chat. */
export function watchedInWords({ waits }: Watched): string {
  const { earliest, latest } = waits.firstVisible;
  if (typeof earliest !== "number") return `When it began to show is not known (${earliest.absent}).`;
  const bounds = typeof latest === "number" ? `${Math.round(earliest)} to ${Math.round(latest)}` : `at least ${Math.round(earliest)}`;
  const whole = typeof waits.complete.ms === "number" ? `, and was whole after ${Math.round(waits.complete.ms)} ms` : "";
  return `It began to show after ${bounds} ms${whole}.`;
}
