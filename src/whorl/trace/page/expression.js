// Promela expressions over the states of a run: parsed once, evaluated in every state.
//
// A value is a number. `undefined` is the value of what is not in scope, or out of bounds.

import { baseName } from "./dom.js";

export class ExpressionError extends Error {
  constructor(message, at) {
    super(message);
    this.at = at;
  }
}

const TOKEN = /\s+|(0x[\da-fA-F]+|\d+)|([A-Za-z_]\w*)|(->|\|\||&&|==|!=|<=|>=|<<|>>|<>|\[\]|[-+*/%&|^!~<>()[\].:@?,=])|(.)/gsu;
const LEVELS = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", "<=", ">", ">="], ["<<", ">>"], ["+", "-"], ["*", "/", "%"]];
const TRUTHS = new Set(["||", "&&", "==", "!=", "<", "<=", ">", ">="]);
const QUERIES = new Set(["len", "empty", "nempty", "full", "nfull"]);
const TEMPORAL = new Set(["U", "W", "V", "R", "X", "G", "F", "always", "eventually", "until", "next", "weakuntil"]);
const MOST_TOKENS = 2000;

const both = (operate) => (a, b) => (a === undefined || b === undefined ? undefined : operate(a, b));
const OPERATIONS = {
  "|": both((a, b) => a | b),
  "^": both((a, b) => a ^ b),
  "&": both((a, b) => a & b),
  "==": both((a, b) => Number(a === b)),
  "!=": both((a, b) => Number(a !== b)),
  "<": both((a, b) => Number(a < b)),
  "<=": both((a, b) => Number(a <= b)),
  ">": both((a, b) => Number(a > b)),
  ">=": both((a, b) => Number(a >= b)),
  "<<": both((a, b) => a << b),
  ">>": both((a, b) => a >> b),
  "+": both((a, b) => (a + b) | 0),
  "-": both((a, b) => (a - b) | 0),
  "*": both((a, b) => Math.imul(a, b)),
  "/": both((a, b) => (b === 0 ? undefined : Math.trunc(a / b) | 0)),
  "%": both((a, b) => (b === 0 ? undefined : a % b | 0)),
};

function tokens(text) {
  const found = [];
  for (const match of text.matchAll(TOKEN)) {
    const [whole, number, name, operator, other] = match;
    if (other !== undefined) throw new ExpressionError(`'${other}' has no meaning here`, match.index);
    const kind = number ? "number" : name ? "name" : operator ? "operator" : null;
    if (kind) found.push({ kind, text: whole, at: match.index });
  }
  return found;
}

/** The macros without parameters that the model's text and -D define. */
function macros(result) {
  const found = new Map(Object.entries(result.defines ?? {}));
  for (const { text } of result.sources ?? []) {
    for (const [, name, body] of text.matchAll(/^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(.*)$/gm)) {
      if (!found.has(name)) found.set(name, body.replace(/\/\*.*?(\*\/|$)|\/\/.*$/g, ""));
    }
  }
  return found;
}

/** The tokens with macros replaced; their places are those of the names in the text. */
function expanded(found, known, active = []) {
  return found.flatMap((token) => {
    const body = token.kind === "name" && !active.includes(token.text) ? known.get(token.text) : undefined;
    if (body === undefined) return [token];
    let inner;
    try {
      inner = tokens(body);
    } catch {
      return [token];
    }
    inner = inner.map((each) => ({ ...each, at: token.at }));
    return expanded(inner, known, [...active, token.text]);
  });
}

/** A parsed expression: `value(state)`, and `text(state)` as it is shown. */
export function parse(text, run) {
  return new Parser(text, run).whole();
}

class Parser {
  constructor(text, run) {
    this.run = run;
    this.end = text.length;
    this.mtypes = new Map(Object.entries(run.result.mtypes ?? {}));
    this.tokens = expanded(tokens(text), macros(run.result));
    this.position = 0;
    if (this.tokens.length > MOST_TOKENS) throw new ExpressionError("the expression is too long", 0);
  }

  get token() {
    return this.tokens[this.position] ?? { kind: "end", text: "the end", at: this.end };
  }

