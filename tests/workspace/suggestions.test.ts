/**
 * What is suggested for a path that leads nowhere.
 *
 * @module
 */

import assert from "node:assert/strict";
import { PathgrepError, resolveTextSearchTarget, Workspace } from "../../mod.ts";
import { tree } from "../support/acceptance.ts";

/** What the error about a path says to do. */
async function advice(ws: string, path: string): Promise<[suggestions: unknown, hint: unknown]> {
  try {
    await resolveTextSearchTarget(await Workspace.open(ws), path);
  } catch (thrown) {
    const { suggestions, hint } = PathgrepError.from(thrown).toJSON();
    return [suggestions, hint];
  }
  assert.fail(`${path} was found`);
}

Deno.test("paths that stand in a text are suggested: several, escaped, in a link, in a line of output", async () => {
  await using t = await tree({ "src/a.ts": "x\n", "docs/": null, "my notes/one two.md": "x\n" });
  const texts: [text: string, suggestions: string[]][] = [
    ["src docs", ["src", "docs"]],
    ["./src/,docs/", ["src", "docs"]],
    ["my%20notes/one%20two.md", ["my notes/one two.md"]],
    ["my\\ notes/one\\ two.md", ["my notes/one two.md"]],
    ["[the file](src/a.ts)", ["src/a.ts"]],
    ["src/a.ts:1:// needle", ["src/a.ts"]],
    ["src/a.ts/Class", ["src/a.ts"]],
  ];
  for (const [text, suggestions] of texts) {
    assert.deepEqual((await advice(t.ws, text))[0], suggestions, text);
  }
});

Deno.test("what stands in a text is suggested only if it is in the workspace and not blocked", async () => {
  await using t = await tree({
    "../beside.txt": "x\n",
    "link": { link: "../beside.txt" },
    ".env": "x\n",
    "src/a.ts": "x\n",
  });
  for (
    const text of ["link zz", "../beside.txt zz", "..%2Fbeside.txt", ".env zz", ". zz", "/ zz"]
  ) {
    assert.equal((await advice(t.ws, text))[0], undefined, text);
  }
  assert.equal((await advice(t.ws, `${"src/a.ts ".repeat(500)}zz`))[0], undefined);
});

Deno.test("a glob given as a path is answered with the path and the glob", async () => {
  await using t = await tree({ "src/a.ts": "x\n", "../beside/b.ts": "x\n" });
  const send = (path: string, include: string) =>
    `a path is no glob: ${path} and ${include} as include (as pattern, with the glob tool)`;
  assert.equal((await advice(t.ws, "src/**/*.ts"))[1], send("send src as path", "**/*.ts"));
  assert.equal((await advice(t.ws, "*.{ts,md}"))[1], send("leave the path out", "*.{ts,md}"));
  assert.match(String((await advice(t.ws, "absent/*.ts"))[1]), /^list what is there/);
  assert.match(String((await advice(t.ws, "../beside/*.ts"))[1]), /^give a path inside/);
});
