/**
 * The start: what the shortest commands take beyond an empty script, from the sources and from the bundle
 * of the npm package, in turn.
 *
 * @module
 */

import { buildProgram } from "../../npm/bundle.ts";
import { CLI, type CommandLine, median, withServer } from "./measure.ts";

const RUNS = 35;
/** The shell's own clock, which has milliseconds also for processor time: wall, user, system. */
const TIMED = 'TIMEFORMAT="%3R %3U %3S"; time "$@" > /dev/null';

/** Milliseconds. */
interface Times {
  wall: number;
  processor: number;
}

/** The times of one program from start to end. */
export async function timesOf(line: CommandLine): Promise<Times> {
  const { stderr } = await new Deno.Command("bash", {
    args: ["-c", TIMED, "bash", ...line],
    env: { LC_ALL: "C" },
  }).output();
  const last = new TextDecoder().decode(stderr).trim().split("\n").at(-1)!;
  const [wall = NaN, user = NaN, system = NaN] = last.split(" ").map((text) => Number(text) * 1000);
  return { wall, processor: user + system };
}

/** The table of the start: wall time and processor time beyond those of an empty script. */
export async function theStart(): Promise<string> {
  const directory = await Deno.makeTempDir();
  try {
    await buildProgram(`${directory}/program`);
    await Deno.mkdir(`${directory}/tree`);
    await Deno.writeTextFile(`${directory}/tree/a.txt`, "needle\n");
    await Deno.writeTextFile(`${directory}/empty.js`, "");
    const tree = { name: "start", path: `${directory}/tree`, files: 1, bytes: 7 };
    return await withServer(tree, () => tableOf(directory, tree.path));
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

async function tableOf(directory: string, tree: string): Promise<string> {
  const deno = (...words: string[]) =>
    [Deno.execPath(), "run", "--no-config", "-A", ...words] as const;
  const empty = deno(`${directory}/empty.js`);
  const search = ["needle", "a.txt", "--workspace", tree];
  const commands: readonly (readonly [name: string, args: readonly string[]])[] = [
    ["`pathgrep --version`", ["--version"]],
    ["a search of one file", [...search, "--resident=never"]],
    ["the same, answered by `serve`", search],
  ];
  const programs = [CLI, `${directory}/program/cli.js`];
  const lines = commands.map(([, args]) => programs.map((program) => deno(program, ...args)));
  const nothing: Times[] = [];
  const found = lines.map((each) => each.map((): Times[] => []));
  for (let run = 0; run <= RUNS; run++) {
    const times = [await timesOf(empty)];
    for (const line of lines.flat()) times.push(await timesOf(line));
    if (run === 0) continue; // the first run compiles
    nothing.push(times.shift()!);
    for (const list of found.flat()) list.push(times.shift()!);
  }
  const beyond = (times: readonly Times[], key: keyof Times) =>
    median(times.map((each) => each[key])) - median(nothing.map((each) => each[key]));
  const cells = (times: readonly Times[]) =>
    (["wall", "processor"] as const).map((key) => beyond(times, key).toFixed(0)).join(" | ");
  return [
    "| ms beyond an empty script | sources | their processor time | bundle | its processor time |",
    "| --- | ---: | ---: | ---: | ---: |",
    ...commands.map(([name], index) => `| ${name} | ${found[index]!.map(cells).join(" | ")} |`),
  ].join("\n");
}
