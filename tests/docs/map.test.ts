/**
 * The map in docs/architecture.md is true of the code: its rows are the floors, imports point down, and no
 * folder, function or name has outgrown its place.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CHECKOUT } from "../support/run.ts";
import sourceRules, { LARGER, MAX_BRANCHES, MAX_LINES } from "./source_rules.ts";
import { drawFloors } from "../../dev/drawings/floor_plan.ts";
import { floorOf, floorsOf, importsOf, stepsOf } from "./imports.ts";

const CONTRIBUTING = await Deno.readTextFile(`${CHECKOUT}CONTRIBUTING.md`);

const imports = await importsOf("mod.ts", "cli.ts");
const PAGE = await Deno.readTextFile(`${CHECKOUT}docs/architecture.md`);
const floors = floorsOf(PAGE);

async function sources(directory: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(CHECKOUT + directory)) {
    if (isDirectory) found.push(...await sources(`${directory}${name}/`));
    else if (/(?<!\.as)\.ts$/.test(name)) found.push(directory + name);
  }
  return found;
}

Deno.test("each folder of the source is one row of the map", async () => {
  const folders = (await sources("src/")).map((file) => `${file.split("/", 2).join("/")}/`);
  const rows = floors.filter(({ places }) => places.some((place) => place.startsWith("src/")));
  assert.deepEqual(rows.map(({ places }) => places.join()).sort(), [...new Set(folders)].sort());
});

Deno.test("imports point down the map, types included", () => {
  const upward: string[] = [];
  for (const [file, targets] of imports) {
    for (const target of targets) {
      if (floorOf(target, floors) < floorOf(file, floors)) upward.push(`${file} imports ${target}`);
    }
  }
  assert.ok(imports.size > 100);
  assert.deepEqual(upward, []);
});

Deno.test("no chain of imports leads back to where it began, types and late imports included", () => {
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): void => {
    const start = way.indexOf(file);
    assert.ok(start < 0, [...way.slice(start), file].join(" -> "));
    if (done.has(file)) return;
    for (const target of imports.get(file) ?? []) visit(target, [...way, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  assert.equal(done.size, imports.size);
});

Deno.test("CONTRIBUTING lists the tasks of deno.json", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(`${CHECKOUT}deno.json`));
  const listed = [...CONTRIBUTING.matchAll(/^\| `deno task (\S+)`/gm)].map(([, name]) => name!);
  assert.deepEqual(listed.toSorted(), Object.keys(tasks).sort());
});

Deno.test("no test runs while types are checked: a worker that starts would wait for that", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(`${CHECKOUT}deno.json`));
  const commands = Object.values<string>(tasks).flatMap((task) => task.split(" && "));
  const texts = CONTRIBUTING + await Deno.readTextFile(`${CHECKOUT}SECURITY.md`);
  const shown = texts.match(/`[^`\n]*deno test -A[^`\n]*`/g) ?? [];
  const runs = [...commands, ...shown].filter((command) => /\bdeno test -A\b/.test(command));
  assert.ok(runs.length > 8);
  assert.deepEqual(runs.filter((command) => !command.includes(" --no-check ")), []);
  assert.match(tasks.test, /^deno check /);
});

Deno.test("every source file is used, and every place on the map is there", async () => {
  const files = await sources("src/");
  assert.deepEqual(files.filter((file) => !imports.has(file)), []);
  for (const { places } of floors) for (const place of places) await Deno.stat(CHECKOUT + place);
  const others = await Promise.all(["tests/", "dev/", "npm/"].map(sources));
  const all = [...files, ...others.flat(), "cli.ts", "mod.ts"];
  // By the text alone: fences of code are backquotes, too.
  const names = [...(CONTRIBUTING + PAGE).matchAll(/`([\w/]+\.ts)`/g)].map(([, name]) => name!);
  assert.ok(names.length > 60, `${names.length} names`);
  for (const name of names) {
    assert.ok(all.some((file) => file === name || file.endsWith(`/${name}`)), `${name} exists`);
  }
});

async function linesOf(file: string): Promise<number> {
  return (await Deno.readTextFile(CHECKOUT + file)).split("\n").length - 1;
}

Deno.test("no folder of the source holds more than a fifth of its lines", async () => {
  const lines = new Map<string, number>();
  let all = 0;
  for (const file of await sources("src/")) {
    const folder = file.split("/")[1]!;
    const count = await linesOf(file);
    lines.set(folder, (lines.get(folder) ?? 0) + count);
    all += count;
  }
  assert.ok(lines.size > 10);
  assert.deepEqual([...lines].filter(([, count]) => count > all / 5), []);
});

Deno.test("no two source files give one name to a type, class or function", async () => {
  const places = new Map<string, Set<string>>();
  for (const file of await sources("src/")) {
    if (file.startsWith("src/system/node/")) continue; // what the folder above has, for Node.js
    const text = await Deno.readTextFile(CHECKOUT + file);
    const declared = text.matchAll(
      /^(?:export )?(?:abstract |async |const )?(?:function\*?|class|interface|type|enum) (\w+)/gm,
    );
    for (const [, name] of declared) places.getOrInsertComputed(name!, () => new Set()).add(file);
  }
  assert.ok(places.size > 1000, `${places.size} names found`);
  const twice = [...places].filter(([, files]) => files.size > 1);
  assert.deepEqual(twice.map(([name, files]) => `${name}: ${[...files].join(", ")}`), []);
});

Deno.test("every folder of the source has a folder of tests", async () => {
  const tests = await sources("tests/");
  const folders = new Set((await sources("src/")).map((file) => file.split("/")[1]!));
  const hasTests = (folder: string) => {
    return tests.some((file) => file.startsWith(`tests/${folder}/`) && file.endsWith(".test.ts"));
  };
  assert.deepEqual([...folders].filter((folder) => !hasTests(folder)), []);
});

Deno.test("no test is named by the number of a document", async () => {
  const numbered: string[] = [];
  let names = 0;
  for (const file of await sources("tests/")) {
    const text = await Deno.readTextFile(CHECKOUT + file);
    for (const [, name] of text.matchAll(/\b(?:\w*[tT]est)\(\s*["`](.*?)["`],/g)) {
      names++;
      if (/^\d{3}\b|§|#\d|\b(?:seed|issue|section|contract|point) \d/i.test(name!)) {
        numbered.push(name!);
      }
    }
  }
  assert.ok(names > 500, `${names} names found`);
  assert.deepEqual(numbered, []);
});

Deno.test("the picture of the floors is drawn from the imports", async () => {
  const drawn = drawFloors(imports, floors, stepsOf(PAGE));
  const shown = await Deno.readTextFile(`${CHECKOUT}docs/architecture.svg`);
  assert.equal(shown, drawn, "`deno task readme` draws it anew");
});

Deno.test("each step of a query leads to the next one", () => {
  const steps = stepsOf(PAGE);
  const reach = (from: string): Set<string> => {
    const seen = new Set([from]);
    for (const file of seen) for (const next of imports.get(file) ?? []) seen.add(next);
    return seen;
  };
  assert.ok(steps.length > 7);
  const [main = ""] = steps;
  for (const step of steps) assert.ok(reach(main).has(step), step);
});

/** What the rules of the source say about a file. */
function reportsOf(file: string, text: string): string[] {
  return Deno.lint.runPlugin(sourceRules, `/${file}`, text).map(({ id, message }) =>
    `${file}: ${id}: ${message}`
  );
}

