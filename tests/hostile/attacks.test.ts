/**
 * The catalogue of attacks under every set of permissions, and on every engine that the set allows:
 * nothing from outside comes back, nothing tells what exists there, and what was asked for is found.
 *
 * @module
 */

import assert from "node:assert/strict";
import { isWithin } from "../../src/util/path.ts";
import { answer, denoDir } from "../support/acceptance.ts";
import { CHECKOUT, ON_NODE } from "../support/run.ts";
import { rgPath } from "../support/oracles.ts";
import type { AttackReport } from "./attack_driver.ts";
import { ANYTHING, attacks, environments } from "./attacks.ts";
import { makeWorld, TWINS, type World } from "./world.ts";
import { test } from "../support/needs.ts";

/** Fewer attacks than this are no proof. */
const ATTACKS = 440;

const ENGINES = ["js", "rg", "git", "grep"];

/** An answer as far as the oracle looks into it. */
interface SomeAnswer {
  code?: string;
  matches?: { file: string; line: string }[];
  /** Of `read_file`. */
  file?: string;
  /** Of `read_file` of a directory. */
  files?: string[];
  directories?: string[];
  lines?: string[];
  base_path?: string;
  stats?: { engine: string };
  thrown?: string;
}

/** Runs the whole catalogue in one process. */
async function carryOut(
  world: World,
  permissions: readonly string[],
  engines: readonly string[],
  env: Record<string, string> = {},
): Promise<AttackReport[]> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-prompt", ...permissions],
      ...[`${CHECKOUT}tests/hostile/attack_driver.ts`, world.base, ...engines],
    ],
    cwd: `${world.base}/there`,
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
  }).output();
  assert.equal(new TextDecoder().decode(stderr), "");
  assert.equal(code, 0);
  return new TextDecoder().decode(stdout).trimEnd().split("\n").map((row) => JSON.parse(row));
}

/** What an answer comes down to: an error's code, or the files found below `ws`. */
function upshot(answer: SomeAnswer, base: string): string | string[] {
  if (answer.code !== undefined) return answer.code;
  const files = (answer.matches ?? []).map(({ file, line }) => {
    assert.equal(line, "PLAIN");
    return file.replace(`${base}/ws/`, "");
  });
  return files.sort();
}

/** Holds every report of one process against the table. */
function judge(reports: readonly AttackReport[], base: string, isConfined: boolean): void {
  const tables = new Map(
    TWINS.map((twin) => [twin, new Map(attacks(base, twin).map((row) => [row.name, row]))]),
  );
  const byTwin = new Map<string, string>();
  const tried = new Set<string>();
  const successes: string[] = [];
  for (const { attack, twin, by, answer } of reports) {
    const row = tables.get(twin)!.get(attack)!;
    const text = JSON.stringify(answer);
    const told = answer as SomeAnswer | string | boolean;
    const demand = (isMet: boolean, what: string) => {
      if (!isMet) successes.push(`${attack} by ${by} with ${twin} ${what}: ${text.slice(0, 300)}`);
    };
    tried.add(attack);
    demand((told as SomeAnswer)?.thrown === undefined, "threw what is no answer");
    demand(!text.includes("SECRET"), "gave what is secret");
    demand(!text.includes("zq_") || JSON.stringify(row.query).includes("zq_"), "told a name");
    if (ENGINES.includes(by) || by === "Workspace.open") {
      // Deno finds a ripgrep in npm's packages where there is none in PATH.
      const isMissing = ON_NODE && by === "rg" && row.env?.["PATH"] !== undefined;
      const expected = isMissing
        ? "engine_unavailable"
        : isConfined
        ? row.expectConfined ?? row.expect
        : row.expect;
      const sorted = typeof expected === "string" ? expected : [...expected].sort();
      const got = upshot(told as SomeAnswer, base);
      demand(String(got) === String(sorted), `was to be ${String(sorted).slice(0, 100)}`);
    }
    if (by === "read_file") {
      const expected = isConfined ? row.expectConfined ?? row.expect : row.expect;
      const { file, files, lines, code, base_path = "" } = told as SomeAnswer;
      const isMet = typeof expected === "string"
        ? code === expected
        : lines === undefined
        ? attack.startsWith("glob") // which it does not take
          ? ["path_not_found", "path_outside_workspace"].includes(code!)
          : files !== undefined && // the listing of a directory
            [...expected.map((name) => `${base}/ws/${name}`), ...files]
              .every((path) => isWithin(base_path, path))
        : String(lines) === "PLAIN" && expected.includes(file!.replace(`${base}/ws/`, ""));
      demand(isMet, `was to be ${String(expected).slice(0, 100)}`);
    }
    for (const path of pathsIn(told)) demand(isWithin(`${base}/ws`, path), `led to ${path}`);
    // Whether the outside directory exists changes nothing but its name.
    const key = `${attack.replaceAll(TWINS[1], TWINS[0])} ${by}`;
    const same = text.replaceAll(TWINS[1], TWINS[0]).replace(/"(?:threads|elapsed_ms)":\d+/g, "");
    demand((byTwin.get(key) ?? same) === same, "tells what exists");
    byTwin.set(key, same);
  }
  assert.equal(successes.join("\n"), "");
  const rows = attacks(base, TWINS[0]);
  assert.ok(rows.length >= ATTACKS);
  for (const { name } of rows) assert.ok(tried.has(name), `${name} was not tried`);
}

