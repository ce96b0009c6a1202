// Runs whorl in Pyodide, apart from the page, which stays alive meanwhile.

import { loadPyodide } from "./pyodide/pyodide.mjs";

async function bytes(name) {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`);
  return answer.arrayBuffer();
}

async function load(wheel) {
  const [python, archive, engine] = await Promise.all([
    loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href }),
    bytes(wheel),
    bytes("engine.py"),
  ]);
  python.unpackArchive(archive, "wheel");
  python.FS.writeFile("/home/pyodide/engine.py", new Uint8Array(engine));
  return python.pyimport("engine");
}

let engine = null;

onmessage = async ({ data }) => {
  try {
    if (data.wheel) {
      engine = await load(data.wheel);
      postMessage({ ready: true });
    } else {
      const show = (text) => postMessage({ progress: text });
      const answer = engine.check(data.model, data.options, data.more, show);
      postMessage({ answer: answer.toJs({ dict_converter: Object.fromEntries }) });
      answer.destroy();
    }
  } catch (error) {
    postMessage({ failed: String(error.message ?? error) });
  }
};
