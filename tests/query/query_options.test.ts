/**
 * The table of a query's options: what the documentation, the command line and the tools say of an
 * option is what its row says.
 *
 * @module
 */

import assert from "node:assert/strict";
import { search, type SearchQuery, Workspace } from "../../mod.ts";
import { COMMANDS } from "../../src/cli/commands/command_table.ts";
import { QUERY_OPTIONS, type QueryOption } from "../../src/query/query_options.ts";
import { CHECKOUT, pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

const rows: [key: string, option: QueryOption][] = Object.entries(QUERY_OPTIONS);

/** A part of what `deno doc --json` says of a type. */
interface DocumentedType {
  kind: string;
  repr?: string;
  value?: unknown;
}

/** The library's interfaces and types, as `deno doc` shows them. */
async function documentedTypes() {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", "--json", "mod.ts"],
    cwd: CHECKOUT,
  }).output();
  const { nodes } = JSON.parse(new TextDecoder().decode(stdout)) as {
    nodes: Record<string, {
      symbols: {
        name: string;
        declarations: {
          def: {
            properties?: { name: string; jsDoc?: { doc: string }; tsType: DocumentedType }[];
            tsType?: DocumentedType;
          };
        }[];
      }[];
    }>;
  };
  const symbols = Object.values(nodes).flatMap((module) => module.symbols);
  return new Map(symbols.map(({ name, declarations }) => [name, declarations[0]!.def]));
}

Deno.test("each documented key of a query has a row, of the default and the words that are documented", async () => {
  const types = await documentedTypes();
  /** The strings among which a type lets a caller choose. */
  const wordsIn = ({ kind, repr, value }: DocumentedType): string[] => {
    if (kind === "union") return (value as DocumentedType[]).flatMap(wordsIn);
    if (kind === "literal") return [repr!];
    const named = kind === "typeRef" ? types.get(repr!)?.tsType : undefined;
    return named === undefined ? [] : wordsIn(named);
  };
  const documented = types.get("SearchQuery")!.properties!;
  assert.deepEqual(documented.map(({ name }) => name), rows.map(([key]) => key));
  for (const [index, [key, option]] of rows.entries()) {
    const { jsDoc, tsType } = documented[index]!;
    if (option.kind === "strings") continue;
    const written = /@default (.*)$/.exec(jsDoc!.doc.trim())?.[1];
    const preset = "fallback" in option
      ? `\`${option.fallback}\``
      : option.default === Infinity
      ? "no limit"
      : JSON.stringify(option.default);
    assert.equal(written, preset, `the default of ${key}`);
    const words = option.kind === "choice" ? option.choices : [];
    assert.deepEqual(new Set(wordsIn(tsType)), new Set(words), `the words of ${key}`);
  }
});

Deno.test("a default that is given changes nothing", async () => {
  await using tree = await tempTree({
    "a.txt": "foo\nbar\nFoo\nfoobar\n",
    ".hidden.txt": "a foo\n",
    ".gitignore": "ignored.txt\n",
    "ignored.txt": "foo\n",
    "b/c.txt": `${"x".repeat(3000)} foo\n`,
  });
  const workspace = await Workspace.open(tree.root);
  const answer = async (query: Partial<SearchQuery>) =>
    await search({ pattern: "foo", ...query }, { workspace });
  const expected = await answer({});
  assert.equal(expected.count, 4);
  for (const [key, option] of rows) {
    const preset = option.kind === "strings" ? [] : option.default;
    if (preset === Infinity || key === "pattern") continue;
    assert.deepEqual(await answer({ [key]: preset }), expected, key);
  }
});

/** The options that the help of the search lists: how each is written, and what it says. */
async function helpedOptions(): Promise<Map<string, { letter: string | undefined; help: string }>> {
  const { stdout } = await pathgrep(["--help"]);
  const unwrapped = stdout.replace(/(?<=^.{26} {2}\S.*)\n {28}(?=\S)/gm, " ");
  const entries = unwrapped.matchAll(
    /^ +(?:-(?<letter>\S), | {4})--(?<name>[\w-]+)(?: \S+|\[=\S+\])?(?: {2,}|\n {10,})(?<help>.+)$/gm,
  );
  return new Map(
    Array.from(entries, ({ groups }) => [
      groups!["name"]!,
      { letter: groups!["letter"], help: groups!["help"]! },
    ]),
  );
}

Deno.test("every flag of a query stands in help, with its default where there is one to speak of", async () => {
  const helped = await helpedOptions();
  for (const [key, option] of rows) {
    const { flag } = option;
    if (flag === undefined) continue;
    const { letter, help = "" } = helped.get(flag.name) ?? {};
    assert.equal(letter, flag.short, key);
    assert.ok(help.startsWith(flag.help), `${key}: ${help}`);
    const said = /default: ([^;]+)/.exec(help)?.[1];
    const isSpokenOf = option.kind !== "strings" && option.kind !== "boolean" &&
      option.default !== 0 && option.default !== Infinity;
    const own = /default: ([^;]+)/.exec(flag.help)?.[1];
    assert.equal(said, isSpokenOf ? own ?? String(option.default) : undefined, key);
    const isOn = option.kind === "boolean" && option.default;
    assert.equal(flag.name.startsWith("no-"), isOn, key);
  }
});

/** What the last of these words can be: what kind of path, and each word with its meaning. */
async function completed(...words: string[]): Promise<[paths: string, words: string[][]]> {
  const { stdout } = await pathgrep(["__complete", ...words]);
  const [paths = "", ...lines] = stdout.trimEnd().split("\n");
  return [paths, lines.map((line) => line.split("\t"))];
}

