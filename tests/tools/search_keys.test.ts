/**
 * The keys of `grep` that have an option of the command line for a twin: the same answer both ways, and
 * the guard holds under each.
 *
 * @module
 */

import assert from "node:assert/strict";
import { ToolRegistry, Workspace } from "../../mod.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";

type Json = Record<string, unknown>;

/** Keys of a call, and the arguments that say the same. */
const TWINS: readonly (readonly [keys: Json, args: readonly string[]])[] = [
  [{ only_matching: true }, ["-o"]],
  [{ only_matching: true, case_insensitive: true }, ["-o", "-i"]],
  [{ only_matching: true, context: 1 }, ["-o", "-C1"]],
  [{ invert: true }, ["-v"]],
  [{ invert: true, output_mode: "count", case_insensitive: true }, ["-v", "-c", "-i"]],
  [{ files_without_match: true }, ["-L"]],
  [{ files_without_match: true, output_mode: "file", no_ignore: true }, ["-L", "--no-ignore"]],
  [{ files_without_match: true, invert: true }, ["-L", "-v"]],
  [{ files_without_match: false, output_mode: "count" }, ["-c"]],
  [{ max_count: 1 }, ["-m1"]],
  [{ max_count: 2, output_mode: "count" }, ["-m2", "-c"]],
  [{ max_count: 1, context: 1 }, ["-m1", "-C1"]],
  [{ sort: "modified" }, ["--sort", "modified"]],
  [{ sort: "modified", output_mode: "file", offset: 1 }, ["--sort=modified", "-l", "--offset=1"]],
  [{ sort: "path" }, ["--sort", "path"]],
  [{ no_ignore: true }, ["--no-ignore"]],
  [{ no_ignore: true, path: "src" }, ["--no-ignore", "src"]],
  [{ no_ignore: false }, []],
  [{ follow: true }, ["--follow"]],
  [{ follow: true, no_ignore: true, sort: "modified", max_count: 1, only_matching: true }, [
    "--follow",
    "-u",
    "--sort=modified",
    "-m1",
    "-o",
  ]],
];

const FILES = {
  "a.txt": "one needle, two needles\nNEEDLE\nneedle\nneedle\n",
  "b.txt": "needle\n",
  "src/c.txt": "a needle\n",
  "src/dist/d.txt": "ignored needle\n",
  ".gitignore": "dist/\n*.log\n",
  "e.log": "ignored needle\n",
  "inside.txt": { symlink: "$WS/src/dist/d.txt" },
  "../beside/f.txt": "outside needle\n",
  "outside": { symlink: "$BASE/beside" },
  "outside.txt": { symlink: "$BASE/beside/f.txt" },
  ".env": "SECRET=needle\n",
  "secret.txt": { symlink: "$WS/.env" },
  ".git/config": "needle\n",
  "denied/g.txt": "needle\n",
  "denied.txt": { symlink: "$WS/denied/g.txt" },
};

Deno.test("each key answers as its option on the command line does", async () => {
  await using t = await tempTree(FILES);
  const then = Date.now() / 1000;
  for (const [index, name] of ["b.txt", "a.txt", "src/c.txt", "src/dist/d.txt"].entries()) {
    await Deno.utime(t.path(name), then - index, then - index);
  }
  const tools = ToolRegistry.of({ workspace: await Workspace.open(t.root) });
  const plain = JSON.stringify(await tools.execute("grep", { pattern: "needle" }));
  let different = 0;
  for (const [keys, args] of TWINS) {
    const answer = await tools.execute("grep", { pattern: "needle", ...keys }) as Json;
    const { stdout } = await pathgrep(["-e", "needle", ...args], { cwd: t.root });
    assert.equal(answer["error"], undefined, JSON.stringify(answer));
    const { scope, ...others } = answer;
    const { not_shown: notShown, ...asOption } = JSON.parse(stdout);
    assert.deepEqual(others, asOption, JSON.stringify(keys));
    const unsent = (rows: unknown) =>
      (rows as Json[] | undefined)?.map(({ send: _, ...row }) => row);
    assert.deepEqual(unsent((scope as Json)["not_shown"]), unsent(notShown), JSON.stringify(keys));
    if (JSON.stringify(answer) !== plain) different++;
  }
  assert.ok(different >= 10, "the keys do something");
});

Deno.test("no key shows what is blocked, denied or outside", async () => {
  await using t = await tempTree(FILES);
  const tools = ToolRegistry.of({ workspace: await Workspace.open(t.root), deny: ["denied"] });
  for (const [keys] of TWINS) {
    for (const output_mode of ["content", "file", "count"]) {
      if (keys["files_without_match"] === true && output_mode !== "file") continue;
      const call = { ...keys, pattern: "needle", output_mode };
      // The rules by which it is blocked are no names.
      const answer = JSON.stringify(await tools.execute("grep", call))
        .replace(/"blocked_rules":\[".env","denied"\]/, "");
      assert.doesNotMatch(answer, /SECRET|\.env|\.git\/|denied|beside|outside/, answer);
      for (const path of [".env", "secret.txt", "denied", "denied.txt", "outside", "outside.txt"]) {
        const { code } = await tools.execute("grep", { ...call, path }) as Json;
        const isBlocked = !path.startsWith("outside");
        assert.equal(code, isBlocked ? "permission_denied_by_policy" : "path_outside_workspace");
      }
    }
  }
});

Deno.test("the keys take what their options take, and nothing else", async () => {
  await using t = await tempTree({ "a.txt": "needle\n" });
  const tools = ToolRegistry.of({ workspace: await Workspace.open(t.root) });
  const wrong: [key: string, value: unknown, accepted: RegExp][] = [
    ["invert", "some", /invert must be true or false, got "some"/],
    ["files_without_match", 2, /files_without_match must be true or false, got 2/],
    ["only_matching", "some", /only_matching must be true or false, got "some"/],
    ["max_count", -1, /max_count must be a whole number from 1, got -1/],
    ["sort", "size", /sort must be one of path, modified, none, got "size"/],
    ["no_ignore", 2, /no_ignore must be true or false, got 2/],
    ["follow", {}, /follow must be true or false, got \{\}/],
  ];
  for (const [key, value, accepted] of wrong) {
    const answer = await tools.execute("grep", { pattern: "needle", [key]: value }) as Json;
    assert.equal(answer["code"], "invalid_input");
    assert.match(String(answer["error"]), accepted);
  }
});

Deno.test("files_without_match lists files, and another output_mode beside it is an error that names both", async () => {
  await using t = await tempTree({ "a.txt": "needle\n", "b.txt": "hay\n" });
  const tools = ToolRegistry.of({ workspace: await Workspace.open(t.root) });
  const call = { pattern: "needle", files_without_match: true };
  const { output_mode, files } = await tools.execute("grep", call) as Json;
  assert.deepEqual([output_mode, files], ["file", [t.path("b.txt")]]);
  for (const output_mode of ["content", "count"]) {
    assert.deepEqual(await tools.execute("grep", { ...call, output_mode }), {
      error: `invalid input: files_without_match lists files, and output_mode is ${output_mode}; ` +
        "omit one of them",
      code: "invalid_input",
    });
  }
});
