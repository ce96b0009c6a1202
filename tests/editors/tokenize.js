// Reads a grammar and lines of text, and prints the scopes of each token as JSON.
// node tokenize.js GRAMMAR < TEXT; NODE_PATH says where the packages are.

const fs = require("fs");
const path = require("path");
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

async function main() {
  const wasm = fs.readFileSync(
    path.join(path.dirname(require.resolve("vscode-oniguruma")), "onig.wasm"),
  );
  await oniguruma.loadWASM(wasm);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) =>
      scope === "source.promela"
        ? textmate.parseRawGrammar(fs.readFileSync(process.argv[2], "utf8"), process.argv[2])
        : null,
  });
  const grammar = await registry.loadGrammar("source.promela");
  let state = textmate.INITIAL;
  const found = [];
  fs.readFileSync(0, "utf8").split("\n").forEach((line, number) => {
    const result = grammar.tokenizeLine(line, state);
    for (const token of result.tokens) {
      found.push([number, line.slice(token.startIndex, token.endIndex), token.scopes.slice(1)]);
    }
    state = result.ruleStack;
  });
  process.stdout.write(JSON.stringify(found));
}

main();