Deno.test("every option in help is completed, with its meaning", async () => {
  const helped = await helpedOptions();
  assert.ok(helped.size > 40);
  const expected = [...helped].flatMap(([name, { letter, help }]) =>
    letter === undefined ? [[`--${name}`, help]] : [[`-${letter}`, help], [`--${name}`, help]]
  );
  assert.deepEqual(await completed("-"), ["", expected]);
  assert.deepEqual(await completed("needle", "--sor"), [
    "",
    expected.filter(([name]) => name === "--sort"),
  ]);
});

Deno.test("completions depend on the arguments before", async () => {
  const names = COMMANDS.map(({ name }) => name);
  const cases: [words: string[], paths: string, completed: string[]][] = [
    [[""], "files", names],
    [["--format", "text", ""], "files", names],
    [["--format", "="], "", ["auto", "json", "jsonl", "text"]],
    [["--format", "=", "te"], "", ["auto", "json", "jsonl", "text"]],
    [["--format=te"], "", ["auto", "json", "jsonl", "text"]],
    [["--format=text", ""], "files", names],
    [["--show-function="], "", ["auto", "never", "always"]],
    [["--show-function", ""], "files", []], // its value would stand behind a =
    [["--workspace", ""], "directories", []],
    [["-f", ""], "files", []],
    [["-e", ""], "", []],
    [["needle", ""], "files", []],
    [["needle", "--", "--s"], "files", []],
    [["call", ""], "", ["grep", "glob", "read_file", "resolve_path"]],
    [["call", "--format", "json", ""], "", ["grep", "glob", "read_file", "resolve_path"]],
    [["call", "grep", ""], "", []],
    [["tools", "--format", ""], "", ["json-schema", "mcp", "anthropic", "openai", "gemini"]],
    [["prompt", ""], "", []],
    [["resolve", "--sm"], "", []],
  ];
  for (const [words, paths, expected] of cases) {
    const [kind, found] = await completed(...words);
    assert.deepEqual([kind, found.map(([word]) => word)], [paths, expected], words.join(" "));
  }
  const [, types] = await completed("-t", "");
  assert.ok(types.some(([word]) => word === "typescript"));
});

Deno.test("no two options of a command are written alike", () => {
  for (const { name, options } of COMMANDS) {
    const written = options.flatMap((group) => group.options).flatMap((option) => [
      `--${option.name}`,
      ...option.short === undefined ? [] : [`-${option.short}`],
      ...option.aliases ?? [],
    ]);
    const twice = written.filter((spelling, index) => written.indexOf(spelling) < index);
    assert.deepEqual(twice, [], name);
  }
});

Deno.test("the keys of the tools that search are those of the query in snake_case, and say what the rows say", async () => {
  const definitions = (await pathgrep(["tools"])).json() as {
    name: string;
    inputSchema: { properties: Record<string, Record<string, unknown>>; required: string[] };
  }[];
  const snakeCase = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  for (const name of ["grep", "glob"] as const) {
    const { inputSchema } = definitions.find((tool) => tool.name === name)!;
    const { properties, required } = inputSchema;
    const told = rows.filter(([, { tool }]) => tool?.of.includes(name));
    const keys = told.map(([key, option]) =>
      option.tool!.name ??
        (option.kind === "boolean" && option.default ? `no_${snakeCase(key)}` : snakeCase(key))
    );
    // What glob looks for is the query's `include`.
    // The form of grep's answer is no option of the query.
    // `more_patterns` and `more_paths` continue what is a list in the query.
    const all = name === "glob" ? ["pattern", ...keys] : [...keys, "response_format"];
    assert.deepEqual(Object.keys(properties).filter((key) => !key.startsWith("more_")), all);
    for (const [index, [, option]] of told.entries()) {
      const key = keys[index]!;
      const { description, minimum, enum: words } = properties[key]!;
      assert.equal(description, option.tool!.description, key);
      const least = "min" in option ? option.tool!.minimum ?? option.min : undefined;
      assert.equal(minimum, least, key);
      assert.deepEqual(words, "choices" in option ? option.choices : undefined, key);
      assert.equal(required.includes(key), option.tool!.required === true, key);
    }
  }
});

test.slow("a row that is missing, superfluous or of another kind does not compile", async () => {
  // What it imports from other floors is not copied.
  const source = async (name: string) =>
    (await Deno.readTextFile(`${CHECKOUT}src/query/${name}.ts`))
      .replaceAll('"../', `"file://${CHECKOUT}src/`);
  const table = await source("query_options");
  const [row = ""] = /filesWithoutMatch: .*/.exec(table) ?? [];
  assert.notEqual(row, "");
  const tables = {
    "as_it_is.ts": row,
    "missing.ts": "",
    "superfluous.ts": `${row} reversed: row(OFF),`,
    "other_kind.ts": `filesWithoutMatch: row(STRINGS),`,
    "other_default.ts": `filesWithoutMatch: row({ kind: "boolean", default: "no" }),`,
    "other_group.ts": `filesWithoutMatch: row(OFF, "Others --files: files without a match"),`,
    "other_words.ts": `filesWithoutMatch: row(choice(["yes"])),`,
  };
  await using tree = await tempTree({
    "query.ts": await source("query"),
    ...Object.fromEntries(
      Object.entries(tables).map(([name, changed]) => [name, table.replace(row, changed)]),
    ),
  });
  const { stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--no-config", ...Object.keys(tables)],
    cwd: tree.root,
    env: { NO_COLOR: "1" },
    stdout: "null",
  }).output();
  const said = new TextDecoder().decode(stderr);
  const failed = Array.from(said.matchAll(/ at file:\S+\/(\w+\.ts):/g), ([, name]) => name!);
  assert.deepEqual(new Set(failed), new Set(Object.keys(tables).slice(1)), said);
});
