/** Random trees of links: pathgrep's own walk along them against `realpath --canonicalize-missing`. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { PathgrepError, resolveProjectPath } from "../../mod.ts";
import { assertHolds, assertOften } from "../support/draw.ts";
import { tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

const NAMES = ["a", "b", "c", "d"];

const UNDECIDED = "undecided";

/**
 * What coreutils says, with `undefined` for a path that leads out of `root` or in circles; its
 * `realpath` goes round in some of those for ever: what takes long is undecided.
 */
async function oracle(root: string, paths: string[]): Promise<(string | undefined)[]> {
  // One program for all of them, unless it fails for some.
  const script = `said=$(timeout 0.2 realpath -m -- "$@" 2>/dev/null) && echo "$said" ||
    for path; do
      timeout 0.2 realpath -m -- "$path" 2>/dev/null ||
        if [ $? = 124 ]; then echo ${UNDECIDED}; else echo; fi
    done`;
  const { stdout } = await new Deno.Command("sh", { args: ["-c", script, "sh", ...paths] })
    .output();
  const real = new TextDecoder().decode(stdout).split("\n").slice(0, -1);
  assert.equal(real.length, paths.length);
  const isWithin = (path: string) => path === root || path.startsWith(`${root}/`);
  return real.map((path) => path === UNDECIDED || isWithin(path) ? path : undefined);
}

test.slow("every path leads where realpath says, or is refused where that is outside", async (t) => {
  const segment = fc.constantFrom(...NAMES);
  const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  const target = fc.oneof(
    fc.array(fc.constantFrom(...NAMES, ".."), { minLength: 1, maxLength: 4 }).map((parts) =>
      parts.join("/")
    ),
    path.map((path) => `ROOT/${path}`),
    { weight: 2, arbitrary: path.map((path) => `ROOT/../outside/${path}`) },
    { weight: 2, arbitrary: path.map((path) => `ROOT-evil/${path}`) },
  );
  const entries = fc.array(
    fc.record({ at: path, kind: fc.constantFrom("file", "directory", "link", "link"), target }),
    { minLength: 2, maxLength: 12 },
  );
  let inside = 0;
  let refused = 0;
  await assertHolds(
    t,
    fc.asyncProperty(
      entries,
      fc.array(path, { minLength: 8, maxLength: 8 }),
      async (made, asked) => {
        await using tree = await tempTree({ "ws/": null, "outside/a/b": "secret" });
        const root = tree.path("ws");
        for (const { at, kind, target } of made) {
          try {
            const place = `${root}/${at}`;
            await Deno.mkdir(place.slice(0, place.lastIndexOf("/")), { recursive: true });
            if (kind === "file") await Deno.writeTextFile(place, "");
            else if (kind === "directory") await Deno.mkdir(place);
            else await Deno.symlink(target.replace("ROOT", root), place);
          } catch {
            // What stood there first stays.
          }
        }
        const expected = await oracle(root, asked.map((path) => `${root}/${path}`));
        for (const [index, raw] of asked.entries()) {
          let resolved: string | undefined;
          try {
            resolved = await resolveProjectPath(root, raw);
          } catch (error) {
            assert.ok(error instanceof PathgrepError);
            if (error.code === "path_unsupported") {
              // Links in a circle: realpath takes them for missing, the system does not open them.
              await assert.rejects(Deno.stat(`${root}/${raw}`));
              continue;
            }
            assert.equal(error.code, "path_outside_workspace");
          }
          if (expected[index] === UNDECIDED) continue;
          if (resolved === undefined) refused++;
          else inside++;
          assert.equal(resolved, expected[index], `${raw} in ${JSON.stringify(made)}`);
        }
      },
    ),
    { numRuns: 100, endOnFailure: true },
  );
  assertOften(inside, 100, "paths inside");
  assertOften(refused, 30, "paths that are refused");
});

Deno.test("a link back above a directory that does not exist is followed on from there", async () => {
  await using tree = await tempTree({
    "ws/c": { symlink: "missing/.." },
    "ws/a": { symlink: "../outside" },
    "ws/b": { symlink: "d" },
    "outside/secret": "",
  });
  const root = tree.path("ws");
  await assert.rejects(resolveProjectPath(root, "c/a/secret"), { code: "path_outside_workspace" });
  assert.equal(await resolveProjectPath(root, "c/b/new"), `${root}/d/new`);
});

test.slow("links that lead through more than any path needs are not followed to their end", async () => {
  const links = Array.from({ length: 39 }, (_, index) => [
    `l${index}`,
    { symlink: "a/../".repeat(200) + `l${index + 1}` },
  ]);
  await using tree = await tempTree({ "a/b": "", "l39": "text\n", ...Object.fromEntries(links) });
  assert.equal(await resolveProjectPath(tree.root, "l37"), `${tree.root}/l39`);
  for (const path of ["l0", "l36", "l0/x"]) {
    await assert.rejects(resolveProjectPath(tree.root, path), (error: PathgrepError) => {
      assert.equal(error.code, "path_unsupported");
      assert.match(error.details.hint ?? "", /^its symbolic links are too long/);
      return true;
    });
  }
});

Deno.test("links that form a loop are reported as such", async () => {
  await using tree = await tempTree({ "a": { symlink: "b" }, "b": { symlink: "a" } });
  await assert.rejects(resolveProjectPath(tree.root, "a"), (error: PathgrepError) => {
    assert.equal(error.code, "path_unsupported");
    assert.match(error.details.hint ?? "", /^its symbolic links form a loop/);
    return true;
  });
});

Deno.test("a link that leads out and back in reveals nothing on its way", async () => {
  await using tree = await tempTree({
    "ws/a.txt": "",
    "there/x": "",
    "ws/through_there": { symlink: "../there/../ws/a.txt" },
    "ws/through_missing": { symlink: "../missing/../ws/a.txt" },
    "ws/round_the_root": { symlink: "../ws/a.txt" },
  });
  const root = tree.path("ws");
  for (const link of ["through_there", "through_missing"]) {
    await assert.rejects(resolveProjectPath(root, link), { code: "path_outside_workspace" });
  }
  assert.equal(await resolveProjectPath(root, "round_the_root"), `${root}/a.txt`);
});