/** The paths that a function resolved to. */
function pathsIn(answer: SomeAnswer | string | boolean): string[] {
  if (typeof answer === "string") return [answer];
  if (typeof answer !== "object") return [];
  const { path, searchDir, filePath, file_path, base_path, roots, file, files, directories } =
    answer as
      & Record<
        string,
        string | string[] | undefined
      >
      & SomeAnswer;
  if ("code" in answer) return [];
  return [path, searchDir, filePath, file_path, base_path, roots, file, files, directories].flat()
    .filter((path) => path !== undefined);
}

/** All hostile environments at once, for processes that may not look at theirs. */
async function hostileEnvironment(base: string): Promise<Record<string, string>> {
  // Deno's own cache lies in a home that this takes away.
  const own = { DENO_DIR: await denoDir() };
  return Object.assign(own, ...environments(base).map(([, env]) => env));
}

function assertUnmarked(world: World): void {
  for (const place of ["", "/ws", "/there"]) {
    assert.throws(() => Deno.lstatSync(`${world.base}${place}/mark`), "something was run");
  }
}

test.slow("every attack fails where nothing but the workspace may be read", async () => {
  await using world = await makeWorld();
  const permissions = [`--allow-read=${world.base}/ws`];
  const reports = await carryOut(world, permissions, ["js"], await hostileEnvironment(world.base));
  judge(reports, world.base, true);
  assertUnmarked(world);
});

test.slow("every attack fails where everything may be read", async () => {
  await using world = await makeWorld();
  const env = await hostileEnvironment(world.base);
  judge(await carryOut(world, ["--allow-read"], ["js"], env), world.base, false);
  assertUnmarked(world);
});

test.slow("every attack fails on every engine where everything is permitted", async () => {
  await using world = await makeWorld();
  const rg = await rgPath();
  const PATH = `${rg.slice(0, Math.max(0, rg.lastIndexOf("/")))}:${Deno.env.get("PATH")}`;
  const reports = await carryOut(world, ["-A"], ENGINES, { PATH });
  judge(reports, world.base, false);
  assertUnmarked(world);
  for (const engine of ENGINES) {
    const answered = reports.filter(({ answer }) =>
      (answer as SomeAnswer)?.stats?.engine === engine
    );
    assert.ok(answered.length > 50, `${engine} answered ${answered.length} times itself`);
  }
});

test.slow("every attack fails on the engines that may run beside a readable workspace", async () => {
  await using world = await makeWorld();
  const permissions = [`--allow-read=${world.base}/ws`, "--allow-run=git,grep"];
  judge(await carryOut(world, permissions, ["git", "grep"]), world.base, true);
  assertUnmarked(world);
});

test.slow("attacks fail at the command line as they do in the library", async () => {
  await using world = await makeWorld();
  const ws = `${world.base}/ws`;
  // An argument is bytes that end at a NUL: it holds neither one nor half a surrogate pair.
  const table = attacks(world.base, "there").filter(({ query, roots, expect }) =>
    Object.keys(query).join() === "path" && typeof query.path === "string" &&
    !query.path.includes("\0") && query.path.isWellFormed() && roots === undefined &&
    typeof expect === "string"
  );
  const env = await hostileEnvironment(world.base);
  const sample = table.filter((_, index) => index % 8 === 0);
  for (const { query, expect, expectConfined } of sample) {
    for (
      const [permission, code] of [[`--allow-read=${ws}`, expectConfined ?? expect], ["-A", expect]]
    ) {
      const args = ["--workspace", ws, "--", ANYTHING, query.path as string];
      const told = await answer(args, {
        cwd: ws,
        permissions: [permission as string],
        env,
      });
      assert.equal(told.code, code, JSON.stringify(told));
    }
  }
  assertUnmarked(world);
});
