/** Words with one dash, as `find` and others have their options, and times with units. */
import assert from "node:assert/strict";
import { COMMANDS } from "../../src/cli/commands/command_table.ts";
import { defaultSettings, optionsBySpelling } from "../../src/cli/options/settings.ts";
import { pathgrep } from "../support/run.ts";
import { parseArguments } from "../../src/cli/options/argument_parser.ts";
import { tempTree } from "../support/tree.ts";

const FILES = { "a.ts": "TODO\n", "b.md": "TODO -type\n" };

async function errorOf(...args: string[]): Promise<string> {
  return (await parseArguments(args)).error?.message ?? "";
}

Deno.test("each long option with one dash is an error that names it with two", async () => {
  let tried = 0;
  for (const command of COMMANDS) {
    for (const [spelling, option] of optionsBySpelling(command.options)) {
      const word = spelling.replace(/^-+/u, "");
      if (!/^[a-z][a-z0-9-]{3,}$/u.test(word) || word === "help") continue;
      tried++;
      const said = await errorOf(command.name, `-${word}`, "x");
      assert.ok(said.startsWith(`unknown option -${word}: `), said);
      if ("instead" in option) continue;
      assert.ok(said.includes(`--${word}`) || said.includes("use "), said);
    }
  }
  assert.ok(tried > 300, String(tried));
});

for (
  const [line, error] of [
    ["TODO -type ts", /^unknown option -type: --type NAME has two dashes/],
    ["TODO -name *.ts", /^unknown option -name: use -g GLOB$/],
    ["TODO -iname *.ts", /^unknown option -iname: use --iglob GLOB$/],
    ["TODO -maxdepth 2", /^unknown option -maxdepth: use --max-depth N$/],
    ["TODO -path ./src/*", /^unknown option -path: use -g GLOB, with a \/ in it$/],
    ["TODO -print0", /^unknown option -print0: use -0$/],
    ["TODO -prune", /^unknown option -prune: use --exclude GLOB$/],
    ["files -name *.ts", /^unknown option -name: use -g GLOB$/],
    ["TODO -include=*.ts", /^unknown option -include=\*\.ts: .*--include=\*\.ts$/],
    ["TODO -glob *.ts", /^unknown option -glob: a long option has two dashes, --glob$/],
    ["TODO -debug", /PATHGREP_DEBUG=1/],
  ] as const
) {
  Deno.test(`find's way of an option points to ours: ${line}`, async () => {
    await using tree = await tempTree(FILES);
    const refused = await pathgrep(line.split(" "), { cwd: tree.root });
    assert.equal(refused.code, 2);
    const { error: said, hint, code } = refused.json();
    assert.equal(code, "invalid_input");
    assert.match(said.replace("invalid input: ", ""), error);
    assert.match(hint, /^(?:-e \S+ searches for that text|-- \S+ is the path of that name)$/);
  });
}

Deno.test("joined letters stay what they are", async () => {
  for (const args of [["-iC2"], ["-tts"], ["-g*.ts"], ["-inl"], ["-efoo"], ["-uu"], ["-nH"]]) {
    assert.equal(await errorOf("TODO", ...args), "", args.join(" "));
  }
  await using tree = await tempTree(FILES);
  const { count } = (await pathgrep(["-e", "-type"], { cwd: tree.root })).json();
  assert.equal(count, 1);
  assert.equal((await pathgrep(["-help"], { cwd: tree.root })).code, 0);
});

Deno.test("--debug names the variable that prints what it asks for", async () => {
  await using tree = await tempTree(FILES);
  for (const option of ["--debug", "--trace"]) {
    const { error } = (await pathgrep(["TODO", option], { cwd: tree.root })).json();
    assert.match(error, /set PATHGREP_DEBUG=1 in the environment/);
  }
});

Deno.test("--dot is --hidden, which hidden files are anyway", async () => {
  await using tree = await tempTree({ ...FILES, ".c": "TODO\n" });
  assert.equal((await pathgrep(["TODO", "--dot"], { cwd: tree.root })).json().count, 3);
  assert.equal((await pathgrep(["TODO", "--no-dot"], { cwd: tree.root })).json().count, 2);
  const call = (dot: boolean) =>
    pathgrep(["call", "glob"], { cwd: tree.root, stdin: JSON.stringify({ pattern: "*", dot }) });
  const on = (await call(true)).json();
  assert.deepEqual([on.count, on.notes], [3, ['"dot" was ignored: hidden files are searched']]);
  assert.equal((await call(false)).json().code, "invalid_input");
});

Deno.test("times are read in the units that they name, and numbers have none", async () => {
  const timeouts: [text: string, milliseconds: number | undefined][] = [
    ...[["0", 0], ["5000", 5000], ["500ms", 500], ["5s", 5000], ["5 s", 5000]] as const,
    ...[["1.5s", 1500], ["2min", 120_000], ["2m", 120_000], ["1h", 3_600_000]] as const,
    ...[["5S", 5000], ["10 seconds", 10_000], [".5s", 500]] as const,
    ...["5x", "s", "-5s", "5s5", "0.0001s", "5.5", "", "5 toString"]
      .map((text) => [text, undefined] as const),
  ].map(([text, milliseconds]) => [text, milliseconds]);
  for (const [text, milliseconds] of timeouts) {
    const { settings, error } = await parseArguments(["x", `--timeout=${text}`]);
    assert.equal(settings.query.timeout, milliseconds ?? defaultSettings().query.timeout, text);
    assert.equal(error === undefined, milliseconds !== undefined, text);
  }
  const idles: [string, number | undefined][] = [
    ...[["5", 5], ["0.5", 0.5], ["30s", 0.5], ["5m", 5], ["2h", 120], ["0s", undefined]] as const,
    ["5x", undefined],
  ].map(([text, minutes]) => [text, minutes] as [string, number | undefined]);
  for (const [text, minutes] of idles) {
    const { settings } = await parseArguments(["serve", `--idle=${text}`]);
    assert.equal(settings.idle, minutes ?? defaultSettings().idle, text);
  }
  const counts = "-m -A -C --max-results --offset --max-line-length --max-depth --max-output-chars";
  for (const option of counts.split(" ")) {
    for (const text of ["5s", "1k"]) {
      const said = await errorOf("x", option, text);
      assert.match(said, /got "(?:5s|1k)"; expected a whole number from [01]$/);
    }
  }
  for (const [text, bytes] of [["1K", 1024], ["1KiB", 1024], ["2MiB", 2 ** 21], ["1g", 2 ** 30]]) {
    const { settings } = await parseArguments(["x", `--max-file-size=${text}`]);
    assert.equal(settings.query.maxFileSize, bytes);
  }
  for (const text of ["1MB", "1Ki", "5s"]) {
    assert.match(await errorOf("x", "--max-file-size", text), /bytes, also with K, M or G$/);
  }
});
