/**
 * What a watch sees and what it does not, what it leaves behind, and what it says where it cannot watch.
 */
import assert from "node:assert/strict";
import {
  type ContentResult,
  type FileResult,
  listFiles,
  PathgrepError,
  resolveTextSearchTarget,
  Searcher,
  Workspace,
} from "../../mod.ts";
import * as platform from "node:path";
import { fileURLToPath } from "node:url";
import { startExchanger } from "../hostile/exchanges.ts";
import { withoutReadOverride } from "../support/acceptance.ts";
import { MOD } from "../support/run.ts";
import { settled, tempTree } from "../support/tree.ts";
import { caselessTree } from "../support/caseless.ts";
import { test, testNeeding } from "../support/needs.ts";
import { QuickSearcher, ticked } from "../support/quick_cache.ts";
import { assertSoon } from "../support/soon.ts";

function isGone(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return false;
  } catch {
    return true;
  }
}

/** Directories that this process has the system watch. */
function directoriesWatched(): number {
  let count = 0;
  for (const { name } of Deno.readDirSync("/proc/self/fdinfo")) {
    try {
      count += Deno.readTextFileSync(`/proc/self/fdinfo/${name}`).split("inotify wd:").length - 1;
    } catch {
      // It was open for the listing only.
    }
  }
  return count;
}

/** Files of one size, and a searcher that has read them all and keeps them, at once or as the product does. */
async function watchedTree(files: number, keeps: "at once" | "what is settled" = "at once") {
  const tree = await tempTree(
    Object.fromEntries(
      Array.from({ length: files }, (_, index) => [`d${index % 9}/${index}`, "no"]),
    ),
  );
  const outside = await tempTree({});
  const [Kind, rest] = keeps === "at once" ? [QuickSearcher, ticked] : [Searcher, settled];
  await rest();
  const searcher = new Kind({
    workspace: await Workspace.open(tree.root),
    cache: "watched",
    scratch: outside.root,
  });
  const matches = async () => {
    const result = await searcher.search({ pattern: "yes", paths: "relative", maxResults: 10_000 });
    return result as ContentResult;
  };
  assert.equal((await matches()).count, 0);
  assert.equal((await matches()).count, 0);
  return {
    tree,
    outside,
    searcher,
    matches,
    rest,
    async [Symbol.asyncDispose]() {
      await searcher[Symbol.asyncDispose]();
      if (isGone(tree.root)) return;
      assert.deepEqual([...Deno.readDirSync(outside.root)], [], "nothing is left behind");
      await tree[Symbol.asyncDispose]();
      await outside[Symbol.asyncDispose]();
    },
  };
}

/** A searcher relies on reports of changes if it misses a change that was not reported. */
async function seesReportedChanges(keeps: "at once" | "what is settled"): Promise<void> {
  await using watched = await watchedTree(20, keeps);
  const { tree, outside } = watched;
  Deno.linkSync(tree.path("d1/1"), `${tree.root}.link`); // a name outside
  using file = Deno.openSync(`${tree.root}.link`, { write: true });
  Deno.removeSync(`${tree.root}.link`);
  assert.equal((await watched.matches()).count, 0);
  await watched.rest();
  assert.equal((await watched.matches()).count, 0);
  assert.equal((await watched.matches()).count, 0);
  file.writeSync(new TextEncoder().encode("yes"));
  assert.equal((await watched.matches()).count, 0);
  await tree.write({ "d1/1": "yes!" });
  assert.deepEqual((await watched.matches()).matches.map(({ file }) => file), ["d1/1"]);
  assert.deepEqual([...Deno.readDirSync(outside.root)], [], "no file of the watch has a name");
}

Deno.test(
  "a watched tree is not looked at again: what the system does not tell is not seen",
  () => seesReportedChanges("at once"),
);

test.slow(
  "what has not changed for a second is not looked at again",
  () => seesReportedChanges("what is settled"),
);

