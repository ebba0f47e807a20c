/**
 * Where two reasons exclude the same entry, one is reported: which one decides what an agent may learn of
 * it. Each pair is tried, in the statistics of an answer and in the lines of `PATHGREP_DEBUG`.
 *
 * @module
 */

import assert from "node:assert/strict";
import { pathgrep } from "../support/run.ts";
import { sh } from "../support/spawn.ts";
import { tempTree, type Tree } from "../support/tree.ts";
import { testNeeding } from "../support/needs.ts";

const RULES = ".gitignore:1: *ignored*";

/** A reason to leave an entry out. */
interface Reason {
  /** What the entry's name holds for it, as `printf` takes it. */
  name?: string;
  /** What the entry has to be. @default either of the first two */
  kind?: "file" | "directory" | "pipe" | "link" | "worktree";
  /** The count of the statistics. @default none */
  counts?: string;
  /** What the debug line says; nothing of what is kept from agents, only that it is. */
  says?: string;
}

const REASONS = {
  hidden: { name: ".", counts: "hidden", says: "hidden" },
  denied: { name: "denied", counts: "blocked" },
  excluded: { name: "excluded", counts: "blocked" },
  link: { kind: "link", counts: "symlinks", says: "a symbolic link" },
  pipe: { kind: "pipe", counts: "special", says: "neither a file nor a directory" },
  ignored: { name: "ignored", counts: "ignored", says: RULES },
  deep: { kind: "directory", says: "deeper than --max-depth" },
  filtered: { name: "filtered", counts: "filtered", says: "--exclude: *filtered*" },
  undecodable: { name: "\\377", counts: "unreadable" },
  worktree: { kind: "worktree", counts: "worktrees", says: "a git worktree" },
} satisfies Record<string, Reason>;

type Name = keyof typeof REASONS;

/**
 * Which of two reasons is counted. `?`: what the name says is kept from agents, though another reason is
 * counted.
 */
const WINS = `
  hidden denied: hidden ?
  hidden excluded: hidden ?
  hidden link: hidden
  hidden pipe: hidden
  hidden ignored: hidden
  hidden deep: hidden
  hidden filtered: hidden
  hidden undecodable: hidden
  hidden worktree: hidden
  denied excluded: denied
  denied link: denied
  denied pipe: denied
  denied ignored: denied
  denied deep: denied
  denied filtered: denied
  denied undecodable: denied
  denied worktree: denied
  excluded link: excluded
  excluded pipe: pipe ?
  excluded ignored: excluded
  excluded deep: excluded
  excluded filtered: excluded
  excluded undecodable: excluded
  excluded worktree: excluded
  link ignored: link
  link filtered: link
  link undecodable: link
  pipe ignored: pipe
  pipe filtered: pipe
  pipe undecodable: pipe
  ignored deep: ignored
  ignored filtered: ignored
  ignored undecodable: ignored
  ignored worktree: ignored
  deep filtered: deep
  deep undecodable: deep
  deep worktree: deep
  filtered undecodable: filtered
  filtered worktree: filtered
  undecodable worktree: undecodable
`.trim().split("\n").map((line) => {
  const [, first, second, winner, mark] = /(\w+) (\w+): (\w+)( \?)?/.exec(line)!;
  return { pair: [first, second] as [Name, Name], winner: winner as Name, isKept: mark === " ?" };
});

const OPTIONS = ["--no-hidden", "--deny", "*denied*", "--exclude", "*filtered*"];

/** What makes the entry of a pair, in the shell. */
function made(directory: string, pair: readonly Reason[]): string {
  const kind = pair.find((reason) => reason.kind !== undefined)?.kind ?? "file";
  const name = pair.map((reason) => reason.name ?? "").join("") + "entry";
  const path = `"${directory}/$(printf '${name}')"`;
  const worktree = "gitdir: ../../.git/worktrees/one";
  return {
    file: `echo needle > ${path}`,
    directory: `mkdir ${path}; echo needle > ${path}/a`,
    pipe: `mkfifo ${path}`,
    link: `ln -s nowhere ${path}`,
    worktree: `mkdir ${path}; echo '${worktree}' > ${path}/.git`,
  }[kind];
}

Deno.test("every pair of reasons that one entry can have is tried", () => {
  const kindOf = (reason: Reason) => reason.kind === "worktree" ? "directory" : reason.kind;
  const names = Object.keys(REASONS) as Name[];
  const pairs = names.flatMap((first, index) =>
    names.slice(index + 1).filter((second) => {
      const kinds = [first, second].map((name) => kindOf(REASONS[name]) ?? "any");
      return kinds.includes("any") || kinds[0] === kinds[1];
    }).map((second) => [first, second])
  );
  assert.deepEqual(WINS.map(({ pair }) => pair), pairs);
});

/** A tree with a directory for each of several pairs, called by its number. */
async function treeOf(pairs: typeof WINS): Promise<Tree> {
  const tree = await tempTree({
    ".gitignore": "*ignored*\n",
    ".aiignore": "*excluded*\n",
    ".git/worktrees/one/HEAD": "",
  });
  const commands = pairs.map(({ pair }, index) =>
    `mkdir ${index}; ${made(`${index}`, pair.map((name) => REASONS[name]))}`
  );
  await sh(commands.join("\n"), tree.root);
  return tree;
}

const testOnLinux = testNeeding("linux");

testOnLinux.slow("of two reasons to leave an entry out, one is counted", async () => {
  await using tree = await treeOf(WINS);
  for (const [index, { pair, winner }] of WINS.entries()) {
    const depth = pair.includes("deep") ? ["--max-depth", "1"] : [];
    const args = ["files", `${index}`, "--stats", ...OPTIONS, ...depth];
    const { skipped } = (await pathgrep(args, { cwd: tree.root })).json().stats;
    // What was not asked for anyway is not counted as kept from the caller.
    const isUnasked = pair.includes("filtered") &&
      ["denied", "excluded", "ignored"].includes(winner);
    const { counts }: Reason = REASONS[isUnasked ? "filtered" : winner];
    assert.deepEqual(skipped, counts === undefined ? {} : { [counts]: 1 }, `${pair}`);
  }
});

testOnLinux.slow("what the debug lines say of it is that, or less", async () => {
  for (const isDeep of [false, true]) {
    const pairs = WINS.filter(({ pair }) => pair.includes("deep") === isDeep);
    await using tree = await treeOf(pairs);
    const depth = isDeep ? ["--max-depth", "2"] : [];
    const env = { PATHGREP_DEBUG: "1" };
    const { stderr } = await pathgrep(["files", ...OPTIONS, ...depth], { cwd: tree.root, env });
    for (const [index, { pair, winner, isKept }] of pairs.entries()) {
      const { says }: Reason = REASONS[winner];
      const expected = says === undefined && winner !== "undecodable" || isKept
        ? `/${index}: 1 entry blocked`
        : pair.includes("undecodable")
        ? `/${index}: 1 entry whose name is not UTF-8`
        : `entry: ${says}`;
      const own = stderr.split("\n").filter((line) => new RegExp(`/${index}[/:]`).test(line));
      assert.equal(own.length, 1, `${pair}`);
      assert.ok(own[0]!.endsWith(expected), `${pair}: ${own[0]}`);
    }
  }
});
