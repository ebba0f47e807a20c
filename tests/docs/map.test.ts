/**
 * The map in CONTRIBUTING.md is true of the code: its rows are the layers, imports point down, and no
 * folder, file or name has outgrown its place.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CHECKOUT } from "../support/run.ts";

const CONTRIBUTING = await Deno.readTextFile(`${CHECKOUT}CONTRIBUTING.md`);
const FOLDER = `file://${CHECKOUT}`;

/** The modules of the package with what each imports, for its values or for its types alone. */
const imports = await importsOf("mod.ts", "cli.ts");

async function importsOf(...entries: string[]): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  for (const entry of entries) {
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["info", "--json", entry],
      cwd: CHECKOUT,
      stderr: "inherit",
    }).output();
    assert.equal(code, 0);
    const { modules } = JSON.parse(new TextDecoder().decode(stdout)) as {
      modules: {
        specifier: string;
        dependencies?: Record<"code" | "type", { specifier?: string } | undefined>[];
      }[];
    };
    for (const { specifier, dependencies = [] } of modules) {
      if (!isOurs(specifier)) continue;
      const targets = dependencies.flatMap(({ code, type }) => [code?.specifier, type?.specifier]);
      found.set(pathOf(specifier), new Set(targets.filter(isOurs).map(pathOf)));
    }
  }
  return found;
}

function isOurs(specifier: string | undefined): specifier is string {
  return specifier?.startsWith(FOLDER) === true && specifier.endsWith(".ts");
}

function pathOf(specifier: string): string {
  return specifier.slice(FOLDER.length);
}

/** The rows of the map: in each the files and folders that it is about. */
function rows(): string[][] {
  const map = CONTRIBUTING.split("## The map")[1]!.split("\n## ")[0]!;
  const cells = [...map.matchAll(/^\| (`.*?) +\|/gm)].map(([, cell]) => cell!);
  return cells.map((cell) => spansOf(cell).flatMap(alternativesOf));
}

function spansOf(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, span]) => span!);
}

/** `a/{b,c}.ts` is `a/b.ts` and `a/c.ts`. */
function alternativesOf(path: string): string[] {
  const [, before, names, after] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? [];
  return names === undefined ? [path] : names.split(",").map((name) => before + name + after);
}

const layers = rows();

/** The row of a file: the one that names it or, the most precisely, a folder that it is in. */
function layerOf(file: string): number {
  const places = layers.flatMap((row, layer) => row.map((place) => ({ place, layer })));
  const fitting = places.filter(({ place }) =>
    place === file || place.endsWith("/") && file.startsWith(place)
  );
  assert.ok(fitting.length > 0, `${file} is on the map`);
  return fitting.sort((a, b) => b.place.length - a.place.length)[0]!.layer;
}

/** The modules in a directory. AssemblyScript is none. */
async function sources(directory: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(CHECKOUT + directory)) {
    if (isDirectory) found.push(...await sources(`${directory}${name}/`));
    else if (/(?<!\.as)\.ts$/.test(name)) found.push(directory + name);
  }
  return found;
}

Deno.test("imports point down the map, types included", () => {
  const upward: string[] = [];
  for (const [file, targets] of imports) {
    for (const target of targets) {
      if (layerOf(target) < layerOf(file)) upward.push(`${file} imports ${target}`);
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

Deno.test("every source file is used, and every place on the map is there", async () => {
  const files = await sources("src/");
  assert.deepEqual(files.filter((file) => !imports.has(file)), []);
  for (const place of layers.flat()) await Deno.stat(CHECKOUT + place);
  const all = [...files, ...await sources("tests/"), "cli.ts", "mod.ts"];
  for (const name of spansOf(CONTRIBUTING).filter((span) => /^[\w/]+\.ts$/.test(span))) {
    assert.ok(all.some((file) => file === name || file.endsWith(`/${name}`)), `${name} exists`);
  }
});

/** Files that are one table each: they may be as long as their rows. */
const TABLES = [
  "src/cli/options/option_table.ts",
  "src/search/query_options.ts",
  "src/walk/file_types.ts",
];
const MAX_LINES = 450;

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

Deno.test("no source file but a table has more than 450 lines", async () => {
  const long: string[] = [];
  for (const file of await sources("src/")) {
    if (!TABLES.includes(file) && await linesOf(file) > MAX_LINES) long.push(file);
  }
  assert.deepEqual(long, []);
});

Deno.test("no two source files have the same name", async () => {
  const byName = Map.groupBy(await sources("src/"), (file) => file.split("/").at(-1)!);
  assert.deepEqual([...byName.values()].filter((files) => files.length > 1), []);
});

Deno.test("no two source files give one name to a type, class or function", async () => {
  const places = new Map<string, Set<string>>();
  for (const file of await sources("src/")) {
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