Deno.test("a file of a watched tree that has another name is seen to change by either", async () => {
  await using watched = await watchedTree(20);
  const { tree } = watched;
  const found = async () => (await watched.matches()).matches.map(({ file }) => file);
  Deno.linkSync(tree.path("d1/1"), tree.path("d2/link"));
  await ticked();
  for (let search = 0; search < 3; search++) assert.deepEqual(await found(), []);
  Deno.writeTextFileSync(tree.path("d1/1"), "yes");
  assert.deepEqual(await found(), ["d1/1", "d2/link"]);
  // A name that comes when the file is known by its first one already.
  await ticked();
  for (let search = 0; search < 3; search++) await found();
  Deno.linkSync(tree.path("d3/3"), tree.path("d4/late"));
  Deno.writeTextFileSync(tree.path("d4/late"), "yes");
  assert.deepEqual(await found(), ["d1/1", "d2/link", "d3/3", "d4/late"]);
  Deno.removeSync(tree.path("d4/late"));
  assert.deepEqual(await found(), ["d1/1", "d2/link", "d3/3"]);
});

Deno.test("an ignore file of a watched tree is seen to change by another name as well", async () => {
  await using watched = await watchedTree(20);
  const { tree } = watched;
  await tree.write({ rules: "nothing\n", "d1/yes": "yes" });
  Deno.linkSync(tree.path("rules"), tree.path("d1/.gitignore"));
  await ticked();
  for (let search = 0; search < 3; search++) assert.equal((await watched.matches()).count, 1);
  await tree.write({ rules: "y*\n" });
  assert.equal((await watched.matches()).count, 0);
});

test.slow("a watch that cannot report every change has everything checked again", async () => {
  await using watched = await watchedTree(3000);
  const { tree } = watched;
  for (let index = 0; index < 3000; index++) {
    Deno.writeTextFileSync(tree.path(`d${index % 9}/${index}`), "yes");
  }
  assert.equal((await watched.matches()).count, 3000);
  // A directory that is made, filled and moved before anyone can watch it.
  Deno.mkdirSync(tree.path("new/a/b"), { recursive: true });
  Deno.writeTextFileSync(tree.path("new/a/b/file"), "yes");
  assert.equal((await watched.matches()).count, 3001);
  Deno.renameSync(tree.path("new/a"), tree.path("moved"));
  Deno.writeTextFileSync(tree.path("moved/b/other"), "yes");
  assert.equal((await watched.matches()).count, 3002);
  Deno.writeTextFileSync(tree.path("moved/b/last"), "yes");
  assert.equal((await watched.matches()).count, 3003);
  Deno.removeSync(tree.path("moved"), { recursive: true });
  assert.equal((await watched.matches()).count, 3000);
});

Deno.test("a root in whose place another directory has come is not searched", async () => {
  for (const cache of ["none", "verified", "watched"] as const) {
    await using tree = await tempTree({ "ws/file": "yes", "other/file": "yes" });
    const workspace = await Workspace.open(tree.path("ws"));
    await using searcher = new Searcher({ workspace, cache });
    assert.equal((await searcher.search({ pattern: "yes" })).count, 1);
    Deno.renameSync(tree.path("ws"), tree.path("old"));
    Deno.renameSync(tree.path("other"), tree.path("ws"));
    const calls = [
      searcher.search({ pattern: "yes" }),
      searcher.search({ pattern: "yes", path: "file" }),
      listFiles({}, { workspace }),
    ];
    for (const call of calls) {
      await assert.rejects(
        call,
        (error) => error instanceof PathgrepError && /has been replaced/.test(error.message),
      );
    }
    await assert.rejects(resolveTextSearchTarget(workspace, "file"), /does not exist/);
    Deno.renameSync(tree.path("ws"), tree.path("other"));
    Deno.renameSync(tree.path("old"), tree.path("ws"));
    assert.equal((await searcher.search({ pattern: "yes" })).count, 1, "it is back");
  }
});

Deno.test("a place for files of the watch in the workspace is refused", async () => {
  await using tree = await tempTree({ "sub/": null });
  const workspace = await Workspace.open(tree.root);
  const relative = platform.relative(Deno.cwd(), tree.path("sub"));
  for (const scratch of [tree.path("sub"), relative]) {
    assert.throws(
      () => new Searcher({ workspace, cache: "watched", scratch }),
      (error) => error instanceof PathgrepError && error.code === "invalid_input",
    );
  }
});

