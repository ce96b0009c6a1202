// Runs the extension in a VS Code that is made up, and prints what it does with it as JSON.
// node extension_run.js EXTENSION SETTINGS

const Module = require("module");

const settings = JSON.parse(process.argv[3]);
const seen = { commands: [], clients: [], stopped: 0, executed: [], messages: [] };

class LanguageClient {
  constructor(id, name, server, options) {
    seen.clients.push({ id, name, server, options });
  }

  async start() {
    if (settings.broken) {
      throw new Error("no such file");
    }
  }

  async stop() {
    seen.stopped += 1;
  }
}

const handlers = {};
const vscode = {
  workspace: {
    getConfiguration: () => ({ get: (key) => settings[key] }),
    onDidChangeConfiguration: (handler) => {
      handlers.configuration = handler;
      return {};
    },
  },
  commands: {
    registerCommand: (name, handler) => {
      seen.commands.push(name);
      handlers[name] = handler;
      return {};
    },
    executeCommand: async (...words) => seen.executed.push(words),
  },
  window: {
    activeTextEditor: { document: { languageId: "promela", uri: "file:///m.pml" } },
    showErrorMessage: (text) => seen.messages.push(text),
    showWarningMessage: (text) => seen.messages.push(text),
  },
};

const load = Module._load;
Module._load = (name, ...rest) => {
  if (name === "vscode") return vscode;
  if (name === "vscode-languageclient/node") return { LanguageClient };
  return load(name, ...rest);
};

async function main() {
  const extension = require(process.argv[2]);
  await extension.activate({ subscriptions: [] });
  await handlers["whorl.checkModel"]();
  await handlers["whorl.restart"]();
  await handlers.configuration({ affectsConfiguration: (name) => name === "whorl" });
  await extension.deactivate();
  process.stdout.write(JSON.stringify(seen));
}

main();