Deno.test("src/system alone names a runtime, only what is above knows callers, and no function is too large", async () => {
  const { lint } = JSON.parse(await Deno.readTextFile(`${CHECKOUT}deno.json`));
  assert.deepEqual(lint.plugins, ["./tests/docs/source_rules.ts"]);
  const files = [...await sources("src/"), "cli.ts", "mod.ts"];
  const texts = await Promise.all(files.map((file) => Deno.readTextFile(CHECKOUT + file)));
  assert.deepEqual(files.flatMap((file, index) => reportsOf(file, texts[index]!)), []);
  for (const file of Object.keys(LARGER)) await Deno.stat(CHECKOUT + file);
});

Deno.test("no file below the search asks who reads its answer", () => {
  const asking = [
    "function words(caller: Caller) {}",
    "const isTool = search.caller !== 'shell';",
    "interface Purpose { isAtShell?: boolean }",
    "import { voiceOf } from './callers.ts';",
    "const { audience } = search;",
  ];
  for (const text of asking) {
    for (const folder of ["scan", "reasons", "paths", "notes", "new"]) {
      assert.ok(reportsOf(`src/${folder}/a.ts`, text).length > 0, text);
    }
    for (const folder of ["search", "tools", "cli/commands"]) {
      assert.deepEqual(reportsOf(`src/${folder}/a.ts`, text), [], text);
    }
  }
  const told = "/** For the caller. */ const name = (voice: Voice) => voice.nameOf('ignore');";
  assert.deepEqual(reportsOf("src/reasons/a.ts", told), []);
});

Deno.test("deno lint reports each way to name a runtime", () => {
  const namings = [
    "Deno.lstatSync('.');",
    "let info: Deno.FileInfo;",
    "const { cwd } = Deno;",
    "const isThere = 'Deno' in globalThis && globalThis.Deno;",
    "import { statSync } from 'node:fs';",
    "import type { Stats } from 'node:fs';",
    "let stats: import('node:fs').Stats;",
    "await import('node:fs');",
    "process.exit();",
  ];
  for (const text of namings) {
    assert.ok(reportsOf("src/util/a.ts", text).length > 0, text);
    assert.ok(reportsOf("cli.ts", text).length > 0, text);
    assert.deepEqual(reportsOf("src/system/a.ts", text), [], text);
    assert.deepEqual(reportsOf("tests/a.ts", text), [], text);
  }
  assert.deepEqual(reportsOf("src/a.ts", "/** `Deno.cwd` */ const text = 'Deno denies it';"), []);
});

Deno.test("deno lint reports what is newer than the Node.js that the package runs on", () => {
  for (const text of ["map.getOrInsertComputed(1, f);", "RegExp.escape(text);", "bytes.toHex();"]) {
    assert.equal(reportsOf("src/util/a.ts", text).length, 1, text);
    assert.deepEqual(reportsOf("tests/a.ts", text), [], text);
  }
});

Deno.test("deno lint reports functions that are too long or branch too often", () => {
  const count = (text: string) => reportsOf("src/new.ts", text).length;
  const long = (lines: number) => `function f() {\n${"void 0;\n".repeat(lines - 2)}}\nf();\n`;
  assert.deepEqual([count(long(MAX_LINES)), count(long(MAX_LINES + 1))], [0, 1]);
  const branches = [
    "if (x) x;",
    "x && x;",
    "x ?? x;",
    "x ? x : x;",
    "for (;;) x;",
    "while (x) x;",
    "try { x; } catch { x; }",
    "switch (x) { case 1: x; default: x; }",
  ];
  for (const branch of branches) {
    const text = (times: number) => `function f(x) {${branch.repeat(times)}}`;
    assert.deepEqual([count(text(MAX_BRANCHES)), count(text(MAX_BRANCHES + 1))], [0, 1], branch);
    const half = branch.repeat(MAX_BRANCHES);
    assert.equal(count(`function f(x) {${half} return () => {${half}};}`), 0, "each by itself");
  }
});