  at(...texts) {
    return this.token.kind !== "end" && texts.includes(this.token.text);
  }

  take(...texts) {
    if (!this.at(...texts)) return null;
    return this.tokens[this.position++];
  }

  expect(text, why) {
    if (!this.take(text)) this.fail(`'${text}' expected ${why}, and not ${this.shown()}`);
  }

  shown() {
    return this.token.kind === "end" ? "the end" : `'${this.token.text}'`;
  }

  fail(message, token = this.token) {
    throw new ExpressionError(message, token.at);
  }

  whole() {
    if (this.token.kind === "end") this.fail("there is nothing to evaluate");
    const found = this.binary(0);
    if (this.at("[]", "<>") || (this.token.kind === "name" && TEMPORAL.has(this.token.text))) this.temporal();
    if (this.at("=")) this.fail("'=' assigns; '==' compares");
    if (this.token.kind !== "end") this.fail(`an operator expected, and not ${this.shown()}`);
    const show = found.show ?? (found.truth ? (value) => (value ? "true" : "false") : String);
    return {
      value: found.value,
      text: (state) => {
        const value = found.raw ? found.raw(state) : found.value(state);
        return value === undefined ? "–" : found.raw ? value : show(value);
      },
    };
  }

  temporal() {
    this.fail(`'${this.token.text}' is temporal: here an expression is evaluated in each state by itself`);
  }

  binary(level) {
    if (level === LEVELS.length) return this.unary();
    let left = this.binary(level + 1);
    for (let token; (token = this.take(...LEVELS[level])); ) {
      const [a, b] = [left, this.binary(level + 1)];
      left = { value: combined(token.text, a.value, b.value), truth: TRUTHS.has(token.text) };
    }
    return left;
  }

  unary() {
    if (this.at("[]", "<>")) this.temporal();
    const token = this.take("!", "~", "-");
    if (!token) return this.primary();
    const { value } = this.unary();
    const operate = { "!": (v) => Number(v === 0), "~": (v) => ~v, "-": (v) => -v | 0 }[token.text];
    return {
      value: (state) => {
        const found = value(state);
        return found === undefined ? undefined : operate(found);
      },
      truth: token.text === "!",
    };
  }

  primary() {
    const token = this.token;
    if (this.take("(")) return this.parenthesis();
    if (token.kind === "number") {
      this.position++;
      const number = Number(token.text) | 0;
      return { value: () => number };
    }
    if (token.kind !== "name") this.fail(`a variable, a number or '(' expected, and not ${this.shown()}`);
    this.position++;
    const constant = { true: 1, false: 0, skip: 1 }[token.text];
    if (constant !== undefined) return { value: () => constant, truth: token.text !== "skip" };
    if (QUERIES.has(token.text) && this.at("(")) return this.query(token);
    if (token.text === "_nr_pr") return { value: (state) => state.where.size };
    if (["timeout", "np_", "enabled", "pc_value", "_pid", "_last", "run", "eval", "else"].includes(token.text)) {
      this.fail(`'${token.text}' is not known of a state of a trace`, token);
    }
    return this.name(token);
  }

  /** `( a )`, or `( a -> b : c )`. */
  parenthesis() {
    const first = this.binary(0);
    let found = first;
    if (this.take("->")) {
      const yes = this.binary(0);
      this.expect(":", "before what holds otherwise");
      const no = this.binary(0);
      found = {
        value: (state) => {
          const chosen = first.value(state);
          return chosen === undefined ? undefined : (chosen ? yes : no).value(state);
        },
        truth: yes.truth && no.truth,
      };
    }
    this.expect(")", "to close the parenthesis");
    return found;
  }

  /** What begins with a name: a variable, an mtype constant, or something of a process. */
  name(token) {
    if (this.isProcess(token.text) && !this.hasVariable(token.text)) return this.remote(token);
    if (TEMPORAL.has(token.text) && !this.hasVariable(token.text)) this.fail(`'${token.text}' is temporal: here an expression is evaluated in each state by itself`, token);
    if (this.mtypes.has(token.text)) {
      const value = this.mtypes.get(token.text);
      return { value: () => value, show: () => token.text };
    }
    return this.variable(this.ownerOf(token), token);
  }

