/**
 * The recorder finds what two checkouts answer differently, and nothing else.
 *
 * @module
 */

import assert from "node:assert/strict";
import { spawn } from "../support/spawn.ts";
import { tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

const CHECKOUT = new URL("../..", import.meta.url).pathname;

async function record(before: string): Promise<{ code: number; stdout: string }> {
  const args = ["run", "-A", "dev/record/main.ts", before, "--count", "60"];
  return await spawn(Deno.execPath(), args, { cwd: CHECKOUT });
}

test.slow("the recorder is silent about the same answers, and shows others with their case", async () => {
  await using t = await tempTree();
  await t.write({ "tests/support/": null });
  const patience = "tests/support/patience.ts";
  for (const part of ["src", "mod.ts", "cli.ts", "deno.json", patience]) {
    await spawn("cp", ["-R", part, t.path(part)], { cwd: CHECKOUT });
  }
  const same = await record(t.root);
  assert.deepEqual([same.code, same.stdout], [0, "0 of 60 answers differ\n"]);

  const result = t.path("src/answer/result_builder.ts");
  const source = await Deno.readTextFile(result);
  const changed = source.replace("line_number: ", "line_number: 1 + ");
  assert.notEqual(changed, source);
  await Deno.writeTextFile(result, changed);
  const other = await record(t.root);
  assert.equal(other.code, 1);
  assert.match(other.stdout, /^ +\d+ {2}matches\[\]\.line_number$/m);
  assert.match(other.stdout, /^ +\d+: \w+(?:\$ pathgrep |: tool )/m);
});
