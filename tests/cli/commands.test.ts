/**
 * The commands besides the search.
 *
 * @module
 */
import assert from "node:assert/strict";
import { pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";

Deno.test("call names an unknown tool before it asks for input", async () => {
  await using tree = await tempTree();
  const { code, json } = await pathgrep(["call", "nosuch"], { cwd: tree.root });
  assert.equal(code, 2);
  assert.match(json().error, /^invalid input: unknown tool "nosuch"/);
});

Deno.test("resolve takes one path", async () => {
  for (const args of [["resolve"], ["resolve", "a", "b"]]) {
    const { code, json } = await pathgrep(args);
    assert.equal(code, 2);
    assert.equal(json().code, "invalid_input");
    assert.match(json().hint, /usage: pathgrep resolve PATH/);
  }
});

Deno.test("resolve in text writes the path alone, and notes on standard error", async () => {
  await using tree = await tempTree({ "src/a.ts": "" });
  const { stdout, stderr } = await pathgrep(["resolve", "@src/a.ts", "--format", "text"], {
    cwd: tree.root,
  });
  assert.equal(stdout, `${tree.path("src/a.ts")}\n`);
  assert.match(stderr, /^pathgrep: note: .*\n$/);
});

Deno.test("files that lists nothing ends with 1", async () => {
  await using tree = await tempTree();
  const { code, json } = await pathgrep(["files"], { cwd: tree.root });
  assert.equal(code, 1);
  assert.deepEqual(json().files, []);
});

Deno.test("doctor runs nothing that is not permitted, and says which flag is missing", async () => {
  await using tree = await tempTree();
  const { code, json } = await pathgrep(["doctor", "--workspace", tree.root], {
    permissions: [`--allow-read=${tree.root}`, "--no-prompt"],
  });
  assert.equal(code, 0);
  const { engines, permissions, least_privilege } = json();
  assert.equal(engines.js.available, true);
  for (const name of ["rg", "git", "grep"]) {
    assert.equal(engines[name].available, false);
    assert.match(engines[name].hint, new RegExp(`--allow-run=${name}`));
  }
  assert.notEqual(permissions.run, "granted");
  assert.equal(least_privilege, `deno run --no-config --no-prompt --allow-read=${tree.root}`);
});
