// Passive measuring of a product's own streams.

export { observe, wrapFetch } from "./passive/observe.js";
