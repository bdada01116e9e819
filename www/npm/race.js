// <firstlight-race>: the same prompt at the same moment, once streaming and once not. Importing this file defines it.

import { Shell, define } from "./element/shell.js";

export class FirstlightRace extends Shell {
  static race = true;
}

define("firstlight-race", FirstlightRace);
