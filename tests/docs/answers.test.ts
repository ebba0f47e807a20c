/**
 * The guide to answers names every key: of the published output schemas, of the types, and of real
 * answers, which have each key that it names.
 *
 * @module
 */

import assert from "node:assert/strict";
import * as library from "../../mod.ts";
import { BUDGET } from "../../src/reasons/empty_search.ts";
import { runSearch } from "../../src/search/search.ts";
import { CHECKOUT, MOD, pathgrep } from "../support/run.ts";
import { listItems } from "./markdown.ts";
import { Resident } from "../resident/resident.ts";
import { tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";
import { withTimeFor } from "../support/soon.ts";

const { GrepTool, PathgrepError, resolveToolCallPaths, search, ToolRegistry, Workspace } = library;

const SEARCH = "A search";
const ROWS = "Rows of jsonl";
const RESOLVE = "resolve and resolve_path";
const STATUS = "serve --status";
/** Not every machine, and not every run, has an answer with them. */
const BY_MACHINE = [
  "scope.left_out.names.unreadable",
  "scope.left_out.vanished",
  "engines.*.source",
  "engines.*.version",
  "engines.*.path",
  "engines.*.hint",
];

/** The keys that each section names, as paths. */
const sections = new Map(
  (await Deno.readTextFile(`${CHECKOUT}docs/answers.md`)).split(/^## /m).slice(1).map((text) => [
    text.slice(0, text.indexOf("\n")).replaceAll("`", ""),
    new Set(listItems(text).flatMap(({ terms }) => terms)),
  ]),
);

function named(section: string): ReadonlySet<string> {
  const keys = sections.get(section);
  assert.ok(keys !== undefined && keys.size > 0, `the guide has a list for ${section}`);
  return keys;
}

/** A section that describes a tool's answers. */
function sectionOf(tool: string): string {
  if (tool === "resolve_path") return RESOLVE;
  return tool === "grep" || tool === "glob" ? SEARCH : tool;
}

function assertNamed(keys: Iterable<string>, section: string, said: string): void {
  const missing = new Set(keys).difference(named(section));
  assert.deepEqual([...missing], [], `"${section}" names each key of ${said}`);
}

// deno-lint-ignore no-explicit-any -- schemas, documentation and answers of every shape
type Json = any;

/** The keys that a schema allows. */
function keysOfSchema(schema: Json, prefix = ""): string[] {
  if (schema.type === "array") return keysOfSchema(schema.items, `${prefix}[]`);
  if (prefix.endsWith(".send")) return [`${prefix}.*`];
  return Object.entries<Json>(schema.properties ?? {}).flatMap(([key, value]) => {
    const path = prefix === "" ? key : `${prefix}.${key}`;
    return [path, ...keysOfSchema(value, path)];
  });
}

/** The keys of an answer; those of objects whose keys are names are `*`. */
function keysIn(answer: Json, known: ReadonlySet<string>, prefix = ""): string[] {
  if (Array.isArray(answer)) return answer.flatMap((item) => keysIn(item, known, `${prefix}[]`));
  if (typeof answer !== "object" || answer === null) return [];
  const start = prefix === "" ? "" : `${prefix}.`;
  return Object.entries(answer).flatMap(([key, value]) => {
    const path = start + (known.has(`${start}*`) ? "*" : key);
    return [path, ...keysIn(value, known, path)];
  });
}

const tools = async (root: string) => {
  const options = { workspace: await Workspace.open(root) };
  return Object.entries(library as unknown as Record<string, new (given: object) => Json>)
    .filter(([name]) => /^[A-Z]\w+Tool$/.test(name))
    .map(([, tool]) => new tool(options));
};

Deno.test("the guide names each key of the published output schemas", async () => {
  await using tree = await tempTree();
  const all = await tools(tree.root);
  assert.ok(all.length >= 3);
  for (const { name, outputSchema } of all) {
    const keys = keysOfSchema(outputSchema);
    assert.ok(keys.length >= 5, name);
    // `read_file` answers for a directory as `glob` does.
    const listing = name === "read_file" ? named(SEARCH) : new Set<string>();
    const own = keys.filter((key) => !listing.has(key) || named(sectionOf(name)).has(key));
    assertNamed(own, sectionOf(name), `the output schema of ${name}`);
    if (name === "glob") continue;
    // `stats` are for callers that are no models, as is what stands in a tool's scope; `directories` of `glob` alone.
    const rest = [...named(sectionOf(name))]
      .filter((key) => !/^(?:stats|directories|not_shown|in_part)/.test(key));
    assert.deepEqual(rest.toSorted(), own.toSorted(), `and no other, for ${name}`);
  }
});