test.slow("a note reports a scratch directory that leads into the workspace or disappears", async () => {
  await using tree = await tempTree({ "a.txt": "yes", "sub/": null });
  await using outside = await tempTree({ "scratch/": null });
  const workspace = await Workspace.open(tree.root);
  Deno.symlinkSync(tree.path("sub"), outside.path("link"));
  const query = { pattern: "yes" };
  {
    const scratch = outside.path("link");
    await using searcher = new Searcher({ workspace, cache: "watched", scratch });
    const { count, notes } = await searcher.search(query);
    assert.equal(count, 1);
    assert.match(String(notes), /not watched: its scratch directory is in the workspace/);
    assert.deepEqual([...Deno.readDirSync(tree.path("sub"))], []);
  }
  const scratch = outside.path("scratch");
  await ticked(); // a root that has just been made is watched anew by the next search
  await using searcher = new QuickSearcher({ workspace, cache: "watched", scratch });
  assert.equal((await searcher.search(query)).notes, undefined);
  Deno.removeSync(scratch, { recursive: true });
  assert.equal((await searcher.search(query)).notes, undefined, "nobody needs it now");
  await tree.write({ "new/b.txt": "yes" }); // a new directory, for which all are watched anew
  assert.equal((await searcher.search(query)).count, 2);
  const { count, notes } = await searcher.search(query);
  assert.equal(count, 2);
  assert.match(String(notes), /not watched: cannot create a file/);
});

Deno.test("without the permission to watch, a note says so and the answer is right", async () => {
  await using tree = await tempTree({ "a.txt": "no" });
  const mod = new URL("../../mod.ts", import.meta.url);
  const script = `import { Searcher, Workspace } from "${mod}";
    const workspace = await Workspace.open(${JSON.stringify(tree.root)});
    await using searcher = new Searcher({ workspace, cache: "watched" });
    for (let run = 0; run < 3; run++) console.log(JSON.stringify(await searcher.search({ pattern: "no" })));`;
  const read = `--allow-read=${tree.root},${fileURLToPath(new URL(".", mod))}`;
  for (
    const [permissions, note] of [
      [[read], /not watched: .*--allow-write/],
      [[read, "--allow-write"], /not watched: .*--allow-read/],
    ] as const
  ) {
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-prompt",
        ...permissions,
        `data:application/typescript,${encodeURIComponent(script)}`,
      ],
    }).output();
    const lines = new TextDecoder().decode(stdout).trim().split("\n");
    assert.equal(lines.length, 3, new TextDecoder().decode(stderr));
    for (const line of lines) {
      const { count, notes } = JSON.parse(line);
      assert.equal(count, 1);
      assert.match(String(notes), note);
    }
  }
});

testNeeding("caseless", "linux")(
  "a file system whose changes may come from elsewhere is not watched, also one mounted in a tree",
  async () => {
    await using tree = await caselessTree({ "in/a.txt": "no\n" });
    for (const root of [tree.path("in"), tree.root, platform.dirname(tree.root)]) {
      const workspace = await Workspace.open(root);
      await using searcher = new Searcher({ workspace, cache: "watched" });
      for (const text of ["no", "needle"]) {
        await tree.write({ "in/a.txt": `${text}\n` });
        const { count, notes } = await searcher.search({ pattern: text, include: "*.txt" });
        assert.equal(count, 1, root);
        assert.match(String(notes), /not watched: a file system of type fuse/);
      }
    }
  },
);

Deno.test("a watched tree is seen to change where links in it lead to", async () => {
  await using tree = await tempTree({
    "packages/mine/one": "no",
    "node_modules/mine": { symlink: "../packages/mine" },
  });
  await ticked();
  await using searcher = new QuickSearcher({
    workspace: await Workspace.open(tree.root),
    cache: "watched",
  });
  const query = { pattern: "yes", paths: "relative", outputMode: "file" } as const;
  const found = async () => (await searcher.search(query) as FileResult).files;
  for (let search = 0; search < 3; search++) assert.deepEqual(await found(), []);
  await tree.write({ "packages/mine/two": "yes", "packages/mine/one": "yes" });
  assert.deepEqual(await found(), ["packages/mine/one", "packages/mine/two"]);
  // The directory that holds the link moves, and goes.
  Deno.renameSync(tree.path("node_modules"), tree.path("moved"));
  await tree.write({ "packages/mine/one": "no" });
  assert.deepEqual(await found(), ["packages/mine/two"]);
  await ticked();
  for (let search = 0; search < 2; search++) await found();
  Deno.removeSync(tree.path("moved"), { recursive: true });
  await tree.write({ "packages/mine/three": "yes" });
  assert.deepEqual(await found(), ["packages/mine/three", "packages/mine/two"]);
});

