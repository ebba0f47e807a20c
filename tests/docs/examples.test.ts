/**
 * The documentation in the source: complete, and its examples run.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CHECKOUT } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";
import { configOfExamples } from "./config.ts";
import { examples } from "./markdown.ts";
import { test } from "../support/needs.ts";

/** What `deno doc --json` says of an exported name. */
interface Documented {
  name: string;
  declarations: {
    kind: string;
    location: { filename: string };
    jsDoc?: { doc?: string; tags?: { kind: string }[] };
  }[];
}

async function deno(...args: string[]): Promise<{ code: number; stdout: string; said: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: CHECKOUT,
    env: { NO_COLOR: "1" },
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, stdout: out!, said: out! + err! };
}

/** Every name that the library exports. */
async function exported(): Promise<Documented[]> {
  const { code, stdout, said } = await deno("doc", "--json", "mod.ts");
  assert.equal(code, 0, said);
  const { nodes } = JSON.parse(stdout) as { nodes: Record<string, { symbols: Documented[] }> };
  const symbols = Object.values(nodes).flatMap((module) => module.symbols);
  assert.ok(symbols.length > 30, "deno doc has found the exports");
  return symbols;
}

Deno.test("the public names are documented, and every type in them is public", async () => {
  const { code, said } = await deno("doc", "--lint", "mod.ts", "cli.ts");
  assert.equal(code, 0, said);
});

Deno.test("the reference shows nothing internal, no bare boolean, and of a search what libraries can ask", async () => {
  const { stdout } = await deno("doc", "mod.ts");
  assert.doesNotMatch(stdout, /@internal|^ *private /m);
  assert.doesNotMatch(stdout, /[(,] ?\w+\??: boolean[,)]/);
  const [, options] = /^interface SearchOptions\n(.*?)\nDefined in/ms.exec(stdout)!;
  assert.deepEqual(
    Array.from(options!.matchAll(/^ {2}(\w+)\??:/gm), ([, name]) => name),
    ["workspace", "signal", "permissionRequester", "onProgress"],
  );
});

/** The files whose docstrings have examples; fails for a public value that has none. */
async function documentedSources(): Promise<string[]> {
  const sources = new Set(["mod.ts"]);
  const without: string[] = [];
  for (const { name, declarations } of await exported()) {
    const hasExample = declarations.some(({ jsDoc }) =>
      jsDoc?.tags?.some(({ kind }) => kind === "example")
    );
    const isType = declarations.every(({ kind }) => kind === "interface" || kind === "typeAlias");
    if (hasExample) sources.add(new URL(declarations[0]!.location.filename).pathname);
    else if (!isType) without.push(name);
  }
  assert.deepEqual(without, []);
  return [...sources];
}

test.slow("every function, class and constant of the library has an example, and all of them run", async () => {
  const sources = await documentedSources();
  await using config = await configOfExamples();
  const { code, said } = await deno(
    ...["test", "--doc", "-A", "--quiet", "--no-check", "--no-lock", "--config", config.path],
    ...sources,
  );
  assert.equal(code, 0, said);
  const passed = Number(/(\d+) passed/.exec(said)?.[1]);
  assert.ok(passed >= sources.length, said);
});

test.slow("every example passes the type checker: in docstrings, in the README and in the guides", async () => {
  await using config = await configOfExamples();
  await using tree = await tempTree();
  const programs: string[] = [];
  const guides = [...Deno.readDirSync(`${CHECKOUT}docs`)].map(({ name }) => `docs/${name}`);
  for (const file of ["README.md", ...guides]) {
    const { run } = examples(await Deno.readTextFile(CHECKOUT + file), file);
    for (const { language, text, place } of run) {
      if (language !== "ts") continue;
      const name = `${place.replace(/\W/g, "_")}.ts`;
      await tree.write({ [name]: text.replace("jsr:@x/pathgrep", "@x/pathgrep") });
      programs.push(tree.path(name));
    }
  }
  assert.ok(programs.length >= 5);
  const { code, said } = await deno(
    ...["check", "--doc", "--quiet", "--no-lock", "--config", config.path],
    ...await documentedSources(),
    ...programs,
  );
  assert.equal(code, 0, said);
});
