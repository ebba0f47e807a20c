/**
 * The model of each program holds: where `why` reads a command line, the files that it takes the program
 * to find something in are those that the program itself names.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { PathgrepError, Workspace } from "../../mod.ts";
import { type ForeignSearch, readCommandLine } from "../../src/shell_commands/command_line.ts";
import { missedBy } from "../../src/shell_commands/missed.ts";
import { assertHolds, assertOften } from "../support/draw.ts";
import { rgPath } from "../support/oracles.ts";
import { sh, spawn } from "../support/spawn.ts";
import { tempTree, type Tree, type TreeEntry } from "../support/tree.ts";
import { test, testNeeding } from "../support/needs.ts";

const LINES = [
  "needle",
  "Needle in hay",
  "NEEDLE_CASE",
  "foo|bar",
  "foo(1)",
  "foobar foo",
  "a+b a{2} aa",
  "x.y [z] 42",
  "tab\tend$",
  "caf\u00e9 \u00c9t\u00e9",
  "\u00e9foo foo\u00e9 \u00a0oo",
  "",
];
const PATHS = [
  "a.ts",
  "b.js",
  "src/c.ts",
  "src/deep/d.test.ts",
  "src/.hidden.ts",
  ".config/e.yml",
  "dist/f.js",
  "src/out.log",
  "tracked.log",
  "notes.md",
  "bin.dat",
];
const PATTERNS = [
  ...["needle", "Needle", "NEEDLE", "foo|bar", "foo\\|bar", "foo(1)", "foo\\(1\\)", "fo+", "fo\\+"],
  ...[
    "^foo",
    "foo$",
    "a+b",
    "a\\+b",
    "a{2}",
    "a\\{2\\}",
    "[a-f]oo",
    "[[:digit:]]+",
    "[^a-z ]",
    ".",
  ],
  ...[
    "\\bfoo\\b",
    "\\d",
    "\\d+",
    "\\w+\\.\\w",
    "x.y",
    "x\\.y",
    "[z]",
    "\\[z\\]",
    "caf\u00e9",
    "caf.",
  ],
  ...["\u00e9t\u00e9", "needle|zip", "(needle|zip)", "\\(needle\\|zip\\)", "end$", "end\\$", "*oo"],
  ...[
    "(?i)needle",
    "(?:foo){1,2}",
    "[]z]",
    "a||b",
    "foo\\>",
    "\\<foo",
    "o\\?b",
    "(o)\\1",
    "\\(o\\)\\1",
  ],
  ...["\\bfoo", "\\Boo", "foo\\B", "\\Woo", "\\soo", "[[:space:]]oo", "(?P<N>oo)", "\\Bar"],
  ...["\\s", "\\S+", "[\\w]", "[\\d.]", "zzz", "^", "\\t", "\\.", "[.]", "a.*b", "^$"],
];

const tree = fc.record({
  files: fc.dictionary(
    fc.constantFrom(...PATHS),
    fc.array(fc.constantFrom(...LINES), { maxLength: 3 }),
    { minKeys: 4, noNullPrototype: true },
  ),
  ignored: fc.subarray(["dist/", "*.log", "/notes.md", "src/deep", "!.config", "!.hidden.ts"]),
  ignoredBelow: fc.subarray(["*.log", "deep/", "!out.log", "c.ts"]),
  ignoredElsewhere: fc.subarray(["*.js", "notes.md", "!out.log", "!dist"]),
  added: fc.subarray(PATHS),
  isRepository: fc.boolean(),
  /** How files begin and how their lines end. */
  forms: fc.dictionary(
    fc.constantFrom(...PATHS),
    fc.constantFrom("crlf", "marked", "utf-16"),
    { maxKeys: 3, noNullPrototype: true },
  ),
});

function flags(...choices: string[][]) {
  return fc.array(fc.constantFrom(...choices), { maxLength: 3 }).map((each) => each.flat());
}

