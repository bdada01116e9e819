import { Shell } from "./element/shell.js";

/**
 * `<firstlight-race>`: the same prompt at the same moment, once streaming and once not. Mode, requests, concurrency and warm-up are
 * its own. Lanes compete for one server and one browser, so a race is no verdict.
 */
export declare class FirstlightRace extends Shell {}

declare global {
  interface HTMLElementTagNameMap {
    "firstlight-race": FirstlightRace;
  }
}
