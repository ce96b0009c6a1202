// Starts `whorl lsp` for Promela files and connects the editor with it.

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function settings() {
  const given = vscode.workspace.getConfiguration("whorl");
  return {
    timeout: given.get("check.timeout"),
    arguments: given.get("check.arguments"),
    includeDirs: given.get("includeDirs"),
    defines: given.get("defines"),
  };
}

async function start() {
  const command = vscode.workspace.getConfiguration("whorl").get("path") || "whorl";
  client = new LanguageClient(
    "whorl",
    "whorl",
    { command, args: ["lsp"] },
    {
      documentSelector: [
        { scheme: "file", language: "promela" },
        { scheme: "untitled", language: "promela" },
      ],
      initializationOptions: settings(),
    },
  );
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(
      `whorl: '${command} lsp' cannot be started: ${error.message}. ` +
        "Install it with pip install 'whorl[lsp]', or set whorl.path.",
    );
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running !== undefined) {
    await running.stop();
  }
}

async function checkModel() {
  const editor = vscode.window.activeTextEditor;
  if (client === undefined || editor === undefined || editor.document.languageId !== "promela") {
    vscode.window.showWarningMessage("whorl: there is no Promela file to check here");
    return;
  }
  // The client makes a command of each one that the server offers.
  await vscode.commands.executeCommand("whorl.check", editor.document.uri.toString(), null);
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("whorl.checkModel", checkModel),
    vscode.commands.registerCommand("whorl.restart", async () => {
      await stop();
      await start();
    }),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("whorl")) {
        await stop();
        await start();
      }
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
