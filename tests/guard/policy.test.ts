/** What the guard says of a path by its name alone, and what `allow` and `deny` change about that. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { Glob } from "../../src/glob/glob.ts";
import { assertHolds, assertOften } from "../support/draw.ts";
import { assertInTime, inThreeTries } from "../support/soon.ts";
import {
  type ContentResult,
  Guard,
  listFiles,
  resolveToolCallPaths,
  search,
  ToolRegistry,
  Workspace,
} from "../../mod.ts";
import { OWN_TOOL_NAMES } from "../../src/tools/registry.ts";
import { tempTree, type Tree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

/** A guard for a workspace with these globs. */
async function guardOf(t: Tree, globs: { allow?: string[]; deny?: string[] } = {}): Promise<Guard> {
  return new Guard({ workspace: await Workspace.open(t.root), ...globs });
}

Deno.test("a glob without a slash allows a name, not the blocked directory above it", async () => {
  await using t = await tempTree();
  const byName = await guardOf(t, { allow: ["id_rsa"] });
  assert.equal(byName.isBlocked("id_rsa"), false);
  assert.equal(byName.isBlocked("keys/id_rsa"), false);
  assert.equal(byName.isBlocked(".ssh/id_rsa"), true);
  const byPath = await guardOf(t, { allow: [".ssh/id_rsa"] });
  assert.equal(byPath.isBlocked(".ssh/id_rsa"), false);
  assert.equal(byPath.isBlocked(".ssh/id_dsa"), true);
});

Deno.test("what allows a name in the workspace allows none beside it", async () => {
  await using t = await tempTree();
  const guard = await guardOf(t, { allow: ["id_rsa", "**/*.pem"] });
  assert.equal(guard.isBlocked(t.path("id_rsa")), false);
  assert.equal(guard.isBlocked(t.path("../ws-evil/id_rsa")), true);
  assert.equal(guard.isBlocked(t.path("../ws-evil/a.pem")), true);
});

Deno.test("deny takes names in either case, paths with ./ before them, and directories with a slash behind", async () => {
  await using t = await tempTree();
  const guard = await guardOf(t, {
    deny: ["*.SQLITE", "straße.txt", "./secret.txt", "Build/", "docs/private"],
  });
  for (
    const path of [
      "a.sqlite",
      "sub/b.SQLite",
      "STRASSE.TXT",
      "secret.txt",
      "build",
      "BUILD/x",
      "docs/private/x",
    ]
  ) {
    assert.equal(guard.isBlocked(path), true, path);
  }
  for (const path of ["sub/secret.txt", "sub/docs/private", "a.sqlite.txt", "builds"]) {
    assert.equal(guard.isBlocked(path), false, path);
  }
});

Deno.test("a path is allowed and denied however its glob spells it, and to deny one with '..' is an error", async () => {
  await using t = await tempTree({ "src/a.txt": "", "src/.env": "" });
  const spellings = [
    "src//X",
    "././src/X",
    "src/./X",
    "src/.//./X",
    `${t.root}//src/./X`,
    "src/X/.",
  ];
  for (const spelling of spellings) {
    const deny = [spelling.replace("X", "a.txt")];
    assert.equal((await guardOf(t, { deny })).isBlocked("src/a.txt"), true, spelling);
    assert.equal((await guardOf(t, { deny })).isBlocked("a.txt"), false, spelling);
    const allow = [spelling.replace("X", ".env")];
    assert.equal((await guardOf(t, { allow })).isBlocked("src/.env"), false, spelling);
  }
  for (const glob of ["../a.txt", "src/../src/a.txt", "src/.."]) {
    await assert.rejects(guardOf(t, { deny: [glob] }), { code: "invalid_input" }, glob);
  }
  assert.equal((await guardOf(t, { deny: ["..a", "b.."] })).isBlocked("..a"), true);
});

