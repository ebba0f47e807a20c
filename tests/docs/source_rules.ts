/**
 * Rules of `deno lint` for the source: no function is more than a reader can hold, `src/system/` alone
 * names a runtime, and nothing needs a newer Node.js than the package runs on. A table that is built in a function may be as long as its rows: it is data.
 *
 * @module
 */

/** Lines of a function, at most, its signature included. */
export const MAX_LINES = 50;
/** Places at which a function branches, at most, without the functions in it. */
export const MAX_BRANCHES = 15;
/** What a function of {@linkcode LARGER} may have. */
const UTMOST = { lines: 70, branches: 32 };

/** How many larger functions a file has from before there were these limits. No number grows. */
export const LARGER: Readonly<Record<string, number>> = {
  // A loop for WebAssembly: a call in it, or a table, would cost what it is there to save.
  "src/read/byte_search.as.ts": 2,
};

/** What Node.js 22 or 24 lacks, and what to use. */
const NEWER: Readonly<Record<string, string>> = {
  getOrInsert: "valueAt of src/util/collections.ts",
  getOrInsertComputed: "valueAt of src/util/collections.ts",
  fromBase64: "bytesOfBase64 of src/util/collections.ts",
  toHex: "hexOf of src/util/collections.ts",
  "RegExp.escape": "escapeRegExp of src/util/text.ts",
  DisposableStack: "try and finally",
  SuppressedError: "its name",
};

type Node = Deno.lint.Node;
type Visitor = Deno.lint.LintVisitor;

const FUNCTIONS = ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"];
const BRANCHES = [
  ...["IfStatement", "ConditionalExpression", "LogicalExpression", "CatchClause"],
  ...["ForStatement", "ForInStatement", "ForOfStatement", "WhileStatement", "DoWhileStatement"],
  "SwitchCase[test]",
];

/** Handles every function with its lines and its branches. */
function functionVisitor(
  text: string,
  take: (node: Node, lines: number, branches: number) => void,
): Visitor {
  const open: number[] = [];
  const enter = () => open.push(0);
  const leave = (node: Node) => {
    take(node, text.slice(...node.range).split("\n").length, open.pop()!);
  };
  const branch = () => {
    if (open.length > 0) open[open.length - 1]!++;
  };
  return Object.fromEntries([
    ...FUNCTIONS.flatMap((type) => [[type, enter], [`${type}:exit`, leave]]),
    ...BRANCHES.map((selector) => [selector, branch]),
  ]);
}

/** The folders that may ask who reads an answer; below them a {@linkcode Voice} words what is said. */
const KNOW_CALLERS = /[\\/]src[\\/](?:cli|mcp|resident|tools|shell_commands|search)[\\/]/;

const plugin: Deno.lint.Plugin = {
  name: "pathgrep",
  rules: {
    "function-size": {
      create(context) {
        const [, file] = /[\\/](src[\\/].*)$/.exec(context.filename) ?? [];
        if (file === undefined) return {};
        const allowed = LARGER[file.replaceAll("\\", "/")] ?? 0;
        const larger: { node: Node; message: string }[] = [];
        const visitor = functionVisitor(context.sourceCode.text, (node, lines, branches) => {
          if (lines <= MAX_LINES && branches <= MAX_BRANCHES) return;
          const message = `${lines} lines, ${branches} branches in one function; ` +
            `at most ${MAX_LINES} and ${MAX_BRANCHES}`;
          larger.push({ node, message });
          if (lines <= UTMOST.lines && branches <= UTMOST.branches) return;
          context.report({ node, message, hint: "give its steps names of their own" });
        });
        return {
          ...visitor,
          "Program:exit"(node) {
            if (larger.length > allowed) {
              const hint = "give its steps names of their own";
              for (const each of larger) context.report({ ...each, hint });
            } else if (larger.length < allowed) {
              const message = `${file} has ${larger.length} larger functions, not ${allowed}`;
              context.report({ node, message, hint: "lower its number in LARGER" });
            }
          },
        };
      },
    },
    "old-enough": {
      create(context) {
        if (!/[\\/]src[\\/]/.test(context.filename)) return {};
        const look = (node: Node, name: string) => {
          const use = Object.hasOwn(NEWER, name) ? NEWER[name] : undefined;
          if (use === undefined) return;
          context.report({ node, message: `Node.js 22 or 24 lacks ${name}`, hint: `use ${use}` });
        };
        return {
          Identifier: (node) => look(node, node.name),
          MemberExpression: (node) => look(node, context.sourceCode.getText(node)),
        };
      },
    },
    "caller-unknown": {
      create(context) {
        const { filename } = context;
        if (!/[\\/]src[\\/]/.test(filename) || KNOW_CALLERS.test(filename)) return {};
        return {
          Identifier(node) {
            if (!/^(?:caller|isAtShell|audience|voiceOf)$/i.test(node.name)) return;
            const message = `${node.name} asks who reads the answer`;
            context.report({
              node,
              message,
              hint: "take a Voice, or the fact that follows from it",
            });
          },
        };
      },
    },
    "system-alone": {
      create(context) {
        const { filename } = context;
        const isOurs = /[\\/]src[\\/]|[\\/](?:cli|mod)\.ts$/.test(filename);
        if (!isOurs || /[\\/]src[\\/]system[\\/]/.test(filename)) return {};
        const report = (node: Node, name: string) => {
          const message = `${name} belongs to one runtime`;
          context.report({ node, message, hint: "use, or add, a function of src/system/" });
        };
        return {
          Identifier(node) {
            if (node.name === "Deno" || node.name === "process") report(node, node.name);
          },
          Literal(node) {
            if (String(node.value).startsWith("node:")) report(node, String(node.value));
          },
        };
      },
    },
  },
};
export default plugin;
