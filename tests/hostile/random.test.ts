/**
 * Random and mutated input against the whole: paths, queries, and what files hold, in a hostile world.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import {
  Guard,
  PathgrepError,
  resolveProjectPath,
  resolveTextSearchTarget,
  resolveWorkingDirectory,
  search,
  type SearchQuery,
  Workspace,
} from "../../mod.ts";
import { type Answer, assertErrorShape, assertResultShape } from "../support/acceptance.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";
import { assertHolds, assertOften } from "../support/draw.ts";
import { ANYTHING } from "./attacks.ts";
import { makeWorld, OUTWARD_LINK_NAMES, PLAIN_FILES, SECRET_FILES, SYSTEM_LINKS } from "./world.ts";
import { test } from "../support/needs.ts";

/** Segments of which no path should lead out, mixed with those that try. */
const segment = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("..", ".", "", "src", "deep", "links", "a.txt", "ws") },
  { weight: 2, arbitrary: fc.constantFrom("there", "gone_", "alias", "outer_link", "ws-there") },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...OUTWARD_LINK_NAMES.map((name) => `${name}-there`),
      ...Object.keys(SYSTEM_LINKS),
      ...["plain", "src", "up", "env", "git", "loop", "dangling", "long_in9", "long_out9"],
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...SECRET_FILES.flatMap((file) => file.split("/")),
      ...PLAIN_FILES.flatMap((file) => file.split("/")),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "zq_file.txt",
      "zq_sub",
      "zq_back",
      "proc",
      "self",
      "root",
      "%2e%2e",
      "..\\..",
      "\u202e",
      "\ud800",
      " ",
      "~",
      "*",
      "a:1",
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 4 }) },
);

/** Paths in every guise; `BASE` stands for the world's directory. */
const oddPath = fc.tuple(
  fc.constantFrom("", "", "", "BASE/ws/", "BASE/", "/", "../", "@", "file://BASE/ws/", '"', "\n "),
  fc.array(segment, { maxLength: 7 }).map((segments) => segments.join("/")),
  fc.constantFrom("", "", "", "/", ":3", ":3:1", '"', "\0", "\n", "/.", "\\"),
).map((parts) => parts.join(""));
/** Nearly all of those lead nowhere, so some are of directories that are there. */
const path = fc.oneof(
  { weight: 15, arbitrary: oddPath },
  { weight: 1, arbitrary: fc.constantFrom("src", "src/deep/", "names/..", "BASE/ws/ign") },
);

/** The codes that a path may be answered with. */
const PATH_CODES = [
  "invalid_input",
  "path_outside_workspace",
  "path_not_found",
  "path_unsupported",
  "path_access_denied",
  "INVALID_FILE_PATH",
];

/** Where the system says that a path leads; `undefined` where it says that nothing is there. */
async function realPath(path: string): Promise<string | undefined> {
  try {
    return await Deno.realPath(path);
  } catch {
    return undefined;
  }
}

test.slow("no path, however made, resolves to what is outside or is not canonical", async (t) => {
  await using world = await makeWorld();
  const ws = `${world.base}/ws`;
  const workspace = await Workspace.open(ws);
  const guard = new Guard({ workspace });
  const resolved: Record<string, number> = {};
  await assertHolds(
    t,
    fc.asyncProperty(path, async (template) => {
      const raw = template.replace("BASE", world.base);
      const resolvers: Record<string, () => Promise<string | undefined>> = {
        search: async () => {
          const target = await resolveTextSearchTarget(workspace, raw);
          if (target.kind === "all-workspaces") return undefined;
          const found = target.kind === "file" ? target.filePath : target.searchDir;
          assert.equal(await realPath(found), found, "it is there, and canonical");
          return found;
        },
        directory: async () => {
          const found = (await resolveWorkingDirectory(workspace, raw)).path;
          assert.equal(await realPath(found), found, "it is there, and canonical");
          return found;
        },
        project: async () => {
          const found = await resolveProjectPath(ws, raw);
          assert.equal(await realPath(found) ?? found, found, "it is canonical if it is there");
          return found;
        },
      };
      for (const [name, resolve] of Object.entries(resolvers)) {
        try {
          const found = await resolve();
          if (found === undefined) continue;
          assert.ok(found === ws || found.startsWith(`${ws}/`), `${name} led to ${found}`);
          assert.notEqual(await guard.check(found, "read"), "pending");
          resolved[name] = (resolved[name] ?? 0) + 1;
        } catch (error) {
          if (!(error instanceof PathgrepError)) throw error;
          assert.ok(PATH_CODES.includes(error.code), `${name}: ${error.code} ${error.message}`);
          const told = JSON.stringify(error);
          if (!raw.includes("zq_")) assert.ok(!told.includes("zq_"), told);
        }
      }
    }),
    { numRuns: 300 },
  );
  for (const name of ["search", "directory", "project"]) {
    assertOften(resolved[name] ?? 0, 20, `paths that ${name} resolves`);
  }
});

