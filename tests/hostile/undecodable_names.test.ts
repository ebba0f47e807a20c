/**
 * Names that are not UTF-8. Deno lists them with U+FFFD and the type of the real entry, and a hostile
 * tree holds something else under that very name.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  type AnswerScope,
  GlobTool,
  Guard,
  listFiles,
  PathgrepError,
  ReadFileTool,
  ResolvePathTool,
  resolveProjectPath,
  resolveTextSearchTarget,
  resolveToolCallPaths,
  search,
  type SearchQuery,
  Workspace,
} from "../../mod.ts";
import { answer } from "../support/acceptance.ts";
import { CLI, pathgrep } from "../support/run.ts";
import { sh } from "../support/spawn.ts";
import { tempTree, type Tree } from "../support/tree.ts";
import { ENGINES, sameAnswer } from "../support/engines.ts";
import { QuickSearcher, ticked } from "../support/quick_cache.ts";
import { connect } from "../mcp/clients.ts";

/** What an undecodable name is read as. */
const LISTED = "\ufffd";

/** A directory and a file with undecodable names, beside what is literally called so. */
interface Lure {
  /** A command that makes `$L`, which is literally U+FFFD. */
  literal: string;
  /** What has the undecodable name. */
  real: "directory" | "file";
}

const SECRET = "TOP-SECRET";
const LURES: Readonly<Record<string, Lure>> = {
  "a link to a directory outside": { literal: "ln -s ../../outside $L", real: "directory" },
  "a link to a file outside": { literal: "ln -s ../../outside/secret.txt $L", real: "file" },
  "a link to a blocked file": { literal: "ln -s ../.env $L", real: "file" },
  "a link to a blocked directory": { literal: "ln -s ../.ssh $L", real: "directory" },
  "a link to the directory above": { literal: "ln -s .. $L", real: "directory" },
  "a link to itself": { literal: "ln -s $L $L", real: "directory" },
  "a link to nothing": { literal: "ln -s nothing $L", real: "file" },
  "a link to standard input": { literal: "ln -s /proc/self/fd/0 $L", real: "file" },
  "a link to a device": { literal: "ln -s /dev/zero $L", real: "file" },
  "a pipe": { literal: "mkfifo $L", real: "file" },
  "a pipe where a directory is": { literal: "mkfifo $L", real: "directory" },
  "a file where a directory is": { literal: "echo needle > $L", real: "directory" },
  "a directory where a file is": { literal: "mkdir $L; echo needle > $L/in.txt", real: "file" },
  "nothing": { literal: ":", real: "file" },
};
/** What is literally called so, and is found as itself. */
const OWN: Readonly<Record<string, string>> = {
  "a file where a directory is": `d/${LISTED}`,
  "a directory where a file is": `d/${LISTED}/in.txt`,
};

async function lured({ literal, real }: Lure): Promise<Tree> {
  const made = await tempTree({
    "a.txt": "needle\n",
    "d/b.txt": "needle\n",
    ".env": `needle ${SECRET}\n`,
    ".ssh/id": `needle ${SECRET}\n`,
    "../outside/secret.txt": `needle ${SECRET}\n`,
    "../outside/secret-large.txt": `needle ${SECRET}\n`.repeat(100_000),
    "../outside/inner/secret-deep.txt": `needle ${SECRET}\n`,
  });
  const make = real === "directory" ? "mkdir $R && echo needle > $R/x" : "echo needle > $R";
  await sh(
    `L=$(printf '\\357\\277\\275'); R=$(printf '\\377'); ${make}; ${literal}`,
    made.path("d"),
  );
  return made;
}

/** Nothing of an answer tells of anything but the tree's own files. */
function holdsNothingElse(shown: unknown, what: string): void {
  // The rules that block something are those of everyone's table.
  const text = JSON.stringify(shown)
    .replace(/"blocked_rules":\[[^\]]*\]|\d+ blocked \([^)]*\)/g, "");
  assert.ok(!/secret|SECRET|\.env|"[^"]*id"|inner/.test(text), `${what}: ${text}`);
  assert.ok(!/over \d+ bytes/.test(text), `${what}: ${text}`);
}

