// The playground: the form, the report and the viewer.

import { makeEditor } from "./editor.js";
import { makeEngine } from "./engine.js";
import { marked, show } from "./report.js";
import { fragment, opened } from "./sharing.js";

const FIELDS = ["ltl", "claim", "max-states", "timeout", "more"];
const TICKS = ["fair", "shortest", "non-progress"];
const LIMITS = { "max-states": "100000", timeout: "30" };
const CLAIM = /\b(?:ltl|never)\s+([A-Za-z_]\w*)\s*\{/g;

const by = (id) => document.getElementById(id);
const editor = makeEditor(by("model"), by("numbers"));
let engine = null;
let running = false;
let saved = "";

function say(text, isBad = false) {
  by("status").textContent = text;
  by("status").classList.toggle("bad", isBad);
}

function notice(text) {
  by("notice").textContent = text;
  by("notice").hidden = false;
}

// --- the options ---------------------------------------------------------------------------------

function options() {
  const found = {};
  for (const name of FIELDS) if (by(name).value.trim()) found[name] = by(name).value.trim();
  for (const name of TICKS) if (by(name).checked) found[name] = "yes";
  return found;
}

function setOptions(values) {
  for (const name of FIELDS) by(name).value = values[name] ?? LIMITS[name] ?? "";
  for (const name of TICKS) by(name).checked = values[name] !== undefined;
}

// The options as words of a command line, but for those that were written as such.
function words(chosen) {
  return Object.entries(chosen)
    .filter(([name]) => name !== "more")
    .map(([name, value]) => (TICKS.includes(name) ? `--${name}` : `--${name}=${value}`));
}

function quoted(word) {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  const [name, ...rest] = word.split("=");
  return `${name}='${rest.join("=").replaceAll("'", `'\\''`)}'`;
}

// --- a check -------------------------------------------------------------------------------------

function setRunning(now) {
  running = now;
  by("run").disabled = now;
  by("stop").disabled = !now;
  by("workbench").classList.toggle("running", now);
}

function check() {
  if (engine === null || by("run").disabled) return;
  if (!by("ask").reportValidity()) return;
  const chosen = options();
  setRunning(true);
  say("checking …");
  editor.mark([]);
  clearResult();
  const shown = words(chosen).filter((word) => !Object.keys(LIMITS).some((name) => word === `--${name}=${LIMITS[name]}`));
  by("command").querySelector("code").textContent = ["whorl check model.pml", ...shown.map(quoted), chosen.more ?? ""].join(" ").trim();
  const request = { model: editor.text, options: words({ ...LIMITS, ...chosen }), more: chosen.more ?? "" };
  engine.ask(request, Number(chosen.timeout ?? LIMITS.timeout));
  remember(chosen);
}

function clearResult() {
  by("report").replaceChildren();
  by("command").hidden = true;
  by("counterexample").hidden = true;
  by("viewer").removeAttribute("srcdoc");
}

const VERDICTS = { 0: "holds", 1: "violated", 2: "not checked", 3: "inconclusive", 4: "a bug in whorl" };

function answered({ status, report, page }) {
  setRunning(false);
  const isVerdict = status !== 0 || report.includes("model.pml: holds"); // and not, say, --help
  say(isVerdict ? VERDICTS[status] ?? `exit status ${status}` : "done", status !== 0);
  show(by("report"), report, editor.select);
  by("command").hidden = false;
  editor.mark(marked(report));
  if (page) {
    by("counterexample").hidden = false;
    by("viewer").srcdoc = page;
    URL.revokeObjectURL(saved);
    saved = URL.createObjectURL(new Blob([page], { type: "text/html" }));
    by("save").href = saved;
  }
}

function stop() {
  if (!running) return;
  engine.stop();
  setRunning(false);
  by("run").disabled = true; // until the next engine is ready
  say("stopped; loading again …");
  show(by("report"), "stopped: no verdict\n", editor.select);
}

// --- sharing -------------------------------------------------------------------------------------

async function remember(chosen) {
  history.replaceState(null, "", await fragment(editor.text, chosen));
}

async function share() {
  await remember(options());
  try {
    await navigator.clipboard.writeText(location.href);
    say("the link is in the clipboard");
  } catch {
    say("the address of this page is the link");
  }
}

// Shows what the address asks for: a model, an example, or the first example.
async function open(setup) {
  let asked = {};
  try {
    asked = await opened(location.hash);
  } catch {
    notice("The model in this link is damaged. Was the link cut off?");
  }
  setOptions(asked);
  if (asked.model !== undefined) {
    by("example").value = "";
    by("about").textContent = "";
    editor.text = asked.model;
    edited();
  } else {
    const known = setup.examples.some(({ name }) => name === asked.example);
    if (asked.example && !known) notice(`There is no example '${asked.example}'.`);
    choose(setup, known ? asked.example : setup.first);
  }
}

function choose(setup, name) {
  const example = setup.examples.find((each) => each.name === name);
  by("example").value = name;
  by("about").textContent = example.about;
  editor.text = example.text;
  edited();
}

function edited() {
  const names = new Set([...editor.text.matchAll(CLAIM)].map((found) => found[1]));
  by("claims").replaceChildren(...[...names].map((name) => new Option(name, name)));
}

// --- the page ------------------------------------------------------------------------------------

function listen(setup) {
  by("example").addEventListener("change", () => {
    if (!by("example").value) return;
    choose(setup, by("example").value);
    setOptions({});
    clearResult();
    history.replaceState(null, "", `#example=${by("example").value}`);
  });
  by("model").addEventListener("input", () => {
    by("example").value = ""; // from now on it is the user's own
    by("about").textContent = "";
    edited();
  });
  by("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    check();
  });
  by("stop").addEventListener("click", stop);
  by("share").addEventListener("click", share);
  addEventListener("hashchange", () => open(setup));
  addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      check();
    } else if (event.key === "Escape" && running) {
      stop();
    }
  });
}

async function main() {
  const setup = await (await fetch("setup.json")).json();
  const own = new Option("(your model)", "");
  by("example").replaceChildren(own, ...setup.examples.map(({ name }) => new Option(name, name)));
  await open(setup);
  listen(setup);
  if (!setup.engine) {
    say("there is no engine");
    notice("This copy of the documentation was built without Pyodide, so nothing can be checked here. `make docs` builds it with Pyodide where npm is installed.");
    return;
  }
  const { pyodide, python } = setup.engine;
  say("loading Python (13 MB, the first time) …");
  engine = makeEngine(setup.engine, {
    ready() {
      by("run").disabled = running;
      say(`ready: Python ${python} (Pyodide ${pyodide})`);
    },
    progress: say,
    answer: answered,
    failed(why) {
      setRunning(false);
      by("run").disabled = true;
      say("failed", true);
      show(by("report"), `whorl could not go on: ${why}\n`, editor.select);
    },
  });
}

main().catch((error) => notice(`The playground could not be loaded: ${error.message}`));
