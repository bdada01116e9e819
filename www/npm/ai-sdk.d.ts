import type { Observation, Options } from "./passive.js";
export { wrapFetch } from "./passive.js";

/** A transform for `pipeThrough` that passes every part on unchanged and counts it by its `type`. */
export function tap(element?: Element | null, options?: Options): Observation & { transform: TransformStream<any, any> };
