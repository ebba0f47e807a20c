/**
 * Faults in the command line.
 *
 * @module
 */

import { type Fault, faultsIn } from "../fault.ts";

const EDGES = "tests/cli/edges.test.ts";
const OUTPUT = "tests/cli/output.test.ts";
const TERMINAL = "tests/cli/terminal.test.ts";
const SERVE = "tests/resident/serve.test.ts";
const RESIDENT = "tests/resident/attacks.test.ts";
const GREEDY = "tests/resident/greedy_clients.test.ts";

/** Faults in `src/cli/`. */
export const CLI_FAULTS: readonly Fault[] = [
  ...faultsIn("src/cli/main.ts", [EDGES], [
    { find: `"json", host);\n    return FAILED;`, replace: `"json", host);\n    return 1;` },
  ]),
  ...faultsIn("src/cli/options/argument_parser.ts", [EDGES], [
    {
      find: `operands.push(...args.slice(index + 1));`,
      replace: `operands.push(...args.slice(index));`,
    },
  ]),
  ...faultsIn("src/cli/options/option.ts", [EDGES], [
    { find: `number >= least && Number.isSafeInteger(number)`, replace: `number >= least` },
    {
      find: `number >= least && Number.isSafeInteger(number)`,
      replace: `number > least && Number.isSafeInteger(number)`,
    },
    {
      find: `number >= least && Number.isSafeInteger(number)`,
      replace: `Number.isSafeInteger(number)`,
    },
    { find: `if (!Number.isSafeInteger(number)) return false;`, replace: `` },
  ]),
  ...faultsIn("src/cli/printers/grep_printer.ts", [EDGES], [
    {
      find: '"-", number)}${this.#shown(line)}\\n`;',
      replace: '"-", number)}${line}\\n`;',
    },
    { find: `let at = 1;`, replace: `let at = first - codePointsIn(parts[0]!);`, tests: [OUTPUT] },
    { find: `isStart &&= shown === "";`, replace: `isStart = false;`, tests: [OUTPUT] },
    { find: `hasOthers && !onlyMatching ?`, replace: `hasOthers ?`, tests: [OUTPUT] },
  ]),
  ...faultsIn("src/cli/run_search.ts", [OUTPUT], [
    {
      find: `      entries++;\n      reader.abort();`,
      replace: `      entries++;`,
      tests: ["tests/cli/time_limit.test.ts"],
      hangs: true,
    },
    { find: `sizeOf(trim?.trimmedEntry(entry) ?? entry)`, replace: `sizeOf(entry)` },
    { find: `stats: { ...result.stats, resident: true }`, replace: ``, tests: [SERVE] },
  ]),
  ...faultsIn("src/cli/printers/error_printer.ts", [EDGES], [
    {
      find: "`${escapeControls(line)}\\n`",
      replace: "`${line}\\n`",
    },
  ]),
  ...faultsIn("src/cli/printers/json_printer.ts", [EDGES], [
    {
      find: `return escapeControlsInJson(JSON.stringify(value));`,
      replace: `return JSON.stringify(value);`,
    },
  ]),
  ...faultsIn("src/cli/printers/jsonl_printer.ts", [EDGES], [
    {
      find: `for (const key of ENTRY_KEYS) delete summary[key];`,
      replace: ``,
    },
  ]),
  ...faultsIn("src/cli/printers/text_printer.ts", [EDGES], [
    {
      find: "`pathgrep: note: ${escapeControls(note)}\\n`",
      replace: "`pathgrep: note: ${note}\\n`",
    },
  ]),
  ...faultsIn("src/cli/permission_prompt.ts", [TERMINAL], [
    { find: `if (UNFINISHED.test(key)) {`, replace: `if (false) {` },
    { find: `|200~)`, replace: `)` },
    {
      find: `if (!await Promise.race([keyboard.drop(), aborted.promise])) {`,
      replace: `if (false) {`,
      filter: "typed",
    },
    {
      find: `const shown = (path: string) => shortened(printable(path), room);`,
      replace: `const shown = (path: string) => printable(path);`,
      filter: "any length",
    },
    {
      find: `const shown = (path: string) => shortened(printable(path), room);`,
      replace: `const shown = (path: string) => shortened(path, room);`,
      filter: "control characters",
    },
    { find: `const DENY = 1;`, replace: `const DENY = 0;`, filter: "Enter alone" },
    {
      find: `key === ESCAPE || key === CTRL_C || key === CTRL_D`,
      replace: `key === ESCAPE || key === CTRL_D`,
      filter: "Ctrl-C",
      hangs: true,
    },
  ]),
  ...faultsIn("src/cli/options/resident_choice.ts", [TERMINAL, "tests/cli/permissions.test.ts"], [
    {
      find: `prompt === "auto" && Deno`,
      replace: `Deno`,
      filter: "--prompt never",
      hangs: true,
    },
  ]),
  ...faultsIn("src/cli/commands/call_command.ts", [EDGES], [
    { find: `return "error" in answer ? 2 : 0;`, replace: `return 0;` },
    {
      find: `...{ workspace, allow, deny, timeout },`,
      replace: `...{ workspace, allow, timeout },`,
    },
    { find: `if (tool === undefined || more.length > 0) {`, replace: `if (tool === undefined) {` },
  ]),
  ...faultsIn("src/cli/commands/resolve_command.ts", [EDGES], [
    {
      find: `{ as, field, allow, deny, permissionRequester }`,
      replace: `{ as, field, allow, permissionRequester }`,
    },
  ]),
  ...faultsIn("src/cli/pattern_files.ts", ["tests/cli/compat_options.test.ts"], [
    { find: `patterns.filter((pattern) => pattern !== "");`, replace: `patterns;` },
    { find: `if (given.length === 0) {`, replace: `if (false) {` },
    { find: `patternFiles.includes(STDIN) && query.path.includes(STDIN)`, replace: `false` },
    { find: `as: "file", field`, replace: `as: "search", field` },
    { find: `|| lines > MAX_PATTERNS`, replace: `` },
    { find: `|| chars > MAX_CHARS`, replace: `` },
    { find: `settings.spent += `, replace: ``, tests: ["tests/cli/pipes.test.ts"] },
  ]),
  ...faultsIn("src/resident/protocol.ts", ["tests/resident/protocol.test.ts", SERVE], [
    { find: `if (length > MAX_FRAME_BYTES)`, replace: `if (false)` },
    { find: `if (data.length < HEADER_BYTES + length) break;`, replace: `` },
    { find: `    this.#rest = data;\n`, replace: `` },
  ]),
  ...faultsIn("src/resident/socket.ts", [SERVE, RESIDENT], [
    {
      find: `return "is open to others";`,
      replace: `return undefined;`,
      filter: "that others may enter",
      hangs: true,
    },
    { find: `return "belongs to another user";`, replace: `return undefined;` },
    { find: `[version, ...roots.toSorted()]`, replace: `[version]` },
    { find: `[version, ...roots.toSorted()]`, replace: `[version, ...roots]` },
    {
      find: `return isExposed ? "lies where others may replace it" : undefined;`,
      replace: `return undefined;`,
      tests: [RESIDENT],
    },
    {
      find: `waysTo(directory).some(isReplaceable)`,
      replace: `isReplaceable(directory)`,
      tests: [RESIDENT],
    },
    { find: `{ recursive: true, mode: 0o700 }`, replace: `{ recursive: true }`, tests: [RESIDENT] },
  ]),
  ...faultsIn("src/resident/client.ts", [SERVE], [
    { find: `let patience = ACCEPT_MS;`, replace: `let patience = 1e9;`, hangs: true },
    { find: `if (kind === FRAME.declined) return undefined;`, replace: ``, hangs: true },
  ]),
  ...faultsIn("src/resident/resident_server.ts", [SERVE, RESIDENT, GREEDY], [
    { find: `await this.#accepting;`, replace: `` },
    { find: `if (isIdle || !this.#isInPlace ||`, replace: `if (!this.#isInPlace ||`, hangs: true },
    { find: `if (isIdle || !this.#isInPlace ||`, replace: `if (isIdle ||`, hangs: true },
    {
      find: `if (await isAlive(socket)) {`,
      replace: `if (false) {`,
      filter: "one stays",
      hangs: true,
    },
    { find: `words.length > MAX_WORDS ||`, replace: `` },
    {
      find: `return words.length > MAX_WORDS ||\n    `,
      replace: `return words.length > MAX_WORDS; `,
    },
    { find: `slowest === undefined || performance`, replace: `true || performance` },
  ]),
  ...faultsIn("src/resident/served_client.ts", [SERVE, GREEDY], [
    { find: `if (length > MAX_REQUEST_BYTES) throw`, replace: `if (false) throw` },
    { find: `buffer.slice(0, read)`, replace: `buffer.subarray(0, read)` },
  ]),
  ...faultsIn("src/cli/ask_resident.ts", [RESIDENT], [
    { find: ` || !mayReadAll(settings)`, replace: `` },
    {
      find: `settings.spent += spent;`,
      replace: `return undefined;`,
      tests: [SERVE],
      filter: "the rest of the time limit",
    },
    { find: `state === "granted" && !partial`, replace: `state === "granted"` },
  ]),
  ...faultsIn("src/cli/keyboard.ts", [TERMINAL], [
    {
      find: `quiet < QUIET_TURNS;`,
      replace: `quiet < 0;`,
      filter: "typed",
    },
    {
      find: `if (performance.now() > until) return false;`,
      replace: `if (performance.now() > until) return true;`,
      filter: "keys that keep coming",
    },
    { find: `quiet = isQuiet ? quiet + 1 : 0;`, replace: `quiet++;`, filter: "typed" },
    {
      find: `globalThis.addEventListener("unload", this.#restore);`,
      replace: ``,
      filter: "SIG",
      why: "Deno puts the terminal back as well when it ends",
    },
    {
      find: `if (isKnown(signal)) Deno.addSignalListener(signal, end);`,
      replace: ``,
      filter: "SIG",
    },
    {
      find: `    this.#restore();\n    globalThis`,
      replace: `    globalThis`,
      filter: "Ctrl-C after",
    },
  ]),
  ...faultsIn("src/cli/commands/doctor_command.ts", ["tests/cli/commands.test.ts"], [
    { find: `deno run --no-config --no-prompt`, replace: `deno run --no-prompt` },
  ]),
];