Deno.test("a watched tree is seen to change while others watch it through a link", async () => {
  await using watched = await watchedTree(20);
  const { tree } = watched;
  Deno.symlinkSync("d1", tree.path("link"));
  await ticked();
  for (let search = 0; search < 3; search++) assert.equal((await watched.matches()).count, 0);
  using _others = Deno.watchFs(tree.root); // goes through links
  await tree.write({ "d1/1": "yes", "d1/new": "yes" });
  assert.equal((await watched.matches()).count, 2);
});

Deno.test("nothing that a link out of the workspace leads to is watched", async () => {
  await using outside = await tempTree({ "a/b/c/": null, "d/": null });
  await using tree = await tempTree({ "sub/a.txt": "yes" });
  Deno.symlinkSync(outside.root, tree.path("sub/link"));
  Deno.symlinkSync(outside.path("nowhere"), tree.path("dead"));
  const before = directoriesWatched();
  await using searcher = new Searcher({
    workspace: await Workspace.open(tree.root),
    cache: "watched",
  });
  const { count, notes } = await searcher.search({ pattern: "yes" });
  assert.deepEqual([count, notes], [1, undefined]);
  const watched = ["the root", "sub", "one file in scratch", "another one", "/"];
  assert.equal(directoriesWatched() - before, watched.length);
});

Deno.test("what lies outside of a watched workspace is looked at in each search", async () => {
  await using tree = await tempTree({ "ws/a.txt": "no", "outside/b.txt": "no" });
  await ticked();
  const workspace = await Workspace.open(tree.path("ws"));
  await using searcher = new QuickSearcher({ workspace, cache: "watched" });
  const path = [tree.path("ws"), tree.path("outside")];
  const query = { pattern: "yes", path, allow: [`${tree.path("outside")}/**`] };
  for (let run = 0; run < 2; run++) assert.equal((await searcher.search(query)).count, 0);
  for (const name of ["outside/b.txt", "ws/a.txt"]) await tree.write({ [name]: "yes" });
  assert.equal((await searcher.search(query)).count, 2);
});

Deno.test("a file is seen to change by a name that is gone again, or is another file's by now", async () => {
  await using watched = await watchedTree(20);
  const { tree } = watched;
  const found = async () => (await watched.matches()).matches.map(({ file }) => file);
  Deno.linkSync(tree.path("d1/1"), tree.path("d2/other"));
  Deno.writeTextFileSync(tree.path("d2/other"), "yes");
  Deno.removeSync(tree.path("d2/other"));
  assert.deepEqual(await found(), ["d1/1"]);
  await ticked();
  for (let search = 0; search < 3; search++) await found();
  Deno.linkSync(tree.path("d3/3"), tree.path("d2/other"));
  Deno.writeTextFileSync(tree.path("d2/other"), "yes");
  Deno.renameSync(tree.path("d4/4"), tree.path("d2/other"));
  assert.deepEqual(await found(), ["d1/1", "d3/3"]);
});

test.slow("a searcher of the same process that comes second does not watch, and says so", async () => {
  await using watched = await watchedTree(20);
  const { tree } = watched;
  const workspace = await Workspace.open(tree.root);
  {
    await using second = new Searcher({ workspace, cache: "watched" });
    const { notes } = await second.search({ pattern: "yes" });
    assert.match(String(notes), /not watched: another Searcher in this process/);
    await tree.write({ "d1/1": "yes" });
    assert.equal((await second.search({ pattern: "yes" })).count, 1);
  }
  assert.equal((await watched.matches()).count, 1);
  await watched[Symbol.asyncDispose]();
  await using tree2 = await tempTree({ a: "yes" });
  await using third = new Searcher({
    workspace: await Workspace.open(tree2.root),
    cache: "watched",
  });
  assert.equal((await third.search({ pattern: "yes" })).notes, undefined);
});