Deno.test("where letter case distinguishes names, what allows one of them allows no other", async () => {
  await using t = await tempTree({
    ".aiignore": "[Vv]ault/\n",
    "vault/a": "x\n",
    "Vault/a": "x\n",
  });
  const outside = t.path("../Data");
  const guard = await guardOf(t, { allow: [`${outside}/**`, "Vault/**", ".env"] });
  const folds = Deno.build.os !== "linux"; // as their file systems usually do
  assert.deepEqual([guard.isBlocked("Vault/a"), guard.isBlocked("vault/a")], [false, !folds]);
  assert.deepEqual([guard.isBlocked(".env"), guard.isBlocked(".ENV")], [false, !folds]);
  assert.equal(await guard.check(`${outside}/a`, "read"), "granted");
  const other = await guard.check(t.path("../data/a"), "read");
  assert.equal(other, folds ? "granted" : "pending");
});

Deno.test("to deny a workspace root, or what no path can be, is an error", async () => {
  await using t = await tempTree({ "a.txt": "" });
  const above = t.root.slice(0, t.root.lastIndexOf("/"));
  const refused = [t.root, `${t.root}/`, above, `${above}/**`, "/**/ws", "/", ".", "./"];
  refused.push("{a/,b}", `{${t.root}/a,${t.root}/b}`, `{${t.root}/{a,b},d}`, "{./a,d}", "{../a,d}");
  refused.push("{a/.,d}", "{a{b,x}/,d}", "x/{.,a}", "{a,b/..}", "{/a,b}");
  for (const glob of refused) {
    await assert.rejects(guardOf(t, { deny: [glob] }), { code: "invalid_input" }, glob);
  }
  for (
    const glob of [
      `${t.root}/**`,
      "**",
      "*",
      "*.txt",
      "{a,b}.txt/",
      "{a,b/c}.txt",
      "{{a,b},.c}.txt",
    ]
  ) {
    assert.equal((await guardOf(t, { deny: [glob] })).isBlocked("a.txt"), true, glob);
  }
  for (const glob of [`${above}/other`, `${t.root}2`, "ws", "{a,b}/c"]) {
    assert.equal((await guardOf(t, { deny: [glob] })).isBlocked("a.txt"), false, glob);
  }
});

test.slow("a path is denied where a glob matches it or a directory on the way to it, whatever the glob", async (context) => {
  await using t = await tempTree();
  const workspace = await Workspace.open(t.root);
  const part = fc.constantFrom(
    "a",
    "B",
    "ab",
    "*",
    "a*",
    "?",
    "**",
    "{a,b}",
    "[ab]",
    "Σ",
    "σ",
    "ς",
  );
  const glob = fc.tuple(
    fc.constantFrom("", "", "/"),
    fc.array(part, { minLength: 1, maxLength: 3 }),
  )
    .map(([root, parts]) => (root === "" ? "" : `${t.root}/`) + parts.join("/"));
  const name = fc.constantFrom("a", "b", "ab", "aB", "x", "Σ", "aς");
  const path = fc.array(name, { minLength: 1, maxLength: 4 });
  assertHolds(
    context,
    fc.property(fc.array(glob, { maxLength: 2 }), path, (deny, segments) => {
      const isMatched = deny.some((glob) => {
        const { matches } = matcherOf(glob);
        return segments.some((segment, index) => {
          const below = segments.slice(0, index + 1).join("/");
          return matches(
            glob.startsWith("/") ? `${t.root}/${below}` : glob.includes("/") ? below : segment,
          );
        });
      });
      const guard = new Guard({ workspace, deny });
      assert.equal(guard.isBlocked(segments.join("/")), isMatched, `${deny} ${segments}`);
    }),
    { numRuns: 3000 },
  );
});

function matcherOf(source: string): { matches: (path: string) => boolean } {
  const glob = Glob.parse(source, { caseInsensitive: true });
  return { matches: (path) => glob.matches(path) };
}

const MANY_GLOBS = Array.from({ length: 200 }, (_, index) => `/**/x${index}/**`);
const DEEP = `${"é".repeat(60)}/`.repeat(490) + "a";
/** Held against each glob anew for each directory on the way, these would take from ten seconds to forty. */
const QUESTIONS: [what: string, globs: object, path: string, answer: string][] = [
  ["many that deny", { deny: MANY_GLOBS }, DEEP, "granted"],
  ["many that allow", { allow: MANY_GLOBS }, `/outside/${DEEP}`, "pending"],
  ["one that lets an excluded directory in", { allow: ["**/top"] }, `top/${DEEP}`, "granted"],
];
for (const [what, globs, path, answer] of QUESTIONS) {
  Deno.test(
    `a deep path is held against globs once: ${what}`,
    inThreeTries(async () => {
      await using t = await tempTree({ ".aiignore": "top\n", "top/.aiignore": "*\n" });
      const guard = await guardOf(t, globs);
      const started = performance.now();
      assert.equal(await guard.check(path, "read"), answer);
      assertInTime(performance.now() - started, 3000, "the question");
    }),
  );
}