/** Values that fit hardly any key. */
const oddValue: fc.Arbitrary<unknown> = fc.constantFrom<unknown[]>(
  ...[null, -1, 0.5, NaN, 1e300, "", [], {}, "\ud800", "x".repeat(5000)],
);
/** Now and then a value: all at once, options leave nothing to find. */
function rarely<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, {
    weight: 1,
    arbitrary: value,
  });
}

const glob = fc.array(
  fc.constantFrom(
    "*",
    "**",
    "/",
    "..",
    "a",
    "src",
    ".env",
    "[",
    "[a-z]",
    "{",
    "}",
    ",",
    "!",
    "\\",
    "?",
  ),
  { maxLength: 8 },
).map((parts) => parts.join(""));

const pattern = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...[ANYTHING, ".", "PLAIN", "^", "(P|PL)*", "\\bPLAIN\\b", "(?i)plain", "\ud83d"],
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
  {
    weight: 1,
    arbitrary: fc.array(
      fc.constantFrom(..."PLAIN()[]{}*+?|^$\\.-&", "(?=", "(?<", "{1000}"),
      { maxLength: 10 },
    ).map((parts) => parts.join("")),
  },
);

const fitting = fc.record({
  pattern: pattern,
  path: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom("", "src", "names", ".") },
    { weight: 1, arbitrary: path },
  ),
  include: rarely(fc.oneof(glob, fc.array(glob, { maxLength: 3 }))),
  exclude: rarely(glob),
  outputMode: fc.constantFrom("content", "file", "count"),
  engine: fc.constantFrom("js", "js", "js", "js", "js", "rg", "git", "grep"),
  type: rarely(fc.constantFrom("ts", "txt", "all", "none")),
  caseInsensitive: rarely(fc.boolean()),
  fixedStrings: rarely(fc.boolean()),
  wholeWord: rarely(fc.boolean()),
  invert: rarely(fc.boolean()),
  multiline: rarely(fc.boolean()),
  onlyMatching: rarely(fc.boolean()),
  context: rarely(fc.nat(3)),
  maxCount: rarely(fc.integer({ min: 1, max: 3 })),
  maxResults: rarely(fc.integer({ min: 1, max: 200 })),
  offset: rarely(fc.nat(5)),
  maxLineLength: rarely(fc.nat(20)),
  maxOutputChars: rarely(fc.integer({ min: 1, max: 3000 })),
  maxDepth: rarely(fc.nat(4)),
  sort: rarely(fc.constantFrom("path", "modified", "none")),
  follow: rarely(fc.boolean()),
  hidden: rarely(fc.boolean()),
  ignore: rarely(fc.boolean()),
  paths: rarely(fc.constantFrom("absolute", "relative")),
  allow: rarely(glob),
  deny: rarely(glob),
});

/** A query that fits, but for one value in some. */
const query = fc.tuple(
  fitting,
  rarely(
    fc.tuple(fc.constantFrom("pattern", "path", "include", "context", "offset", "x"), oddValue),
  ),
).map(([fitting, odd]): Record<string, unknown> =>
  odd === undefined ? fitting : { ...fitting, [odd[0]]: odd[1] }
);

test.slow("every query, however made, has an answer in shape and within its limits", async (t) => {
  await using world = await makeWorld();
  const workspace = await Workspace.open(`${world.base}/ws`);
  let found = 0;
  await assertHolds(
    t,
    fc.asyncProperty(query, async (asked) => {
      const given = Object.fromEntries(
        Object.entries(asked).map(([key, value]) => [
          key,
          typeof value === "string" ? value.replace("BASE", world.base) : value,
        ]),
      );
      let answer: Answer;
      try {
        answer = await search(given as unknown as SearchQuery, { workspace }) as unknown as Answer;
        assertResultShape(answer);
        if (answer.count! > 0) found++;
        const budget = given["maxOutputChars"];
        if (typeof budget === "number") assert.ok(JSON.stringify(answer).length <= budget);
      } catch (error) {
        if (!(error instanceof PathgrepError)) throw error;
        answer = error.toJSON() as unknown as Answer;
        assertErrorShape(answer);
        assert.notEqual(answer.code, "search_failed", answer.error);
      }
      const told = JSON.stringify({ ...answer, pattern: "" });
      assert.ok(!told.includes("SECRET") || given["allow"] !== undefined, told);
      if (!JSON.stringify(given).includes("zq_")) assert.ok(!told.includes("zq_"), told);
    }),
    { numRuns: 120 },
  );
  assertOften(found, 10, "queries that find something");
});