Deno.test("a searcher that has been disposed of does not begin to watch", async () => {
  await using tree = await tempTree({ "ws/a": "yes", "scratch/": null });
  const workspace = await Workspace.open(tree.path("ws"));
  const searcher = new Searcher({ workspace, cache: "watched", scratch: tree.path("scratch") });
  await searcher[Symbol.asyncDispose]();
  await assert.rejects(searcher.search({ pattern: "yes" }), { code: "cancelled" });
  assert.deepEqual([...Deno.readDirSync(tree.path("scratch"))], []);
});

test.slow("a time limit and a signal end the wait for the system's report", async () => {
  await using watched = await watchedTree(20);
  const { searcher, tree } = watched;
  // Each waits for the one before it.
  const queue = () => Array.from({ length: 200 }, () => searcher.search({ pattern: "yes" }));
  const first = queue();
  await assert.rejects(searcher.search({ pattern: "yes", timeout: 1 }), {
    code: "search_timed_out",
  });
  await Promise.all(first);
  const second = queue();
  await assert.rejects(
    searcher.search({ pattern: "yes" }, { signal: AbortSignal.timeout(1) }),
    { code: "cancelled" },
  );
  await Promise.all(second);
  await tree.write({ "d1/1": "yes" });
  assert.equal((await watched.matches()).count, 1, "and the watch goes on");
});

for (
  const [how, end, expected] of [
    ["SIGTERM", "SIGTERM", { signal: "SIGTERM" }],
    ["SIGINT", "SIGINT", { signal: "SIGINT" }],
    ["SIGKILL", "SIGKILL", { signal: "SIGKILL" }],
    ["Deno.exit", "Deno.exit(3)", { code: 3 }],
    ["an uncaught error", "throw new Error('unforeseen')", { code: 1 }],
    ["a handler of its own", "SIGUSR1", { code: 4 }],
  ] as const
) {
  Deno.test(`a watching process that ends by ${how} ends as without a watch, and leaves no file`, async () => {
    await using tree = await tempTree({ "a/b.txt": "yes" });
    await using outside = await tempTree({});
    const mod = new URL("../../mod.ts", import.meta.url);
    const script = `import { Searcher, Workspace } from "${mod}";
      Deno.addSignalListener("SIGUSR1", () => Deno.exit(4));
      const workspace = await Workspace.open(${JSON.stringify(tree.root)});
      const scratch = ${JSON.stringify(outside.root)};
      const searcher = new Searcher({ workspace, cache: "watched", scratch });
      for (let run = 0; run < 3; run++) {
        const { count, notes } = await searcher.search({ pattern: "yes" });
        console.log(count, notes);
      }
      await Deno.stdin.read(new Uint8Array(1));
      ${end.startsWith("SIG") ? "" : end}`;
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", `data:application/typescript,${encodeURIComponent(script)}`],
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    let said = "";
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      said += text;
      if (said.split("\n").length <= 3) continue;
      if (end.startsWith("SIG")) child.kill(end as Deno.Signal);
      else await child.stdin.getWriter().write(new Uint8Array(1));
      break;
    }
    assert.equal(said, "1 undefined\n".repeat(3), "it watches");
    const { code, signal } = await child.status;
    if ("code" in expected) assert.equal(code, expected.code);
    else assert.equal(signal, expected.signal);
    assert.deepEqual([...Deno.readDirSync(outside.root)], []);
  });
}

Deno.test("a link that leads out is seen, also where it takes the place of a file or of rules", async () => {
  await using elsewhere = await tempTree({ "secret.txt": "yes, outside", "rules": "" });
  await using watched = await watchedTree(9);
  const { tree, matches } = watched;
  const link = async (target: string, name: string, expected: string[]) => {
    await Deno.symlink(elsewhere.path(target), elsewhere.path("link"));
    await Deno.rename(elsewhere.path("link"), tree.path(name));
    for (let search = 0; search < 3; search++) {
      if (search === 1) await ticked();
      assert.deepEqual((await matches()).matches.map(({ file }) => file), expected, name);
    }
  };
  await link("secret.txt", "d0/0", []);
  await tree.write({ ".gitignore": "seen\n", "d1/seen": "yes" });
  await link("secret.txt", "d1/other", []);
  await link("rules", ".gitignore", ["d1/seen"]);
});

