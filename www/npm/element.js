// <firstlight-test>: the measuring page as an element. Importing this file defines it; the WebAssembly comes with the first one that
// is put into a page.

import { Shell, define } from "./element/shell.js";

export class FirstlightTest extends Shell {}

define("firstlight-test", FirstlightTest);
