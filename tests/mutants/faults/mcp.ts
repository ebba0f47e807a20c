/**
 * Faults in the MCP server.
 *
 * @module
 */

import { type Fault, faultsIn } from "../fault.ts";

const WORKSPACE = "tests/mcp/workspace.test.ts";
const ROOTS = "tests/mcp/roots.test.ts";
const HOME = "tests/alone/home_directory.test.ts";
const PERMISSION = "tests/mcp/permission.test.ts";
const MESSAGES = "tests/mcp/messages.test.ts";
const SESSION = "tests/mcp/session.test.ts";
const RESPONSIVE = "tests/mcp/responsive.test.ts";

/** Faults in `src/mcp/`. */
export const MCP_FAULTS: readonly Fault[] = [
  ...faultsIn("src/mcp/elicitation.ts", [PERMISSION], [
    {
      find: `[SALT, nonce, tool,`,
      replace: `[SALT, tool,`,
      filter: "still the same",
    },
    {
      find: `return this.#answers === undefined;`,
      replace: `return true;`,
      why: "a denial is thrown all the same, once the other paths have been looked at",
      filter: "several paths outside",
    },
    {
      find: `return action === "accept" && choice !== undefined`,
      replace: `return choice !== undefined`,
      filter: "malformed or missing answer",
    },
    {
      find: `[SALT, nonce, tool, resolvedPath, identityAt(resolvedPath)]`,
      replace: `[SALT, nonce, tool, resolvedPath]`,
      filter: "counts for the tool",
    },
    {
      find: `if (this.#answers === undefined) {`,
      replace: `if (!Object.hasOwn(this.#answers ?? {}, key)) {`,
      filter: "malformed or missing answer",
    },
    {
      find: `if (signal?.aborted) throw thrown;`,
      replace: ``,
      why: "whoever asked has gone: nobody hears what is thrown or answered",
      filter: "takes its question back",
    },
    {
      find: `shortened(printable(path), MAX_PATH_COLUMNS);`,
      replace: `printable(path);`,
      filter: "any length",
    },
    {
      find: `shortened(printable(path), MAX_PATH_COLUMNS);`,
      replace: `shortened(path, MAX_PATH_COLUMNS);`,
      filter: "forge",
    },
    {
      find: `(elicitation["form"] !== undefined || elicitation["url"] === undefined);`,
      replace: `true;`,
      tests: [PERMISSION],
      filter: "takes forms",
    },
    {
      find: `return "deny"; // a question`,
      replace: `return "allow"; // a question`,
      filter: "malformed or missing answer",
    },
    {
      find: `key !== undefined && key === await keyOf(request, key.slice(start.length, end))`,
      replace: `key !== undefined`,
      filter: "counts for the tool",
    },
  ]),
  ...faultsIn("src/mcp/roots.ts", [WORKSPACE], [
    {
      find: `ceiling.canonical(path, (step) => isBlocked(step) !== false);`,
      replace: `ceiling.canonical(path);`,
      tests: ["tests/mcp/roots.test.ts"],
    },
    {
      find: `if (unnamed === 0) return named;`,
      replace: `if (unnamed <= 100) return this.#notes;`,
      tests: [ROOTS],
    },
    {
      find: `} else if (root.exists && root.info.isDirectory) roots.add(root.path);`,
      replace: `} else if (root.exists) roots.add(root.path);`,
      tests: [ROOTS],
    },
    {
      find: `return Deno.realPathSync(home) === directory;`,
      replace: `return home === directory;`,
      tests: [HOME],
    },
    {
      find: `[path, root.path].some(`,
      replace: `[path].some(`,
      tests: [ROOTS],
    },
    {
      find: `[path, root.path].some(`,
      replace: `[root.path].some(`,
      tests: [ROOTS],
    },
    {
      find: `for (const inner of ceiling.roots) if (isWithin(root.path, inner)) roots.add(inner);`,
      replace: `for (const inner of ceiling.roots) roots.add(inner);`,
    },
    {
      find:
        `if (roots.size > 0) return { workspace: ceiling.narrowedTo([...roots]), notes: leftOut.notes };`,
      replace: ``,
    },
    {
      find: `if (root === undefined || !isTooWide(root)) return workspace;`,
      replace: `return workspace;`,
    },
    {
      find: `platform.dirname(directory) === directory || HOMES.test(directory)`,
      replace: `HOMES.test(directory)`,
    },
  ]),
  ...faultsIn("src/mcp/server.ts", [WORKSPACE], [
    {
      find: `era === "modern" && options.mayAsk ? replyRequester(context)`,
      replace: `era === "modern" ? replyRequester(context)`,
      tests: [PERMISSION],
      filter: "nobody is asked",
    },
    {
      find: `mayAsk && offersForms(capabilities) ? pushRequester`,
      replace: `offersForms(capabilities) ? pushRequester`,
      tests: [PERMISSION],
      filter: "nobody is asked",
    },
    {
      find: `return { value: uris.map((uri) => typeof uri === "string" ? uri : "") };`,
      replace: `return { value: uris as string[] };`,
      filter: "root",
    },
    { find: `if (hasCeiling) return [];`, replace: `return [];`, filter: "fails to say" },
    {
      find: `    notes,\n    permissionRequester`,
      replace: `    permissionRequester`,
      filter: "no file: URL",
    },
    {
      find: `        signal: context.mcpReq.signal,\n`,
      replace: ``,
      tests: [RESPONSIVE, SESSION],
      filter: "cancelled call",
    },
    {
      find: `if (session === opened) session = undefined; // the next`,
      replace: `// the next`,
      filter: "fails to say",
    },
    { find: `    session = undefined;\n  });`, replace: `  });` },
  ]),
  ...faultsIn("src/mcp/call_result.ts", ["tests/mcp/calls.test.ts"], [
    {
      find: `if ("error" in answer) return { content, isError: true };`,
      replace: `if ("error" in answer) return { content };`,
    },
    {
      find: `if ("error" in answer) return { content, isError: true };`,
      replace:
        `if ("error" in answer) return { content, isError: true, structuredContent: answer };`,
    },
    {
      find: `if (isTextOnly) return { content };`,
      replace: ``,
      tests: ["tests/tools/concise.test.ts"],
    },
  ]),
  ...faultsIn("src/mcp/line_transport.ts", [MESSAGES], [
    {
      find: `return line.length > MAX_MESSAGE_BYTES ? encoded(failure(null, code, text)) : line;`,
      replace: `return line;`,
      filter: "4 MiB",
    },
    {
      find: `if (length <= MAX_INPUT_BYTES) parts.push(part);`,
      replace: `if (length < MAX_INPUT_BYTES) parts.push(part);`,
      filter: "10 MiB",
      hangs: true,
    },
    { find: `if (fitted) {`, replace: `if (true) {`, filter: "without an end" },
    {
      find: `        parts = [];\n        if (fitted)`,
      replace: `        if (fitted)`,
      why: "what is kept is at most as long as a line may be: it bounds memory only",
      filter: "without an end",
    },
    {
      find: `if (length > 0 && length <= MAX_INPUT_BYTES) this.#receive`,
      replace: `if (length > 0) this.#receive`,
      filter: "without an end",
    },
    {
      find: `new TextDecoder("utf-8", { fatal: true })`,
      replace: `new TextDecoder("utf-8")`,
      filter: "no message",
    },
    { find: `if (text.trim() === "") return;`, replace: ``, filter: "are no message are answered" },
    {
      find: `if (isNamed && method === undefined) {`,
      replace: `if (false) {`,
      tests: [PERMISSION],
      filter: "malformed or missing answer",
      hangs: true,
    },
    {
      find: `"Invalid Request", isNamed ? id : null);`,
      replace: `"Invalid Request");`,
      filter: "are no message are answered",
      hangs: true,
    },
    {
      find: `    if (line.length > MAX_MESSAGE_BYTES) {`,
      replace: `    if (false) {`,
      filter: "4 MiB",
    },
    {
      find: `this.#writing.catch(() => this.close()); // nobody`,
      replace: `this.#writing.catch(() => {}); // nobody`,
      tests: [SESSION],
      filter: "nobody reads",
    },
  ]),
  ...faultsIn("src/mcp/stdio.ts", [SESSION], [
    {
      find: `await within(ended + READ_MS - performance.now(), transport.flush());`,
      replace: `await transport.flush();`,
      hangs: true,
      tests: [RESPONSIVE],
      filter: "reads on, but slowly",
    },
    {
      find: `if (transport.hasEnded) {`,
      replace: `if (false) {`,
      filter: "end of its input",
    },
    {
      find: `await within(ANSWER_MS, idle);`,
      replace: `await idle;`,
      hangs: true,
      tests: [RESPONSIVE],
      filter: "the end of input ends a server in the middle of slow calls, with rights to all",
    },
    {
      find: `  keepConsoleOffStdout();\n`,
      replace: ``,
      why: "nothing prints: it guards against what a later version of a package may do",
    },
  ]),
];