  isProcess(name) {
    return this.run.lanes.some((lane) => lane.who.replace(/:\d+$/, "") === name);
  }

  hasVariable(name) {
    return this.run.variables.some((v) => v.process === null && baseOf(v.name) === name);
  }

  /** `p[1]:x`, `p:x`, `p[1]@label`, `p@label`, and `p:1.x` as the page writes it. */
  remote(token) {
    let pid = null;
    if (this.take("[")) {
      pid = this.binary(0).value;
      this.expect("]", "after the number of a process");
    }
    if (this.take("@")) {
      const label = this.word("a label");
      return {
        value: (state) => {
          const where = position(state, token.text, pid);
          return where && Number((where.labels ?? []).includes(label.text));
        },
        truth: true,
      };
    }
    if (!this.take(":")) this.fail(`':' or '@' expected after the name of a process, and not ${this.shown()}`);
    if (this.token.kind === "number") {
      const number = Number(this.tokens[this.position++].text);
      this.expect(".", "before the variable of a process");
      return this.variable(() => `${token.text}:${number}`, this.word("a variable"), token.text);
    }
    const owner = (state) => {
      const where = position(state, token.text, pid);
      return where && `${token.text}:${where.pid}`;
    };
    return this.variable(owner, this.word("a variable"), token.text);
  }

  word(what) {
    if (this.token.kind !== "name") this.fail(`${what} expected, and not ${this.shown()}`);
    return this.tokens[this.position++];
  }

  /** Whose variable a plain name is: a global one, or that of the only process that has it. */
  ownerOf(token) {
    if (this.hasVariable(token.text)) return () => null;
    const owners = new Set(this.run.variables.filter((v) => baseOf(v.name) === token.text).map((v) => v.process));
    if (owners.size === 0) this.unknown(token, this.run.variables);
    if (owners.size > 1) {
      const [first] = [...owners].sort();
      const [, name, pid] = /^(.*):(\d+)$/.exec(first);
      this.fail(`several processes have '${token.text}': write ${name}[${pid}]:${token.text}`, token);
    }
    const [owner] = owners;
    return () => owner;
  }

  unknown(token, variables) {
    const names = [...new Set(variables.map((v) => baseOf(v.name)))];
    const near = nearest(token.text, [...names, ...this.mtypes.keys()]);
    this.fail(`there is no variable '${token.text}'${near ? `; did you mean '${near}'?` : ""}`, token);
  }

  /** A variable with its indices and fields. */
  variable(owner, token, process = null) {
    const parts = [() => token.text];
    let exact = token.text; // the whole name, if it is the same in every state
    while (this.at("[", ".")) {
      if (this.take(".")) {
        const field = this.word("a field");
        parts.push(() => `.${field.text}`);
        exact = exact && `${exact}.${field.text}`;
        continue;
      }
      this.take("[");
      const index = this.binary(0).value;
      this.expect("]", "after an index");
      parts.push((state) => {
        const at = index(state);
        return at === undefined ? undefined : `[${at}]`;
      });
      exact = null;
    }
    const mine = this.run.variables.filter((v) => (process === null ? true : v.process?.startsWith(`${process}:`)));
    if (!mine.some((v) => baseOf(v.name) === token.text)) this.unknown(token, mine);
    if (exact !== null && !mine.some((v) => plain(v.name) === exact)) {
      const [like] = mine.filter((v) => baseOf(v.name) === token.text);
      this.fail(`'${exact}' is no single value; it has ${like.name}`, token);
    }
    const raw = (state) => {
      const who = owner(state);
      if (who === undefined) return undefined;
      const words = parts.map((part) => part(state));
      return words.includes(undefined) ? undefined : this.valueOf(state, who, words.join(""));
    };
    return { value: (state) => this.numberOf(raw(state)), raw };
  }

