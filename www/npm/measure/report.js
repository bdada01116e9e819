// The report of a run, as `measure` and the custom elements give it.

/**
 * A report of what the module gives.
 * @param {any} figures
 * @param {any} run
 * @returns {import("../measure.js").Report}
 */
export function report(figures, run) {
  const { config, environment, clock } = run;
  const { url, model, mode, requests, concurrency, warmup, load, cache } = config;
  const { arrival, worker_refused, isolated, embedded = "own" } = environment;
  return {
    version: 1,
    firstlight: run.firstlight,
    created: run.created,
    stopped: run.stopped,
    context: { url, model, mode, requests, concurrency, warmup, load, cache, arrival, worker_refused, isolated, embedded, clock },
    ...figures,
    run,
  };
}
