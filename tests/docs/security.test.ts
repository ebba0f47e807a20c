/**
 * SECURITY.md: each promise names tests that exist, and what it says of Deno is so.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CHECKOUT } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";

const markdown = await Deno.readTextFile(`${CHECKOUT}SECURITY.md`);

/** The text under a heading. */
function section(heading: string): string {
  return markdown.split(`## ${heading}\n`)[1]!.split("\n## ")[0]!;
}

/** The test files that a text names. */
function testsIn(text: string): string[] {
  return [...text.matchAll(/tests\/[\w/]+\.test\.ts/g)].map(([file]) => file);
}

Deno.test("each promise of SECURITY.md names the tests that hold it", () => {
  const promises = section("What pathgrep adds").split(/^- /m).slice(1);
  assert.ok(promises.length > 10, `${promises.length} promises`);
  for (const promise of promises) {
    // A promise ends with the tests that hold it: none comes after.
    assert.match(promise.replaceAll(/\s+/g, " "), /\((`tests\/[\w/]+\.test\.ts`(, )?)+\)\. ?$/u);
  }
});

Deno.test("every test file that SECURITY.md names has tests", async () => {
  const files = new Set(testsIn(markdown));
  assert.ok(files.size > 20, `${files.size} files`);
  for (const file of files) {
    assert.match(
      await Deno.readTextFile(CHECKOUT + file),
      /^\s*(Deno\.)?test(\.\w+)?\(/m,
      file,
    );
  }
});

Deno.test("Deno follows a link out of the directory that it may read", async () => {
  await using t = await tempTree({
    "out": { symlink: "../secret.txt" },
    "../secret.txt": "outside",
  });
  const read = async (path: string) => {
    const script = t.path("../read.ts");
    await Deno.writeTextFile(script, `console.log(Deno.readTextFileSync("${path}"))`);
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-config", "--no-prompt", `--allow-read=${t.root}`, script],
      stderr: "null",
    }).output();
    return { code, text: new TextDecoder().decode(stdout).trim() };
  };
  assert.deepEqual(await read(t.path("out")), { code: 0, text: "outside" });
  assert.equal((await read(t.path("../secret.txt"))).code, 1);
});