Deno.test("the guide names each key of the exported types of answers", async () => {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", "--json", MOD],
    stderr: "null",
  }).output();
  const { nodes } = JSON.parse(new TextDecoder().decode(stdout));
  const { symbols } = Object.values<Json>(nodes)[0];
  const types = new Map<string, Json>(
    symbols.map(({ name, declarations }: Json) => [name, declarations[0].def]),
  );
  const keysOfType = (type: Json, prefix: string): string[] => {
    const { kind, value } = type;
    if (kind === "array") return keysOfType(value, `${prefix}[]`);
    if (kind === "intersection" || kind === "union") {
      return value.flatMap((part: Json) => keysOfType(part, prefix));
    }
    if (kind === "typeLiteral") return keysOfProperties(value, prefix);
    if (kind !== "typeRef") return [];
    if (value.typeName === "Record") return [`${prefix}.*`];
    const found = types.get(value.typeName);
    assert.ok(found !== undefined, `${value.typeName} is exported`);
    return found.tsType !== undefined
      ? keysOfType(found.tsType, prefix)
      : keysOfProperties(found, prefix);
  };
  const keysOfProperties = (def: Json, prefix: string): string[] => [
    ...(def.extends ?? []).flatMap((one: Json) => keysOfType(one, prefix)),
    ...def.properties.flatMap(({ name, tsType }: Json) => {
      const path = prefix === "" ? name : `${prefix}.${name}`;
      return [path, ...keysOfType(tsType, path)];
    }),
  ];
  const keysOf = (name: string) => keysOfType({ kind: "typeRef", value: { typeName: name } }, "");
  const modes = ["ContentResult", "FileResult", "CountResult", "ValuesResult"].flatMap(keysOf);
  assertNamed(modes, SEARCH, "the results");
  // The tool alone has `text`.
  const others = new Set([...modes, "text"]);
  assert.deepEqual([...named(SEARCH).difference(others)], [], "and no other");
  assertNamed(keysOf("ErrorDetails"), "Errors", "ErrorDetails");
  for (const name of types.keys().filter((name) => /^ReadFile(Result|Answer)$/.test(name))) {
    assertNamed(keysOf(name), "read_file", name);
  }
});

const FILES = {
  ".claude/settings.local.json": "{",
  // The repository begins above the workspace.
  "../.git/HEAD": "ref: refs/heads/main\n",
  "../.ignore": "*.tmp\n",
  "../beside/e.ts": "foo\n",
  ".gitignore": "built/\n*.log\n",
  ...Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`${index}.log`, "foo\n"])),
  ".env": "foo\n",
  ...Object.fromEntries(["a.pem", "a.key", "a.p12"].map((name) => [name, "foo\n"])),
  "a.ts": `class Parser {\n  parse() {\n    return foo();\n  }\n}\n// ${"x".repeat(99)} bar\n`,
  "b.ts": "foo bar\nbar\n",
  "bin.dat": "foo\0",
  "packed.gz": new Uint8Array([0x1f, 0x8b, 8, 0]),
  "a.zip": "PK\x03\x04\0",
  "big.txt": "foo\n".repeat(300_000),
  "dangling": { symlink: "$WS/absent" },
  "copies/one/.git": "gitdir: /srv/project/.git/worktrees/one\n",
  "latin.txt": new Uint8Array([0x66, 0x6f, 0x6f, 0x20, 0xe9, 0x0a]),
  "lib/c.md": "foo\nfoo\nfoo\n",
  "two/d.ts": "foo\n",
  "two/lib": { symlink: "$WS/lib" },
  ...Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`nest/${index}/`, null])),
};

/** Answers of each section. */
class Answers {
  readonly #found = new Map<string, Set<string>>();

