/**
 * Blocked files make no difference to what an answer says that it does not show, whatever they hold and however
 * they are reached.
 *
 * @module
 */

import assert from "node:assert/strict";
import { GrepTool, search, Workspace } from "../../mod.ts";
import { tempTree, type TreeEntry } from "../support/tree.ts";

/** Files that the guard blocks, by what blocks them. */
const BLOCKED = [
  ".env",
  "gen/.env",
  "gen/deep/id_rsa",
  ".h/server.key",
  "wt/.npmrc",
  "shared/.env",
  "denied/a.ts",
  "gen/denied/b.ts",
  "excluded/c.ts",
  "gen/excluded/d.ts",
  ".git/config",
];
const REST: Record<string, TreeEntry> = {
  ".ignore": "gen\n",
  ".aiexclude": "excluded\n",
  "a.ts": "needle\n",
  "gen/b.ts": "needle\n",
  "src/a.ts": "needle\n",
  "src/shared": { symlink: "../shared" },
  "src/env": { symlink: "../.env" },
  "src/gen-env": { symlink: "../gen/.env" },
  "src/git": { symlink: "../.git" },
  "src/denied": { symlink: "../denied" },
  "src/denied.ts": { symlink: "../denied/a.ts" },
  "src/excluded": { symlink: "../excluded" },
  "src/excluded.ts": { symlink: "../gen/excluded/d.ts" },
  "shared/c.ts": "needle\n",
  "wt/.git": "gitdir: /else/.git/worktrees/wt\n",
  "wt/d.ts": "needle\n",
};
const BYTES: Record<string, TreeEntry> = {
  "a match": "needle\n",
  "many matches": "needle\n".repeat(2000),
  "a match in a binary file": "needle\0\n",
  "a match in UTF-16": Uint8Array.from(
    [..."a needle\n"].flatMap((char) => [char.charCodeAt(0), 0]),
  ),
  "another form": "nee\ndle\n",
  "a large file": `needle\n${"x".repeat(1 << 20)}`,
};

for (const [what, bytes] of Object.entries(BYTES)) {
  Deno.test(`blocked files with ${what} are in no answer, nor do they change one`, async () => {
    const answersWith = async (content: TreeEntry) => {
      await using tree = await tempTree({
        ...REST,
        ...Object.fromEntries(BLOCKED.map((path) => [path, content])),
      });
      const workspace = await Workspace.open(tree.root);
      const grep = new GrepTool({ workspace, deny: ["denied"] });
      const inputs = ["needle", "needle|absent thing", "ab(?:sent)", "^needle$"].flatMap((
        pattern,
      ) =>
        [{}, { path: "src" }, { follow: true }, { no_ignore: true }, { search_binary: true }]
          .map((input) => ({ ...input, pattern, paths: "relative" }))
      );
      const answers: unknown[] = [];
      for (const input of inputs) answers.push(await grep.execute(input));
      for (const pattern of ["needle", "absent"]) {
        const query = { pattern, explain: true, hidden: false, deny: "denied", paths: "relative" };
        answers.push(await search(query as { pattern: string }, { workspace }));
      }
      return answers.map((answer) => JSON.stringify(answer).replaceAll(tree.root, ""));
    };
    const without = await answersWith("nothing\n");
    assert.ok(without.some((answer) => answer.includes('"cause":"worktree"')));
    assert.deepEqual(await answersWith(bytes), without);
  });
}
