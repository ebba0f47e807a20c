/**
 * What git says of the cases in `testdata/ignore/rules.jsonl`. Run as a program, this records it there:
 * `deno run -A tests/walk/git_rules.ts`.
 *
 * @module
 */

import assert from "node:assert/strict";
import { spawn } from "../support/spawn.ts";
import { tempTree, type TreeEntry } from "../support/tree.ts";
import { rowsOf, writeRows } from "../support/testdata.ts";

/** Which paths a `.gitignore` above them ignores; one that ends with a slash is a directory. */
export interface RulesCase {
  about: string;
  rules: string;
  ignored: string[];
  kept: string[];
}

export const RULES = "ignore/rules.jsonl";
const ENV = { GIT_CONFIG_NOSYSTEM: "1", HOME: "/nonexistent", LC_ALL: "C.UTF-8" };

/** The cases with their paths sorted into ignored and kept by git. */
export async function asGitSays(cases: readonly RulesCase[]): Promise<RulesCase[]> {
  const entries: Record<string, TreeEntry> = {};
  const placed = cases.map(({ about, rules, ignored, kept }, at) => {
    const places: string[][] = [];
    const paths = [...ignored, ...kept].map((path) => {
      // What is a file in one directory may be a directory in another.
      let place = places.findIndex((others) => others.every((other) => canBeBeside(path, other)));
      if (place < 0) place = places.push([]) - 1;
      places[place]!.push(path);
      entries[`${at}/${place}/.gitignore`] = rules;
      const name = `${at}/${place}/${path}`;
      if (canBe(path)) entries[name] = path.endsWith("/") ? null : "";
      return { path, name: name.replace(/\/$/, "") };
    });
    return { about, rules, paths };
  });
  await using tree = await tempTree(entries);
  const git = async (args: string[], stdin = "") => {
    const ran = await spawn("git", ["-c", "core.excludesFile=", ...args], {
      ...{ cwd: tree.root, env: ENV, stdin },
    });
    assert.ok(ran.code <= 1, ran.stderr);
    return ran.stdout;
  };
  await git(["init", "-q"]);
  const names = placed.flatMap(({ paths }) => paths).filter(({ path }) => canBe(path))
    .map(({ name }) => name);
  const answer = await git(["check-ignore", "--no-index", "-z", "--stdin"], names.join("\0"));
  const isIgnored = new Set(answer.split("\0"));
  return placed.map(({ about, rules, paths }) => ({
    ...{ about, rules },
    ignored: paths.filter(({ name }) => isIgnored.has(name)).map(({ path }) => path),
    kept: paths.filter(({ name }) => !isIgnored.has(name)).map(({ path }) => path),
  }));
}

/** Whether there can be such a path; none has a NUL in it. */
function canBe(path: string): boolean {
  return !path.includes("\0");
}

/** Whether neither of two paths is the other, or leads through it. */
function canBeBeside(path: string, other: string): boolean {
  const [one, two] = [path, other].map((path) => path.replace(/\/?$/, "/"));
  return !one!.startsWith(two!) && !two!.startsWith(one!);
}

if (import.meta.main) writeRows(RULES, await asGitSays(rowsOf<RulesCase>(RULES)));
