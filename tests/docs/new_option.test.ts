/**
 * The made-up option of CONTRIBUTING.md: what is shown there is all that an option needs.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CHECKOUT } from "../support/run.ts";
import { spawn } from "../support/spawn.ts";
import { tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

/** The checkout's source. */
async function checkoutSource(): Promise<Record<string, string>> {
  const source: Record<string, string> = {};
  const read = async (path: string) => {
    for await (const { name, isDirectory } of Deno.readDir(CHECKOUT + path)) {
      if (isDirectory) await read(`${path}${name}/`);
      else source[path + name] = await Deno.readTextFile(CHECKOUT + path + name);
    }
  };
  await read("src/");
  for (const name of ["cli.ts", "mod.ts", "deno.json", "deno.lock"]) {
    source[name] = await Deno.readTextFile(CHECKOUT + name);
  }
  return source;
}

/** The checkout's source with the change that CONTRIBUTING.md shows. */
async function changedSource(): Promise<Record<string, string>> {
  const changed = await checkoutSource();
  const contributing = await Deno.readTextFile(`${CHECKOUT}CONTRIBUTING.md`);
  const diff = /^```diff\n(.*?)^```$/ms.exec(contributing)![1]!;
  for (const [, file, body] of diff.matchAll(/^--- (\S+)\n((?:(?!---).*\n)+)/gm)) {
    const lines = (signs: string) =>
      body!.split("\n").filter((line) => signs.includes(line.charAt(0)) && line !== "")
        .map((line) => line.slice(1)).join("\n");
    const parts = changed[file!]!.split(lines(" -"));
    assert.equal(parts.length, 2, `${file} has these lines once:\n${lines(" -")}`);
    changed[file!] = parts.join(lines(" +"));
  }
  return changed;
}

/** What a run of Deno says. */
async function runDeno(cwd: string, args: string[], stdin = ""): Promise<string> {
  const env = { NO_COLOR: "1" };
  const { stdout, stderr } = await spawn(Deno.execPath(), args, { cwd, env, stdin });
  return stdout + stderr;
}

test.slow("the option that CONTRIBUTING makes up compiles, is explained, completed and checked, and acts", async () => {
  await using source = await tempTree(await changedSource());
  await using workspace = await tempTree({ "a.txt": "  foo\t\n" });
  const deno = (args: string[], stdin?: string) => runDeno(source.root, args, stdin);
  const run = (args: string[], stdin?: string) =>
    deno(["run", "-A", "--quiet", "cli.ts", ...args, "--workspace", workspace.root], stdin);
  assert.equal(await deno(["check", "--quiet", "mod.ts", "cli.ts"]), "");
  assert.match(
    await deno(["doc", "mod.ts"]),
    /stripped\?: boolean \| undefined\n +Whether to strip/,
  );
  assert.match(await run(["--help"]), /^ +--stripped +strip white space around lines$/m);
  assert.match(
    await deno(["run", "-A", "--quiet", "cli.ts", "__complete", "--strip"]),
    /^--stripped	strip white space around lines$/m,
  );
  const { properties } = JSON.parse(await run(["tools"]))[0].inputSchema;
  assert.deepEqual(properties.stripped, {
    type: "boolean",
    description: "Strip white space around lines.",
  });
  const lineOf = (answer: string) => JSON.parse(answer).matches[0].line;
  assert.equal(lineOf(await run(["foo"])), "  foo\t");
  assert.equal(lineOf(await run(["foo", "--stripped"])), "foo");
  const call = (stripped: unknown) =>
    run(["call", "grep"], JSON.stringify({ pattern: "foo", stripped }));
  assert.equal(lineOf(await call(true)), "foo");
  assert.match(await call("some"), /stripped must be true or false, got \\"some\\"/);
});