/** What every engine answers. */
async function answers(t: Tree, query: SearchQuery): Promise<Record<string, unknown>> {
  return { ...await sameAnswer(t.root, query) };
}

const UNREADABLE =
  /^1 file or directory could not be read and was not searched: a name that is not UTF-8 in (?:\.|d)$/;

for (const [name, lure] of Object.entries(LURES)) {
  Deno.test(`an undecodable name is not taken for ${name} with its spelling`, async () => {
    await using t = await lured(lure);
    const own = OWN[name] === undefined ? [] : [t.path(OWN[name])];
    const expected = [t.path("a.txt"), t.path("d/b.txt"), ...own];
    const check = (shown: Record<string, unknown>, what: string, found = expected) => {
      holdsNothingElse(shown, what);
      const files = (shown["matches"] as { file: string }[] | undefined)?.map(({ file }) => file) ??
        shown["files"];
      assert.deepEqual(files, found, what);
      const notes = (shown["notes"] ?? []) as string[];
      // In tools the scope says so, alone.
      const { left_out } = (shown["scope"] ?? {}) as Partial<AnswerScope>;
      const counted = left_out?.unreadable ?? notes.filter((note) => UNREADABLE.test(note)).length;
      assert.equal(counted, 1, `${what}: ${notes}`);
      assert.equal(left_out?.names?.unreadable, undefined);
    };
    const workspace = await Workspace.open(t.root);
    // In a process that can be ended first: it may hang.
    for (const permissions of [["-A"], [`--allow-read=${t.root}`]]) {
      const where = { cwd: t.root, permissions, limit: 20_000 };
      check(await answer(["needle", "--workspace", t.root], where), permissions.join());
    }
    check(await answers(t, { pattern: "needle" }), "engines");
    for (const engine of ENGINES) {
      const below = { pattern: "needle", engine, path: "d", outputMode: "file" } as const;
      check({ ...await search(below, { workspace }) }, engine, expected.slice(1));
    }
    const followed = await search({ pattern: "needle", follow: true }, { workspace });
    holdsNothingElse(followed, "follow");
    const denied = await search({ pattern: SECRET, deny: ["*.key"] }, { workspace });
    holdsNothingElse({ ...denied, pattern: "" }, "deny");
    assert.equal(denied.count, 0);
    check({ ...await listFiles({}, { workspace }) }, "files");
    const glob = await new GlobTool({ workspace }).execute({ pattern: "**/*" });
    check(glob as Record<string, unknown>, "glob");
    for (const path of ["d", `d/${LISTED}`, `d/${LISTED}/secret.txt`, "secret-large.txt"]) {
      const shown = await new ReadFileTool({ workspace }).execute({ path });
      const { error: _, path: __, resolved_path: ___, ...told } = shown as Record<string, unknown>;
      holdsNothingElse(told, `read_file ${path}`);
    }
    for (const path of ["secret.txt", "secret-deep.txt", "x", "in.tx"]) {
      const error = await resolveTextSearchTarget(workspace, path).catch((error) => error);
      assert.ok(error instanceof PathgrepError, path);
      holdsNothingElse(
        { ...error.details, path: "", resolved_path: "" },
        `suggestions for ${path}`,
      );
      for (const suggested of error.details.suggestions ?? []) {
        await resolveTextSearchTarget(workspace, suggested);
      }
    }
  });
}