  add(section: string, answer: Json): Json {
    const { error, partial, resident, type, ...rest } = answer;
    const is = (other: string) => this.#add(other, rest);
    if (section === ROWS) {
      this.#add(ROWS, { type, ...(type === "file" ? rest : {}) });
      if (type === "match") this.#add(SEARCH, { matches: [rest] });
      if (type === "count") this.#add(SEARCH, { counts: [rest] });
      if (type === "value") this.#add(SEARCH, { values: [rest] });
      if (type === "file_type") this.#add("File types", { types: [rest] });
      if (type === "summary") is(SEARCH);
    } else if (error === undefined) is(section);
    if (error !== undefined) {
      this.#add("Errors", { error, ...rest, ...(partial && { partial: 0 }) });
    }
    if (partial !== undefined) this.#add(SEARCH, partial);
    if (resident !== undefined) {
      this.#add(section, { resident: 0 });
      this.#add(STATUS, resident);
    }
    return answer;
  }

  #add(section: string, answer: Json): void {
    const keys = keysIn(answer, named(section));
    assertNamed(keys, section, JSON.stringify(answer).slice(0, 300));
    const found = this.#found.getOrInsertComputed(section, () => new Set());
    for (const key of keys) found.add(key);
  }

  /** The keys that the guide names and no answer has. */
  missing(section: string): string[] {
    return [...named(section).difference(this.#found.get(section) ?? new Set())];
  }
}

/** Every mode of the command line, with what makes an answer have more keys. */
const COMMANDS: readonly (readonly [section: string, ...args: string[]])[] = [
  [SEARCH, "foo", "--column", "-C1", "--stats"],
  [SEARCH, "-e", "foo", "-e", "bar", "--max-line-length", "10", "a.ts", "b.ts"],
  [SEARCH, "-e", "foo", "-e", "bar", "-c", "--encoding", "latin1"],
  [SEARCH, "-e", "foo", "-e", "bar", "--output-mode", "values"],
  [SEARCH, "foo", "--encoding", "latin1", "latin.txt"],
  [SEARCH, "foo", "-l"],
  [SEARCH, "absent"],
  [SEARCH, "foo", "--max-results", "1", "--on-overflow", "truncate"],
  [SEARCH, "foo", "-C2", "--max-output-chars", "400", "--on-overflow", "truncate"],
  [SEARCH, "files"],
  [SEARCH, "--files", "-g", "absent"],
  [ROWS, "foo", "--format", "jsonl"],
  [ROWS, "foo", "-l", "--format", "jsonl"],
  [ROWS, "foo", "-c", "--format", "jsonl"],
  [ROWS, "foo", "--output-mode", "values", "--format", "jsonl"],
  [ROWS, "foo", "--max-results", "1", "--format", "jsonl"],
  [ROWS, "--type-list", "--format", "jsonl"],
  [RESOLVE, "resolve", "'a.ts:3'"],
  [STATUS, "serve", "--status"],
  ["doctor", "doctor"],
  ["File types", "--type-list", "--format", "json"],
  ["Errors", "foo", "--max-results", "3"],
  ["Errors", "foo", "absent/a.ts"],
  ["Errors", "foo(", "--max-result"],
];

const CALLS: readonly (readonly [tool: string, input: object])[] = [
  ["grep", { pattern: "foo", follow: true }],
  ["grep", { pattern: "foo", path: "two" }],
  ["grep", { pattern: "foo", response_format: "concise" }],
  ["grep", { regex: "foo(" }],
  ["grep", { pattern: "bar", everything: true }],
  ["glob", { pattern: "nest/*" }],
  ["resolve_path", { path: "a.ts" }],
];

/** Keys that this version does not give yet: each with what shows that it does. */
function pendingKeys(workspace: library.Workspace): RegExp[] {
  const grep: Json = new GrepTool({ workspace });
  return "show_function" in grep.inputSchema.properties ? [] : [/^matches\[\]\.enclosing\b/];
}

Deno.test("the guide names each key of real answers, which have each key that it names", async () => {
  await using tree = await tempTree(FILES);
  const { root } = tree;
  // A name that is not UTF-8, which Deno cannot open.
  await new Deno.Command("sh", { args: ["-c", `: > "$(printf '\\377')"`], cwd: root }).output();
  const workspace = await Workspace.open(root);
  const answers = new Answers();
  for (const [section, ...args] of COMMANDS) {
    for (const row of (await pathgrep(args, { cwd: root })).rows()) answers.add(section, row);
  }
  const permissions = [`--allow-read=${root}`];
  answers.add("doctor", (await pathgrep(["doctor"], { cwd: root, permissions })).json());
  const registry = ToolRegistry.of({ workspace });
  for (const [tool, input] of CALLS) {
    answers.add(sectionOf(tool), await registry.execute(tool, input));
  }
  for (const tool of await tools(root)) {
    if (tool.name !== "read_file") continue;
    answers.add("read_file", await tool.execute({ path: "`b.ts`", limit: 1 }));
    answers.add("read_file", await tool.execute({ path: "a.ts", limit: 1 }));
    answers.add("read_file", await tool.execute({ path: "a.ts", outline: true }));
  }
  const showing: Json = { pattern: "foo", showFunction: "always" };
  const pending = pendingKeys(workspace);
  if (!pending.some((key) => key.test("matches[].enclosing"))) {
    answers.add(SEARCH, await search(showing, { workspace }));
  }
  answers.add(SEARCH, await search({ pattern: "foo", explain: true }, { workspace }));
  const budget = { ...BUDGET };
  Object.assign(BUDGET, { least: 0, most: 0 });
  answers.add(SEARCH, await search({ pattern: "foo", explain: true }, { workspace }));
  answers.add(SEARCH, await registry.execute("grep", { pattern: "foo" }));
  Object.assign(BUDGET, budget);
  const both = await Workspace.open([root, tree.path("../beside")]);
  answers.add(SEARCH, await search({ pattern: "foo" }, { workspace: both }));
  const thrown = (promise: Promise<unknown>): Promise<Json> =>
    promise.then(() => assert.fail(), (error) => PathgrepError.from(error).toJSON());
  answers.add("Errors", await thrown(resolveToolCallPaths(workspace, { path: "../x" })));
  await withTimeFor(async (timeout) => {
    // Standard input that does not end: counting does not, either.
    const stdin = async function* () {
      yield new TextEncoder().encode("foo\nfoo\nfoo\n");
      await new Promise(() => {});
    };
    const query = { pattern: "foo", path: "-", maxResults: 1, offset: 0, timeout };
    const page = await runSearch(query, { workspace, stdin });
    assert.ok(answers.add(SEARCH, page).total_at_least > 0);
  }, 100);
  await withTimeFor(async (timeout) => {
    await tree.write({ "slow.txt": `foo\n${"a".repeat(40)}!\n`.repeat(20) });
    const error = await thrown(search({ pattern: "foo|^(a+)+\\1$", timeout }, { workspace }));
    assert.ok("partial" in answers.add("Errors", error));
  }, 100);
  const isDue = (key: string) =>
    !BY_MACHINE.includes(key) && key !== "stats.resident" && !pending.some((one) => one.test(key));
  const isRead = (await tools(root)).some(({ name }) => name === "read_file");
  const due = [
    SEARCH,
    ROWS,
    RESOLVE,
    "Errors",
    "doctor",
    "File types",
    ...isRead ? ["read_file"] : [],
  ];
  const missing = due.flatMap((section) =>
    answers.missing(section).filter(isDue).map((key) => `${section}: ${key}`)
  );
  assert.deepEqual(missing, [], "keys that no answer has");
});

test.slow("the guide names each key of a resident search", async () => {
  await using resident = await Resident.on({ "a.ts": "foo\n" });
  const answers = new Answers();
  answers.add(STATUS, await resident.start());
  assert.deepEqual(answers.missing(STATUS), []);
  answers.add("doctor", JSON.parse((await resident.run(["doctor"])).stdout));
  const { stdout } = await resident.run(["foo", "--stats", "--format", "json"]);
  assert.equal(answers.add(SEARCH, JSON.parse(stdout)).stats.resident, true);
  assert.equal((await resident.run(["serve", "--stop"])).code, 0);
});