/** A program with a watching searcher: it prints a line of JSON about each search, one for each line of input. */
const SEARCHES = `
import { Searcher, Workspace } from ${JSON.stringify(MOD)};
import { QuickSearcher } from ${JSON.stringify(import.meta.resolve("../support/quick_cache.ts"))};
const Kind = Deno.args[1] === "at once" ? QuickSearcher : Searcher;
const workspace = await Workspace.open(Deno.args[0]);
await using searcher = new Kind({ workspace, cache: "watched" });
for await (const bytes of Deno.stdin.readable) {
  const started = performance.now();
  const query = { pattern: "needle", outputMode: "count", ...JSON.parse(new TextDecoder().decode(bytes)) };
  const { count, code } = await searcher.search(query).catch((error) => error);
  console.log(JSON.stringify({ count, code, ms: performance.now() - started }));
}`;

/** Runs that program, by the words of a command before it. */
async function watchingProgram(
  root: string,
  keeps: "at once" | "what is settled",
  before: readonly string[] = [],
) {
  const main = `${await Deno.makeTempDir({ prefix: "pathgrep_test_" })}/main.ts`;
  await Deno.writeTextFile(main, SEARCHES);
  const [command, ...args] = [...before, Deno.execPath()];
  const child = new Deno.Command(command!, {
    args: [...args, "run", "-A", "--quiet", "--no-check", main, root, keeps],
    stdin: "piped",
    stdout: "piped",
    signal: AbortSignal.timeout(60_000),
  }).spawn();
  const writer = child.stdin.getWriter();
  const reader = child.stdout.getReader();
  return {
    async search(query: object = {}): Promise<{ count?: number; code?: string; ms: number }> {
      await writer.write(new TextEncoder().encode(JSON.stringify(query)));
      const { value } = await reader.read();
      assert.ok(value !== undefined, "it did not answer within a minute");
      return JSON.parse(new TextDecoder().decode(value));
    },
    async [Symbol.asyncDispose]() {
      await writer.close();
      await reader.cancel();
      assert.ok((await child.status).success, "it did not end by itself");
      await Deno.remove(main.slice(0, main.lastIndexOf("/")), { recursive: true });
    },
  };
}

testNeeding("setpriv")(
  "what is written below a directory while it is barred is seen later",
  async () => {
    await using tree = await tempTree({ "d/s/a.txt": "needle\n", "e.txt": "needle\n" });
    await ticked();
    await using program = await watchingProgram(tree.root, "at once", withoutReadOverride());
    for (let search = 0; search < 3; search++) assert.equal((await program.search()).count, 2);
    await Deno.chmod(tree.path("d"), 0);
    assert.equal((await program.search()).count, 1);
    await tree.write({ "d/s/new.txt": "needle\n" });
    await Deno.chmod(tree.path("d"), 0o755);
    assert.equal((await program.search()).count, 3);
  },
);

testNeeding("perl").slow(
  "changes without pause take no more than half a second of a search",
  async () => {
    await using tree = await tempTree({ "a.txt": "needle\n", "b.txt": "needle\n", "c.txt": "" });
    await ticked();
    await using program = await watchingProgram(tree.root, "at once");
    for (let search = 0; search < 3; search++) assert.equal((await program.search()).count, 2);
    await using _ = await startExchanger(tree.path("a.txt"), tree.path("b.txt"), 0, 30);
    let answered = 0;
    for (let search = 0; search < 10; search++) {
      const { code } = await program.search({ timeout: 1000, maxResults: 0 });
      if (code === undefined) answered++;
    }
    // A machine that stands still, or a file that vanishes for a moment, says nothing.
    assert.ok(answered >= 7, `${answered} of 10 searches were answered`);
  },
);

