// Shows the counterexample that the page has.

import { byId } from "./dom.js";
import { Viewer } from "./main.js";

window.viewer = new Viewer(JSON.parse(byId("data").textContent));