Deno.test("only an absolute glob grants what is outside: the path, what is below, or all of a directory", async () => {
  await using t = await tempTree({ "../other/deep/a.txt": "", "../otherwise/a.txt": "" });
  const outside = async (allow: string[], path: string) =>
    await (await guardOf(t, { allow })).check(t.path(path), "read");
  for (const glob of ["*", "**", "other", "other/**", "../other"]) {
    assert.equal(await outside([glob], "../other/deep/a.txt"), "pending", glob);
  }
  for (const glob of ["", "/", "/*", "/**", "/**/*"].map((end) => t.path("../other") + end)) {
    assert.equal(await outside([glob], "../other"), "granted", glob);
    assert.equal(await outside([glob], "../other/deep/a.txt"), "granted", glob);
    assert.equal(await outside([glob], "../otherwise/a.txt"), "pending", glob);
    assert.equal(await outside([glob], ".."), "pending", glob);
  }
});

Deno.test("a glob may begin with the name of one of several roots, as answers show it", async () => {
  await using t = await tempTree({
    "a[1]/src/a.ts": "needle\n",
    "a[1]/src/b.ts": "needle\n",
    "a[1]/.env": "needle\n",
    "b/src/a.ts": "needle\n",
    "b/.env": "needle\n",
  });
  const workspace = await Workspace.open([t.path("a[1]"), t.path("b")]);
  const query = { pattern: "needle", outputMode: "file", paths: "relative" } as const;
  const globs = { allow: ["b/.env"], deny: ["a[1]/src/b.ts", "b/src/*.ts"] };
  const { files } = await search({ ...query, ...globs }, { workspace });
  assert.deepEqual(files, ["a[1]/src/a.ts", "b/.env"]);
  const single = await Workspace.open(t.path("b"));
  assert.equal(new Guard({ workspace: single, deny: ["b/src"] }).isBlocked("src"), false);
  const withoutB = new Guard({ workspace, deny: ["b/**"] });
  assert.deepEqual(["b/new.ts", "a[1]/b.ts"].map((name) => withoutB.isBlocked(t.path(name))), [
    true,
    false,
  ]);
});

Deno.test("in a workspace that is the whole file system absolute globs deny and allow, too", async () => {
  await using t = await tempTree({
    "vault/a.txt": "needle\n",
    ".env": "needle\n",
    "b.txt": "needle\n",
  });
  const workspace = await Workspace.open("/");
  const globs = { allow: [t.path(".env")], deny: [t.path("vault"), t.path("b.*")] };
  const guard = new Guard({ workspace, ...globs });
  const blocked = ["vault", "vault/a.txt", ".env", "b.txt"].filter((name) =>
    guard.isBlocked(t.path(name))
  );
  assert.deepEqual(blocked, ["vault", "vault/a.txt", "b.txt"]);
  const query = { pattern: "needle", path: t.root, ...globs } as const;
  const { matches } = await search(query, { workspace }) as ContentResult;
  assert.deepEqual(matches.map(({ file }) => file), [t.path(".env")]);
});

Deno.test("what a file system may drop from a name or see in it hides no sensitive name", async () => {
  await using t = await tempTree();
  const guard = await guardOf(t, { allow: ["**"] });
  for (const path of [".GIT/config", ".Git. /config", "sub/.git:x/config"]) {
    assert.equal(guard.isBlocked(path), true, path);
  }
  const strict = await guardOf(t);
  for (
    const path of [
      ".env.",
      ".env ",
      ".ENV:stream",
      "id_rsa. .",
      "a.PEM:x",
      "x:.pem",
      ".env.x:.example",
      ".aws. /credentials.",
    ]
  ) {
    assert.equal(strict.isBlocked(path), true, path);
  }
  for (const path of [".env.example", ".env.example.", "a.pem.txt", "x:y"]) {
    assert.equal(strict.isBlocked(path), false, path);
  }
});