testNeeding("perl").slow(
  "names that are exchanged all the while leave a search its time limit",
  async () => {
    await using tree = await tempTree({
      ...Object.fromEntries(
        Array.from({ length: 40 }, (_, index) => [`ws/d${index % 4}/${index}.txt`, "needle\n"]),
      ),
      "out/0.txt": "",
      "link": { symlink: "out" },
    });
    await settled();
    await using program = await watchingProgram(tree.path("ws"), "what is settled");
    for (let search = 0; search < 3; search++) assert.equal((await program.search()).count, 40);
    {
      await using _ = await startExchanger(tree.path("ws/d0"), tree.path("link"), 0);
      for (let search = 0; search < 5; search++) {
        const { ms } = await program.search({ timeout: 300 });
        assert.ok(ms < 10_000, `it took ${ms} ms`);
      }
    }
    for (let search = 0; search < 5; search++) assert.equal((await program.search()).count, 40);
  },
);

testNeeding("setpriv").slow(
  "what changes while a directory above the root is barred is seen later",
  async () => {
    await using tree = await tempTree({
      "above/ws/d/a.txt": "needle\n",
      "above/ws/e.txt": "needle\n",
    });
    await settled();
    await using program = await watchingProgram(
      tree.path("above/ws"),
      "what is settled",
      withoutReadOverride(),
    );
    for (let search = 0; search < 3; search++) assert.equal((await program.search()).count, 2);
    await Deno.chmod(tree.path("above"), 0);
    await tree.write({ "above/ws/d/new.txt": "needle\n", "above/ws/e.txt": "hay\nhay\n" });
    await Deno.chmod(tree.path("above"), 0o755);
    for (let search = 0; search < 3; search++) assert.equal((await program.search()).count, 2);
    await tree.write({ "above/ws/d/more.txt": "needle\n" });
    assert.equal((await program.search()).count, 3);
  },
);

testNeeding("perl").slow(
  "a watch that begins while directories above it are exchanged is right later",
  async () => {
    await using tree = await tempTree(Object.fromEntries(
      ["home", "double"].flatMap((above) =>
        Array.from({ length: 60 }, (_, index) => [`${above}/ws/d${index}/${above}.txt`, "needle\n"])
      ),
    ));
    await settled();
    for (const pause of [0, 200]) {
      await using searcher = new Searcher({
        workspace: await Workspace.open(tree.path("home/ws")),
        cache: "watched",
      });
      const count = async (pattern: string) =>
        (await searcher.search({ pattern, outputMode: "count" })).count;
      await count("needle");
      {
        await using _ = await startExchanger(tree.path("home"), tree.path("double"), pause, 10);
        for (let search = 0; search < 10; search++) {
          await Deno.mkdir(tree.path(`home/ws/new${pause}-${search}`)).catch(() => {});
          await count("needle").catch(() => {});
        }
      }
      await settled();
      for (let search = 0; search < 3; search++) await count("needle"); // now it is trusted
      for (let index = 0; index < 60; index++) {
        await Deno.writeTextFile(tree.path(`home/ws/d${index}/home.txt`), "changed needle\n");
      }
      assert.equal(await count("changed needle"), 60, `${pause}`);
      for (let index = 0; index < 60; index++) {
        await Deno.writeTextFile(tree.path(`home/ws/d${index}/home.txt`), "a needle\n");
      }
      assert.equal(await count("a needle"), 60, `${pause}`);
    }
  },
);

test.slow("directories that are too deep to watch are checked, and hold up nothing", async () => {
  await using tree = await tempTree({ "a.txt": "yes\n" });
  let deepest = tree.path("d");
  while (deepest.length < 3900) deepest += "/d";
  await Deno.mkdir(deepest, { recursive: true });
  const workspace = await Workspace.open(tree.root);
  await using searcher = new Searcher({ workspace, cache: "watched" });
  const query = { pattern: "yes", timeout: 20_000 } as const;
  const started = performance.now();
  const { count, notes } = await searcher.search(query);
  assertSoon(started);
  assert.equal(count, 1);
  assert.match(String(notes), /not watched: its directories are nested too deeply/);
  await tree.write({ "a.txt": "no!\n" });
  assert.equal((await searcher.search(query)).count, 0);
});
