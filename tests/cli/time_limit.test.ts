/** The time limit holds in every mode, whatever the pattern, the text and the ignore files are. */
import assert from "node:assert/strict";
import { pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";
import { assertInTime, assertSoon, inThreeTries } from "../support/soon.ts";
import { test } from "../support/needs.ts";

const SHORT_MS = 500;
/** In which a search is to come to its end, but not what follows it. */
const LIMIT_MS = 1500;
/** A process takes time to start, and a machine that does much else is slow. */
const SOON_MS = 4000;
/** Some two hundred steps at each place, and no match. */
const MANY_TRIES = `a${"[ab]?".repeat(14)}[cd]`;

/** Runs a command that nobody waits for to its end, and answers its error's code, if it has one. */
async function timed(
  args: readonly string[],
  options: { cwd: string; stdin?: string },
): Promise<string | undefined> {
  const started = performance.now();
  const { stdout } = await pathgrep([...args, "--timeout", `${SHORT_MS}`], options);
  const took = performance.now() - started;
  assertInTime(took, SHORT_MS + SOON_MS, args.join(" "));
  return JSON.parse(stdout).code;
}

test.slow(
  "the time limit holds in every mode of a search in a large file",
  inThreeTries(async () => {
    const text = "ab".repeat(20_000_000);
    await using tree = await tempTree({
      "large.txt": text,
      "lines.txt": "ab".repeat(4).concat("\n").repeat(5_000_000),
    });
    const modes: [options: string[], path: string][] = [
      [[], "large.txt"],
      [["-U"], "large.txt"],
      [["-U", "-o"], "lines.txt"],
      [["-c"], "lines.txt"],
      [["-v", "-c"], "lines.txt"],
      [["-w"], "lines.txt"],
      [["-U", "-v", "-c"], "lines.txt"],
      [["--max-file-size", "0"], "."],
    ];
    for (const [options, path] of modes) {
      const code = await timed(["-e", MANY_TRIES, ...options, path], { cwd: tree.root });
      assert.ok(code === undefined || code === "search_timed_out", code);
    }
    const code = await timed(["-e", MANY_TRIES, "-"], { cwd: tree.root, stdin: text });
    assert.ok(code === undefined || code === "search_timed_out", code);
  }),
);

test.slow(
  "the time limit holds where ignore files take long to read",
  inThreeTries(async () => {
    let rules = "";
    for (let index = 0; rules.length < 130_000; index++) {
      rules += `*${String.fromCharCode(97 + index % 26)}*${index}*x\n`;
    }
    const directories = Array.from({ length: 100 }, (_, index): [string, string][] => [
      [`${index}/.gitignore`, rules],
      [`${index}/a.txt`, "text\n"],
    ]);
    await using tree = await tempTree(Object.fromEntries(directories.flat()));
    for (const command of [["files"], ["text", "-l"]]) {
      assert.equal(await timed(command, { cwd: tree.root }), "search_timed_out");
    }
  }),
);

test.slow(
  "the time limit holds where each shown line is searched again, and what is not shown is told",
  inThreeTries(async () => {
    const slow = `x ${"a".repeat(2000)}\n`;
    await using tree = await tempTree({ "a.txt": `x b\n${slow.repeat(900)}`, "b.txt": "x x\n" });
    for (const options of [["--color", "always"], ["--vimgrep"]]) {
      const args = ["--format", "text", "-e", "^x|(a+)+\\1b", "--timeout", `${LIMIT_MS}`];
      const started = performance.now();
      const { code, stdout, stderr } = await pathgrep([...args, ...options, "a.txt"], {
        cwd: tree.root,
      });
      assertInTime(performance.now() - started, LIMIT_MS + SOON_MS, options.join(" "));
      assert.equal(code, 0);
      assert.equal(stdout.split("\n").length, 902);
      assert.equal(
        stderr.includes("only the first match of 900 lines is shown"),
        options[0] === "--vimgrep",
        stderr,
      );
    }
    const { stdout, stderr } = await pathgrep(["--vimgrep", "-e", "x|(a+)+\\1c", "b.txt"], {
      cwd: tree.root,
    });
    assert.deepEqual([stdout, stderr], ["b.txt:1:1:x x\nb.txt:1:3:x x\n", ""]);
  }),
);

test.slow(
  "the time limit holds where texts are looked for that stand nowhere, or nearly everywhere",
  inThreeTries(async () => {
    await using tree = await tempTree({
      "lines.txt": "ZZ\n".repeat(340_000),
      "letters.txt": "Z".repeat(1_040_000),
    });
    const ends = ["e", "t", "r", "n", "o", "a"];
    const long = ends.flatMap((one) => ends.map((two) => `${"Z".repeat(250)}${one}${two}`));
    const searches = [["(?:aZZ|ZZ)\\w* ee"], ["(?:QQ|WW|ZZ)\\w* ee"], long.slice(0, 32)];
    for (const patterns of searches) {
      for (const path of ["lines.txt", "letters.txt"]) {
        const code = await timed(["-c", ...patterns.flatMap((one) => ["-e", one]), path], {
          cwd: tree.root,
        });
        assert.ok(code === undefined || code === "search_timed_out", code);
      }
    }
  }),
);

test.slow("with -q a search ends at its first match", async () => {
  await using tree = await tempTree({ "a.txt": "needle\n", "z.txt": "a".repeat(60) + "!c\n" });
  const pattern = "(a+)+\\1c";
  const quiet = (...args: string[]) =>
    pathgrep(["-q", "--timeout", "700", ...args], { cwd: tree.root });
  for (const args of [[], ["--sort", "path"], ["--max-output-chars", "1"], ["--engine", "rg"]]) {
    // Without a time limit, the other file would take the ten seconds that any piece of text may take.
    const started = performance.now();
    const found = await quiet(`${pattern}|needle`, "--timeout", "0", ...args, "a.txt", "z.txt");
    assert.deepEqual([found.code, found.stdout, found.stderr], [0, "", ""]);
    assertSoon(started);
  }
  const { code, stdout } = await quiet(`${pattern}|nowhere`);
  assert.equal(code, 2);
  assert.equal(JSON.parse(stdout).code, "search_timed_out");
});