Deno.test("values that JSON has no text for are refused like any other", async () => {
  await using tree = await tempTree();
  const workspace = await Workspace.open(tree.root);
  const circle: unknown[] = [];
  circle.push(circle);
  for (const value of [1n, circle, { circle }, () => {}, Symbol("x"), [1n], { toJSON: () => 1n }]) {
    for (const key of ["pattern", "include", "outputMode", "multiline", "maxResults"]) {
      const asked = { pattern: "x", [key]: value } as unknown as SearchQuery;
      await assert.rejects(search(asked, { workspace }), { code: "invalid_input" });
    }
  }
});

Deno.test("half a surrogate pair in a tool's input comes back in valid JSON", async () => {
  await using tree = await tempTree({ "a.txt": utf16("x \ud800 y"), "b.txt": "x \ufffd y" });
  for (const pattern of ["\ud800", "x", "[\udfff", "(?<\ud83d>)"]) {
    const { stdout } = await pathgrep(["call", "grep"], {
      cwd: tree.root,
      stdin: JSON.stringify({ pattern, include: "\ud83d*,*.txt", paths: "relative" }),
    });
    assert.ok(stdout.isWellFormed());
    const told = JSON.parse(stdout);
    assert.equal(told.pattern, pattern);
    if (told.code === undefined) assertResultShape(told);
    else assertErrorShape(told);
  }
});

/** Whatever may not reach a terminal as it is. */
// deno-lint-ignore no-control-regex -- control characters are what it is about
const UNSAFE = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Code units of which texts are made: controls, directions, halves of pairs, and letters. */
const unit = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...'ax \n\t"\\/') },
  fc.constantFrom(
    ..."\x00\x07\x08\x0b\x0c\x0d\x1b\x7f\x80\x85\x9b\x9f\u2028\u2029\ufeff\ufffe\uffff",
  ),
  fc.constantFrom(..."\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"),
  fc.constantFrom("\ud800", "\udbff", "\udc00", "\udfff", "\u{1f600}", "e\u0301"),
);
const text = fc.array(unit, { minLength: 1, maxLength: 30 }).map((units) => units.join(""));

/** UTF-16 with a byte-order mark: the one encoding in which a file can hold half a pair. */
function utf16(text: string): Uint8Array {
  const units = new Uint16Array(text.length + 1);
  units[0] = 0xfeff;
  for (let index = 0; index < text.length; index++) units[index + 1] = text.charCodeAt(index);
  return new Uint8Array(units.buffer);
}

test.slow("JSON is one valid value and text is safe, whatever names and lines hold", async (t) => {
  const name = text.map((name) => name.toWellFormed().replace(/[\0/]/g, "_"))
    .filter((name) => name.trim() === name && !/^[.-]/.test(name));
  await assertHolds(
    t,
    fc.asyncProperty(
      fc.uniqueArray(fc.tuple(name, text, fc.boolean()), {
        minLength: 1,
        maxLength: 20,
        selector: ([name]) => name,
      }),
      fc.constantFrom("x", "[ax]", "\ud800|x", "."),
      async (files, pattern) => {
        await using tree = await tempTree(
          Object.fromEntries(files.map(([name, text, wide]) => [
            `f_${name}`,
            wide ? utf16(text) : text.toWellFormed(),
          ])),
        );
        const workspace = await Workspace.open(tree.root);
        const asked = { pattern, context: 1, paths: "relative" as const };
        const expected = JSON.parse(JSON.stringify(await search(asked, { workspace })));
        const call = async (format: string) =>
          await pathgrep(
            ["-e", pattern.toWellFormed(), "-C1", "--paths=relative", "--format", format],
            { cwd: tree.root, permissions: [`--allow-read=${tree.root}`] },
          );
        const json = await call("json");
        assert.doesNotMatch(json.stdout, UNSAFE);
        assert.ok(json.stdout.isWellFormed());
        const value = JSON.parse(json.stdout);
        if (pattern.isWellFormed()) assert.deepEqual(value, expected);
        const rows = (await call("jsonl")).stdout.trimEnd().split("\n").map((row) =>
          JSON.parse(row)
        );
        assert.deepEqual(
          rows.slice(0, -1).map(({ type: _, ...entry }) => entry),
          value.matches,
        );
        const plain = await call("text");
        assert.doesNotMatch(plain.stdout.replaceAll("\n", ""), UNSAFE);
        assert.doesNotMatch(plain.stderr.replaceAll("\n", ""), UNSAFE);
        const shown = plain.stdout.split("\n").filter((line) => /^f_.*?:\d+:/s.test(line));
        assert.ok(shown.length >= value.count, plain.stdout);
      },
    ),
    { numRuns: 12 },
  );
});