const RG = flags(
  ...[["-i"], ["-S"], ["-w"], ["-x"], ["-v"], ["-F"], ["-P"], ["--hidden"], ["-."], ["-u"], [
    "-uu",
  ]],
  ...[["-uuu"], ["--no-ignore"], ["-g", "*.ts"], ["-g", "!*.js"], ["--glob=*.{ts,js}"], ["-tts"]],
  ...[["-T", "js"], ["-g", "*.log"], ["-g", ".hidden.ts"], ["-g", "src"], ["-g", "**/deep/**"], [
    "-a",
  ]],
  ...[["-g", "[ab].[tj]s"], ["-g", "src/"], ["-g", "src/[a-c].ts"], ["-g", "!dist/"], [
    "-g",
    "*.lo[g]",
  ]],
  ...[["-nC2"], ["--max-depth=1"], ["-d", "2"], ["-m1"], ["--max-filesize", "1K"], [
    "-g",
    "src/**",
  ]],
);
const GREP = flags(
  ...[["-i"], ["-w"], ["-x"], ["-v"], ["-E"], ["-F"], ["-P"], ["-I"], ["-a"], ["-nC2"], ["-m1"]],
  ...[["--include=*.[tj]s"], ["--exclude-dir=d*"], ["--exclude-dir=[s]rc"], ["--exclude-dir=zzz"]],
  ...[["--include=*.ts"], ["--include", "*.js"], ["--exclude=*.log"], ["--exclude-dir=dist"]],
  ...[["--exclude-dir", "src"], ["--ignore-case"], ["--word-regexp"], ["--include=*.{ts,js}"], [
    "-Rn",
  ]],
);
const GIT = flags(
  ...[["-i"], ["-w"], ["-v"], ["-E"], ["-F"], ["-P"], ["-I"], ["-n"], ["--untracked"], ["-p"]],
  ...[["--untracked", "--no-exclude-standard"], ["--ignore-case"], ["--extended-regexp"], ["-C2"]],
);

const UGREP = flags(
  ...[["-i"], ["-w"], ["-x"], ["-v"], ["-F"], ["-G"], ["-I"], ["-."], ["-j"]],
  ...[["--include=*.ts"], ["--exclude=*.log"], ["--exclude-dir=dist"]],
  ...[["--ignore-files"], ["--ignore-files=.ignore"], ["--no-ignore-files"]],
);

const pattern = fc.constantFrom(...PATTERNS);
const patterns = fc.oneof(
  { weight: 4, arbitrary: pattern.filter((one) => !one.startsWith("-")).map((one) => [one]) },
  fc.array(pattern, { minLength: 1, maxLength: 2 }).map((all) => all.flatMap((one) => ["-e", one])),
);
const places = fc.constantFrom([], ["."], ["src"], ["src", "dist"], ["a.ts"], ["src/deep", "a.ts"]);
const words = (...kinds: fc.Arbitrary<readonly (readonly string[])[]>[]) =>
  fc.oneof(...kinds)
    .map((parts) => parts.flat());
const command = words(
  fc.tuple(fc.constant(["rg"]), RG, patterns, places),
  fc.tuple(
    fc.constantFrom(["grep", "-r"], ["egrep", "-r"], ["fgrep", "-r"]),
    GREP,
    patterns,
    places,
  ),
  fc.tuple(fc.constant(["git", "grep"]), GIT, patterns, places),
);
const ugrepCommand = words(fc.tuple(fc.constant(["ugrep", "-r"]), UGREP, patterns, places));

function utf16(text: string): Uint8Array {
  const units = [0xfeff, ...Array.from(text, (char) => char.charCodeAt(0))];
  return new Uint8Array(new Uint16Array(units).buffer);
}

async function made(
  { files, ignored, ignoredBelow, ignoredElsewhere, added, isRepository, forms }: {
    files: Record<string, string[]>;
    ignored: string[];
    ignoredBelow: string[];
    ignoredElsewhere: string[];
    added: string[];
    isRepository: boolean;
    forms: Record<string, string>;
  },
): Promise<Tree> {
  const entries = Object.entries(files).map(([path, lines]): [string, TreeEntry] => {
    if (path === "bin.dat") return [path, `bin\0\n${lines.join("\n")}\n`];
    const text = `${lines.join(forms[path] === "crlf" ? "\r\n" : "\n")}\n`;
    if (forms[path] === "utf-16") return [path, utf16(text)];
    return [path, forms[path] === "marked" ? `\ufeff${text}` : text];
  });
  const t = await tempTree(
    Object.fromEntries([
      ...entries,
      [".gitignore", `${ignored.join("\n")}\n`],
      ["src/.gitignore", `${ignoredBelow.join("\n")}\n`],
      [".ignore", `${ignoredElsewhere.join("\n")}\n`],
    ]),
  );
  if (!isRepository) return t;
  await sh("git init -q && git add .gitignore", t.root);
  const tracked = added.filter((path) => path in files);
  if (tracked.length > 0) await spawn("git", ["add", "-f", "--", ...tracked], { cwd: t.root });
  return t;
}