Deno.test("an undecodable name stays unknown to searches that keep what they have read", async () => {
  for (const cache of ["verified", "watched"] as const) {
    await using t = await lured(LURES["a link to a directory outside"]!);
    await ticked();
    await using searcher = new QuickSearcher({ workspace: await Workspace.open(t.root), cache });
    for (let round = 0; round < 3; round++) {
      const result = await searcher.search({ pattern: "needle", outputMode: "file" });
      holdsNothingElse(result, cache);
      assert.equal(result.count, 2, JSON.stringify(result));
      assert.ok(result.notes?.some((note) => UNREADABLE.test(note)), JSON.stringify(result.notes));
    }
    // Changes outside would be reported under the path in the workspace.
    await t.write({ "../outside/secret-new.txt": `needle ${SECRET}\n` });
    holdsNothingElse(await searcher.search({ pattern: "needle", outputMode: "file" }), cache);
  }
});

Deno.test("an undecodable name shows an MCP client nothing of what else has its spelling", async () => {
  await using t = await lured(LURES["a link to a directory outside"]!);
  for (const structured of [true, false]) {
    await using client = await connect("v1", { cwd: t.root, structured });
    for (
      const [tool, input] of [["grep", { pattern: "needle" }], ["glob", { pattern: "**" }]] as const
    ) {
      const result = await client.call(tool, input);
      const { text } = result;
      holdsNothingElse(structured ? result.answer : { text }, tool);
      if (structured) assert.equal(result.answer["count"], 2, text);
      else assert.match(text, tool === "grep" ? /\n2 matches in 2 files/ : /\n2 files/);
    }
  }
});

Deno.test("several undecodable names that are read alike count each, and the literal one once", async () => {
  await using t = await tempTree({ "a.txt": "needle\n", [`${LISTED}.txt`]: "needle\n" });
  await sh(
    `for c in 376 377 300; do echo needle > "$(printf "\\\\$c").txt"; mkdir "$(printf "\\\\$c")"; done`,
    t.root,
  );
  const shown = await answers(t, { pattern: "needle", outputMode: "file" });
  assert.deepEqual(shown["files"], [t.path("a.txt"), t.path(`${LISTED}.txt`)]);
  assert.deepEqual(shown["notes"], [
    "6 files or directories could not be read and were not searched, the first is a name that is " +
    "not UTF-8 in .",
  ]);
  const workspace = await Workspace.open(t.root);
  const { files, notes } = await listFiles({}, { workspace });
  assert.deepEqual({ files, notes }, { files: shown["files"], notes: shown["notes"] });
});

Deno.test("what is literally called U+FFFD is a file or directory like any other", async () => {
  await using t = await tempTree({
    [`${LISTED}/${LISTED}/x.txt`]: "needle\n",
    [`${LISTED}/y${LISTED}.txt`]: "needle\n",
    [`${LISTED}/.gitignore`]: "skipped.txt\n",
    [`${LISTED}/skipped.txt`]: "needle\n",
  });
  const expected = [t.path(`${LISTED}/y${LISTED}.txt`), t.path(`${LISTED}/${LISTED}/x.txt`)];
  const shown = await answers(t, { pattern: "needle", outputMode: "file" });
  assert.deepEqual([shown["files"], shown["notes"]], [expected, undefined]);
  for (const path of [LISTED, `${t.root}/${LISTED}`]) {
    const below = await answers(t, { pattern: "needle", outputMode: "file", path });
    assert.deepEqual(below["files"], expected);
  }
  const named = await answers(t, { pattern: "needle", path: `${LISTED}/y${LISTED}.txt` });
  assert.equal(named["count"], 1);
  const root = await Workspace.open(t.path(LISTED));
  assert.equal((await search({ pattern: "needle" }, { workspace: root })).count, 2);
});

Deno.test("a path with U+FFFD that is named leads to what is literally called so", async () => {
  await using t = await lured(LURES["a link to a directory outside"]!);
  const workspace = await Workspace.open(t.root);
  for (const path of [`d/${LISTED}`, `d/${LISTED}/secret.txt`, `d/${LISTED}/absent`]) {
    await assert.rejects(
      search({ pattern: "needle", path }, { workspace }),
      (error) => error instanceof PathgrepError && error.code === "path_outside_workspace",
      path,
    );
  }
});

