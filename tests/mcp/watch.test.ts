/** A session keeps its workspace as it is now: watched where that is possible, else checked. */
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";
import { assertSoon } from "../support/soon.ts";
import { connect } from "./clients.ts";
import { RawServer } from "./raw_server.ts";
import { test } from "../support/needs.ts";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** How many directories and files a process watches. */
function watchesOf(pid: number): number {
  let count = 0;
  for (const { name } of Deno.readDirSync(`/proc/${pid}/fdinfo`)) {
    try {
      const info = Deno.readTextFileSync(`/proc/${pid}/fdinfo/${name}`);
      count += info.match(/^inotify wd:/gm)?.length ?? 0;
    } catch {
      // It is closed by now.
    }
  }
  return count;
}

test.slow("a session watches its workspace where it may make a file, and answers without that too", async () => {
  for (const permissions of [["-A"], ["--allow-read"]]) {
    await using t = await tempTree({ "a/x.txt": "needle\n", "b/y.txt": "" });
    await using server = new RawServer(t.root, permissions);
    await server.initialize();
    const files = async () => {
      const params = { name: "grep", arguments: { pattern: "needle", paths: "relative" } };
      const { result } = await server.request("tools/call", params);
      const answer = result as { structuredContent: { matches: { file: string }[] } };
      return answer.structuredContent.matches.map(({ file }) => file);
    };
    assert.deepEqual(await files(), ["a/x.txt"]);
    const isWatched = permissions[0] === "-A";
    while (isWatched && watchesOf(server.pid) < 3) await pause(20);
    if (!isWatched) {
      await pause(500);
      assert.equal(watchesOf(server.pid), 0);
    }
    for (let round = 0; round < 30; round++) {
      await t.write({ "b/y.txt": round % 2 === 0 ? "needle\n" : "noodle\n" });
      assert.deepEqual(await files(), round % 2 === 0 ? ["a/x.txt", "b/y.txt"] : ["a/x.txt"]);
    }
  }
});

test.slow("a session whose roots change watches the new ones, and answers from them at once", async () => {
  await using t = await tempTree({ "one/x.txt": "needle\n", "two/in/y.txt": "needle\n" });
  let roots = [t.path("one")];
  await using client = await connect("v2 of 2025", {
    cwd: t.root,
    permissions: ["-A"],
    roots: () => roots.map((root) => pathToFileURL(root).href),
  });
  const files = async () => {
    return (await client.call("grep", {
      pattern: "needle",
      output_mode: "file",
      paths: "absolute",
    })).entries;
  };
  for (let round = 0; round < 6; round++) {
    roots = [t.path(round % 2 === 0 ? "one" : "two")];
    await client.rootsChanged();
    const [first, second] = round % 2 === 0
      ? ["one/x.txt", "one/z.txt"]
      : ["two/in/y.txt", "two/z.txt"];
    assert.deepEqual(await files(), [t.path(first!)]);
    await t.write({ [second!]: "needle\n" });
    assert.deepEqual(await files(), [t.path(first!), t.path(second!)]);
    await pause(round * 30);
    await Deno.remove(t.path(second!));
    assert.deepEqual(await files(), [t.path(first!)]);
  }
});

test.slow("what a session may keep is given in megabytes", async () => {
  await using t = await tempTree({ "x.txt": "needle\n" });
  await using server = new RawServer(t.root, ["-A"], ["--cache-mb", "1"]);
  await server.initialize();
  const { result } = await server.request("tools/call", {
    name: "grep",
    arguments: { pattern: "needle" },
  });
  assert.equal((result as { structuredContent: { count: number } }).structuredContent.count, 1);
  for (const size of ["0", "4097", "1.5", "-1", "x", ""]) {
    const { code, stdout } = await pathgrep(["mcp", `--cache-mb=${size}`]);
    assert.equal(code, 2, size);
    assert.match(stdout, /an integer from 1 to 4096/);
  }
});

Deno.test("a pipe that is made in a watched workspace stops neither answers nor the end", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  await using t = await tempTree({ "a/x.txt": "needle\n" });
  await using server = new RawServer(t.root, ["-A"]);
  await server.initialize();
  const call = async (pattern: string) => {
    const started = performance.now();
    await server.request("tools/call", { name: "grep", arguments: { pattern } });
    assertSoon(started);
  };
  await call("needle");
  while (watchesOf(server.pid) < 3) await pause(20);
  await call("needle");
  const { success } = await new Deno.Command("mkfifo", { args: [t.path("a/pipe")] }).output();
  assert.ok(success);
  for (const pattern of ["needle", "absent", "needle", "absent"]) await call(pattern);
  const started = performance.now();
  await server.end();
  assertSoon(started);
});