Deno.test("no glob lets in what the table blocks outside", async () => {
  await using t = await tempTree();
  for (const glob of ["**", ".ssh/**", ".ssh/config", "id_rsa"]) {
    const guard = await guardOf(t, { allow: [t.path(`../outside/${glob}`), glob] });
    for (const name of [".ssh/config", ".ssh/keys/pub", "id_rsa"]) {
      assert.equal(guard.isBlocked(t.path(`../outside/${name}`)), true, `${glob} ${name}`);
    }
  }
});

test.slow("a walk lists what may be named, whatever --allow and --deny say of blocked directories", async (context) => {
  const names = [".ssh", "id_rsa", "config", "x.key", "a", ".env", ".aws", "credentials", ".git"];
  const segment = fc.constantFrom(...names);
  const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  const glob = fc.oneof(
    segment,
    path,
    path.map((path) => `${path}/**`),
    segment.map((name) => `**/${name}`),
    path.map((path) => `/ROOT/${path}/*`),
  );
  let lifted = 0;
  await assertHolds(
    context,
    fc.asyncProperty(
      fc.array(path, { minLength: 6, maxLength: 12 }),
      fc.array(glob, { minLength: 1, maxLength: 2 }),
      fc.option(glob),
      async (paths, globs, denied) => {
        await using tree = await tempTree({});
        for (const path of paths) {
          // What stands there first stays.
          await tree.write({ [path]: "needle\n" }).catch(() => {});
        }
        const rooted = (glob: string) => glob.replace("/ROOT", tree.root);
        const allow = globs.map(rooted);
        const deny = denied === null ? [] : [rooted(denied)];
        const workspace = await Workspace.open(tree.root);
        const guard = new Guard({ workspace, allow, deny });
        const present = paths.filter((path) => {
          try {
            return Deno.lstatSync(tree.path(path)).isFile;
          } catch {
            return false;
          }
        });
        const open = [...new Set(present)].filter((path) => !guard.isBlocked(path)).sort();
        const query = { allow, deny, paths: "relative" } as const;
        const { files } = await listFiles(query, { workspace });
        assert.deepEqual(files, open, `${allow} ${deny}`);
        for (const path of present) {
          const isOpen = open.includes(path);
          assert.equal(await guard.check(path, "read"), isOpen ? "granted" : "denied", path);
          if (isOpen && new Guard({ workspace }).isBlocked(path)) lifted++;
        }
      },
    ),
    { numRuns: 150 },
  );
  assertOften(lifted, 20, "files that are blocked unless allowed");
});

Deno.test("tools and other tools' paths are refused every name of the table and its backups, unless --allow lets it in", async () => {
  const names = ["prod.env", "id_rsa~", "#.netrc#", ".cargo/credentials.toml", "a/.id_rsa.swp"];
  await using t = await tempTree(Object.fromEntries(names.map((name) => [name, "needle\n"])));
  const workspace = await Workspace.open(t.root);
  for (const path of names) {
    for (const [tool, input] of [["grep", { pattern: "needle", path }], ["read_file", { path }]]) {
      const ask = async (allow: string[]) =>
        await ToolRegistry.of({ workspace, allow }, { tools: OWN_TOOL_NAMES })
          .execute(tool as string, input) as Record<string, unknown>;
      assert.equal((await ask([]))["code"], "permission_denied_by_policy", `${tool} ${path}`);
      assert.equal((await ask([path]))["code"], undefined, `${tool} ${path}`);
    }
    const given = { file_path: path };
    await assert.rejects(resolveToolCallPaths(workspace, given), {
      code: "permission_denied_by_policy",
    });
    const resolved = await resolveToolCallPaths(workspace, given, { allow: [path] });
    assert.equal(resolved.file_path, t.path(path));
  }
});

Deno.test("a name of a thousand endings of backups is looked at soon", async () => {
  await using t = await tempTree();
  const guard = await guardOf(t);
  const started = performance.now();
  for (const ending of ["~", ".swp", "#", ".bak"]) {
    for (const start of [".", "#"]) guard.isBlocked(start.repeat(999) + ending.repeat(999));
  }
  assertInTime(performance.now() - started, 1000, "eight names");
});