Deno.test("half of a surrogate pair, which Deno reads as U+FFFD, names nothing", async () => {
  await using t = await tempTree({
    ".aiignore": `${LISTED}/\n`,
    [`${LISTED}/a.txt`]: "needle\n",
    [`b${LISTED}/b.txt`]: "needle\n",
  });
  const workspace = await Workspace.open(t.root);
  const limits = { workspace, deny: [`b${LISTED}`] };
  const error = { code: "invalid_input" };
  for (const path of ["\ud800", "\udfff/a.txt", "b\udc01", "b\ud800/b.txt", `${t.root}/\ud800`]) {
    await assert.rejects(search({ pattern: "needle", path, ...limits }, { workspace }), error);
    await assert.rejects(resolveTextSearchTarget(workspace, path), error);
    await assert.rejects(resolveProjectPath(t.root, path), error);
    await assert.rejects(resolveToolCallPaths(workspace, { path }), error);
    const listed = await new GlobTool(limits).execute({ pattern: "**", path });
    const resolved = await new ResolvePathTool(limits).execute({ path });
    for (const answer of [listed, resolved]) {
      assert.match(
        JSON.stringify(answer),
        /"invalid input: path contains half of a surrogate pair"/,
      );
    }
    assert.equal(new Guard(limits).isBlocked(path), true);
  }
  await assert.rejects(Workspace.open(t.path("\ud800")), error);
});

Deno.test("a link to a name that is not UTF-8 leads nowhere, which its error says", async () => {
  await using t = await lured(LURES["a link to a directory outside"]!);
  await sh("ln -s $(printf 'd/\\377') in; ln -s $(printf '../outside/\\377') out", t.root);
  const workspace = await Workspace.open(t.root);
  for (const path of ["in", "in/x", "out", "out/secret.txt"]) {
    await assert.rejects(search({ pattern: "needle", path }, { workspace }), (error) => {
      assert.ok(error instanceof PathgrepError && error.code === "path_unsupported", path);
      assert.match(String(error.details.hint), /leads to a name that is not UTF-8;/);
      return true;
    });
  }
  const followed = await search({ pattern: SECRET, follow: true }, { workspace });
  assert.equal(followed.count, 0);
});

Deno.test("a workspace whose name is not UTF-8 is refused, also the current directory", async () => {
  await using t = await tempTree({ "a.txt": "needle\n" });
  await sh("mkdir $(printf 'r\\377'); ln -s $(printf 'r\\377') link", t.root);
  const search = `'${Deno.execPath()}' run -A '${CLI}' needle`;
  for (const command of [`cd r*; ${search} > ../answer`, `${search} --workspace link > answer`]) {
    await sh(`${command} || true`, t.root);
    const { code, hint } = JSON.parse(await Deno.readTextFile(t.path("answer")));
    assert.equal(code, "path_unsupported", command);
    assert.match(hint, /not UTF-8/);
  }
});

Deno.test("an argument with U+FFFD is noted, and is no workspace", async () => {
  await using t = await tempTree({ [`${LISTED}/a.txt`]: "needle\n" });
  const [note] = (await answer(["needle", LISTED], { cwd: t.root })).notes ?? [];
  assert.match(note!, /^U\+FFFD in an argument was interpreted as that character, /);
  const resolved = JSON.parse((await pathgrep(["resolve", LISTED], { cwd: t.root })).stdout);
  assert.deepEqual([resolved["path"], resolved["notes"]], [t.path(LISTED), [note]]);
  for (const args of [["needle"], ["files"], ["resolve", "a.txt"], ["doctor"]]) {
    const { code, stdout } = await pathgrep([...args, "--workspace", LISTED], { cwd: t.root });
    assert.equal(code, 2, args[0]);
    assert.equal(JSON.parse(stdout).code, "invalid_input");
  }
});