  /** The text of a value. A variable of an inner block may have its line in its name: `x@12`. */
  valueOf(state, who, name) {
    const number = this.run.find(who, name);
    if (number !== undefined && state.values[number] !== undefined) return state.values[number];
    let found;
    this.run.variables.forEach((v, n) => {
      if (v.process === who && plain(v.name) === name) found = state.values[n] ?? found;
    });
    return found;
  }

  numberOf(text) {
    if (text === undefined) return undefined;
    return this.mtypes.get(text) ?? (/^-?\d+$/.test(text) ? Number(text) : undefined);
  }

  /** len(q) and its like. */
  query(token) {
    this.expect("(", "");
    const name = this.token;
    if (name.kind !== "name") this.fail("a channel expected");
    const argument = this.primary();
    this.expect(")", `after the channel of ${token.text}`);
    if (!argument.raw) this.fail("a channel expected", name);
    if (token.text.endsWith("full")) this.fail(`how many messages fit is not in the trace; use len(...)`, token);
    const length = (state) => {
      let text = argument.raw(state);
      for (let hops = 0; text !== undefined && hops < 3 && !isMessages(text); hops++) text = this.alias(state, text);
      if (text === undefined || !isMessages(text)) return undefined;
      return text === "empty" ? 0 : (text.match(/\[/g) ?? []).length;
    };
    const judge = { len: (n) => n, empty: (n) => Number(n === 0), nempty: (n) => Number(n > 0) }[token.text];
    return {
      value: (state) => {
        const count = length(state);
        return count === undefined ? undefined : judge(count);
      },
      truth: token.text !== "len",
    };
  }

  /** The value of a channel that another variable's value names. */
  alias(state, name) {
    const [, who, variable] = /^(?:(.*?:\d+)\.)?(.*)$/s.exec(name);
    return this.valueOf(state, who ?? null, variable);
  }
}

function combined(operator, a, b) {
  if (operator === "&&") {
    return (state) => {
      const left = a(state);
      if (left === 0) return 0;
      const right = b(state);
      if (right === 0) return 0;
      return left === undefined || right === undefined ? undefined : 1;
    };
  }
  if (operator === "||") {
    return (state) => {
      const left = a(state);
      if (left) return 1;
      const right = b(state);
      if (right) return 1;
      return left === undefined || right === undefined ? undefined : 0;
    };
  }
  const operate = OPERATIONS[operator];
  return (state) => operate(a(state), b(state));
}

const isMessages = (text) => text === "empty" || text.startsWith("[");
const plain = (name) => name.replace(/@[\d:]+/, "");
const baseOf = (name) => /^[^.[]*/.exec(plain(name))[0];

/** Where a process of a type is; with a pid, that one, and without, the only one. */
function position(state, type, pid) {
  if (pid !== null) {
    const found = state.where.get(pid(state));
    return found && found.process === type ? found : undefined;
  }
  const found = [...state.where.values()].filter((each) => each.process === type);
  return found.length === 1 ? found[0] : undefined;
}

function nearest(word, names) {
  const distance = (a, b) => {
    let row = [...b].map((_, n) => n + 1);
    [...a].forEach((letter, n) => {
      let [corner, left] = [n, n + 1];
      row = row.map((above, m) => {
        const now = Math.min(above + 1, left + 1, corner + (letter === b[m] ? 0 : 1));
        [corner, left] = [above, now];
        return now;
      });
    });
    return row.at(-1);
  };
  const ranked = names.map((name) => [distance(word, name), name]).sort((a, b) => a[0] - b[0]);
  return ranked.length && ranked[0][0] <= Math.max(1, word.length * 0.4) && ranked[0][0] < word.length ? ranked[0][1] : null;
}

/** What an expression is in every state: the texts, and after how many steps they change. */
export function evaluate(text, run) {
  const expression = parse(text, run);
  const texts = [];
  run.walk((state) => texts.push(expression.text(state)));
  const changes = [];
  texts.forEach((value, at) => {
    if (at > 0 && value !== texts[at - 1]) changes.push(at);
  });
  return { text, texts, changes };
}

/** Where a value changes, in words. */
export const changeText = (value, at) => (at === 0 ? `${value} at first` : `${value} after step ${at}`);

export const placeText = (file, line) => `${baseName(file)}:${line}`;
