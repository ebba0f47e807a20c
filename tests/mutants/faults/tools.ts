/**
 * Faults in the tools.
 *
 * @module
 */

import { type Fault, faultsIn } from "../fault.ts";

const BOUNDS = "tests/tools/bounds.test.ts";
const REACH = "tests/workspace/reach.test.ts";
const INPUT = "tests/tools/input.test.ts";
const ANSWERS = "tests/tools/answers.test.ts";
const READINGS = "tests/tools/query_alternatives.test.ts";
const EXECUTOR = "tests/tools/wrapped_executor.test.ts";
const PERMISSION = "tests/tools/permission.test.ts";

/** Faults in `src/tools/`. */
export const TOOL_FAULTS: readonly Fault[] = [
  ...faultsIn("src/tools/tool_context.ts", [BOUNDS, PERMISSION, ANSWERS], [
    {
      find: `if (options.signal?.aborted) throw new PathgrepError("cancelled", "cancelled");`,
      replace: ``,
    },
    {
      find: `permissionRequester && timedRequester(permissionRequester, permissionTimeout)`,
      replace: `permissionRequester`,
    },
    {
      find: `this.limits = { allow, deny, timeout };`,
      replace: `this.limits = { allow, timeout };`,
    },
  ]),
  ...faultsIn("src/tools/grep_tool.ts", [BOUNDS, READINGS], [
    {
      find: `const query = { ...context.limits, ...queryOf("grep", values), explain: true };`,
      replace: `const query = { ...queryOf("grep", values), explain: true };`,
    },
    {
      find: `const query = { ...context.limits, ...queryOf("grep", values), explain: true };`,
      replace: `const query = { ...context.limits, ...queryOf("grep", values) };`,
    },
  ]),
  ...faultsIn("src/tools/glob_tool.ts", [BOUNDS, READINGS], [
    { find: `      explain: true,`, replace: `` },
    {
      find: `isEchoed = 2 * more < query.maxOutputChars!;`,
      replace: `isEchoed = true;`,
      tests: ["tests/tools/budget.test.ts"],
    },
  ]),
  ...faultsIn("src/tools/query_fields.ts", [BOUNDS, INPUT, "tests/tools/definitions.test.ts"], [
    { find: `isPaged ? "truncate" : "error"`, replace: `"error"` },
    {
      find: `query[key] = isOnByDefault(key) && value !== undefined ? !value : value;`,
      replace: `query[key] = value;`,
      tests: ["tests/tools/search_keys.test.ts", "tests/tools/requirements.test.ts"],
    },
  ]),
  ...faultsIn("src/tools/registry.ts", [BOUNDS], [
    { find: `if (this.#tools.has(tool.name)) {`, replace: `if (false) {` },
  ]),
  ...faultsIn("src/tools/resolve_path.ts", [BOUNDS, REACH], [
    {
      find: `scopedLocation(workspace, input, { field, isBlocked })`,
      replace: `scopedLocation(workspace, input, { field })`,
    },
    { find: `if (as === "file") {`, replace: `if (false) {` },
    {
      find: `const guard = new Guard({ workspace, allow, deny });`,
      replace: `const guard = new Guard({ workspace, allow });`,
    },
  ]),
  ...faultsIn("src/tools/resolve_path_tool.ts", [BOUNDS, REACH], [
    {
      find: `{ as, allow, deny, permissionRequester, signal }`,
      replace: `{ as, allow, permissionRequester, signal }`,
    },
    {
      find: `{ as, allow, deny, permissionRequester, signal }`,
      hangs: true,
      replace: `{ as, allow, deny, permissionRequester }`,
    },
  ]),
  ...faultsIn("src/tools/tool_call_paths.ts", [BOUNDS, EXECUTOR], [
    { find: `for (let end = 1; end <= names.length; end++) {`, replace: `const end = 1; {` },
    { find: `if (depth === MAX_DEPTH) {`, replace: `if (depth === MAX_DEPTH - 1) {` },
    { find: `map, depth + 1)`, replace: `map, depth)` },
    { find: `throw notAPath(value);\n  }`, replace: `return value;\n  }` },
    { find: `if (typeof value === "function") throw`, replace: `if (false) throw` },
    { find: `return Array.from(value, (item)`, replace: `return value.map((item)` },
    { find: `end <= names.length; end++`, replace: `end < names.length; end++` },
    { find: `yield [key, names.slice(end)];`, replace: `return yield [key, names.slice(end)];` },
  ]),
  ...faultsIn("src/tools/with_resolved_paths.ts", [BOUNDS, EXECUTOR], [
    { find: `keys.length > 0 && keys.every(`, replace: `keys.some(` },
    { find: `json.length > MAX_INPUT_CHARS ?`, replace: `false ?` },
  ]),
  ...faultsIn("src/tools/aliases.ts", [INPUT, "tests/cost/malformed_calls.test.ts"], [
    { find: `isGlob ? GLOB_PATTERN : [`, replace: `false ? GLOB_PATTERN : [` },
    {
      find: `Object.hasOwn(ALWAYS, name) && flag === true`,
      replace: `Object.hasOwn(ALWAYS, name)`,
    },
    {
      find: `isName(value: unknown, tool: string): boolean {`,
      replace:
        `isName(value: unknown, tool: string): boolean {\n  return true || isText(value) || tool === value;`,
    },
  ]),
  ...faultsIn("src/tools/input_normalizer.ts", [INPUT], [
    { find: `: !isSame(value, ours)`, replace: `: false` },
    { find: `return isAlone && holdsInput`, replace: `return holdsInput` },
    { find: `rest.length === 0 && !Array.isArray(first)`, replace: `!Array.isArray(first)` },
    { find: `values.every(isPlain) ?`, replace: `true ?` },
  ]),
  ...faultsIn("src/tools/answer_size.ts", ["tests/mcp/messages.test.ts"], [
    {
      find: `if (budget * BYTES_OF_CHARACTER <= bytes)`,
      replace: `if (budget > 0)`,
      filter: "4 MiB",
    },
    {
      find: `const BYTES_OF_CHARACTER = 6;`,
      replace: `const BYTES_OF_CHARACTER = 4;`,
      filter: "4 MiB",
    },
  ]),
  ...faultsIn("src/tools/concise.ts", ["tests/tools/concise.test.ts"], [
    { find: `number > this.#line && number < end ?`, replace: `number < end ?` },
    { find: `(this.#file === undefined ? "" : "\\n")`, replace: `""` },
    { find: `this.#row(escapeControls(file));`, replace: `this.#row(file);` },
  ]),
  ...faultsIn("src/tools/path_readings.ts", [INPUT], [
    { find: `&& suggestions === undefined`, replace: `` },
    { find: `.filter(([, path]) => isThere(path))`, replace: `` },
  ]),
  ...faultsIn("src/search/path_by_ending.ts", ["tests/workspace/endings.test.ts"], [
    { find: `if (signal?.aborted) throw`, replace: `if (false) throw` },
    { find: `if (!(thrown instanceof CutShort)) throw thrown;`, replace: `throw thrown;` },
    { find: `if (performance.now() > end) throw`, replace: `if (false) throw`, hangs: true },
    { find: `ignore: true,`, replace: `ignore: false,` },
    { find: `relative.endsWith(`, replace: `relative.includes(` },
    {
      find: `if (all.length === 0) return () => ({ paths: [] });`,
      replace: ``,
      why: "it saves a walk in vain",
    },
  ]),
  ...faultsIn("src/tools/input_parser.ts", [BOUNDS, INPUT], [
    {
      find: `typeof input !== "object" || input === null || Array.isArray(input)`,
      replace: `typeof input !== "object" || input === null`,
    },
  ]),
  ...faultsIn("src/tools/definition_formats.ts", ["tests/tools/definitions.test.ts"], [
    { find: `if (field.required) return schema;`, replace: `` },
  ]),
  ...faultsIn("src/tools/fields.ts", ["tests/tools/definitions.test.ts"], [
    { find: `      minimum,\n`, replace: `` },
  ]),
];