/** The files that a program names, if it has no complaint. */
async function namedBy([name = "", ...args]: readonly string[], root: string) {
  const program = name === "rg" ? await rgPath() : name;
  const at = name === "git" ? 1 : 0;
  const listing = args.toSpliced(at, 0, "-l");
  const env = { LC_ALL: "C.UTF-8", GIT_CONFIG_GLOBAL: "/dev/null", RIPGREP_CONFIG_PATH: "" };
  const { code, stdout } = await spawn(program, listing, { cwd: root, env, limit: 20_000 });
  if (code > 1) return undefined;
  const paths = stdout.split("\n").filter(Boolean).map((path) => path.replace(/^\.\//, ""));
  // What is in `.git` never counts here.
  return [...new Set(paths)].filter((path) => !path.startsWith(".git/")).sort();
}

/** Patterns that may match a NUL byte, which programs see each in its own way. */
const MAY_MATCH_NUL = [
  "-v",
  ".",
  "[^a-z ]",
  "\\S+",
  "^",
  "^$",
  "a||b",
  "a.*b",
  "caf.",
  "\\Woo",
  "\\Boo",
];

function read(words: readonly string[]): ForeignSearch | undefined {
  try {
    return readCommandLine(words);
  } catch (error) {
    assert.ok(error instanceof PathgrepError && /^invalid_/.test(error.code), String(error));
    return undefined;
  }
}

/** Draws commands, and compares what they find with what is said that they find. */
async function assertModelled(
  t: Deno.TestContext,
  command: fc.Arbitrary<string[]>,
  numRuns: number,
): Promise<void> {
  let compared = 0;
  await assertHolds(
    t,
    fc.asyncProperty(
      tree,
      fc.array(command, { minLength: 12, maxLength: 12 }),
      async (shape, commands) => {
        await using t = await made(shape);
        const workspace = await Workspace.open(t.root);
        for (const words of commands) {
          const foreign = read(words);
          // With two directories, ripgrep may lose a rule that has a slash.
          const loses = foreign?.caller === "rg" && foreign.paths.length > 1;
          if (loses && shape.ignored.includes("src/deep")) continue;
          if (foreign?.caller === "git grep" && !shape.isRepository) continue;
          // What stands for \d in POSIX's syntax is a D only to GNU grep.
          if (foreign?.query.caseInsensitive && words.some((word) => word.includes("\\d"))) {
            continue;
          }
          const expected = foreign && await namedBy(words, t.root);
          if (foreign === undefined || expected === undefined) continue;
          let shown: Set<string>;
          try {
            ({ shown } = await missedBy(foreign, { workspace, directory: t.root }));
          } catch (error) {
            assert.ok(error instanceof PathgrepError, String(error));
            continue;
          }
          if (foreign.paths.some((path) => !(path in shape.files) && path.includes(".t"))) continue;
          const found = [...shown].map((path) => path.slice(t.root.length + 1)).sort();
          compared++;
          const isOfUgrep = foreign.caller === "ugrep" && shape.ignored.includes("src/deep");
          const isOdd = (path: string) =>
            path === "bin.dat" && words.some((word) => MAY_MATCH_NUL.includes(word)) ||
            // What these find there is not known, and so not said.
            !found.includes(path) &&
              (shape.forms[path] !== undefined || isOfUgrep && path.startsWith("src/deep/"));
          const same = (paths: string[]) => paths.filter((path) => !isOdd(path));
          assert.deepEqual(same(found), same(expected), words.join(" "));
        }
      },
    ),
    { numRuns, endOnFailure: true },
  );
  assertOften(compared, 2 * numRuns, "comparisons");
}

test.slow("what it takes a program to find is what the program finds", async (t) => {
  await assertModelled(t, command, 30);
});

testNeeding("ugrep").slow("what it takes ugrep to find is what ugrep finds", async (t) => {
  await assertModelled(t, ugrepCommand, 10);
});
