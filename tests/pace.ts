/**
 * Names the everyday tests that take long: `deno run -A tests/pace.ts LOG` reads what a run of them
 * printed, and runs those that took a second or more twice again, alone. One that took as long each time is
 * made quicker, or marked with `test.slow` of `support/needs.ts`. It fails nothing: a busy machine takes
 * longer, too.
 *
 * @module
 */

import { spawn } from "./support/spawn.ts";

/** Runs beside the one that the log is of. */
const RERUNS = 2;
/** A test that ran for whole seconds, as Deno's reporter prints it, colours off. */
const LINE = /^(?:\.\/(?<file>\S+) => )?(?<name>.+?) \.\.\. ok \((?:\d+m)?\d+s\)$/gm;
const STEP = " ... ";

const [log] = Deno.args;
if (log === undefined) throw new Error("usage: deno run -A tests/pace.ts LOG");

let slow = slowIn(await Deno.readTextFile(log));
for (let run = 0; run < RERUNS && slow.size > 0; run++) slow = await slowAgain(slow);
for (const [file, names] of slow) {
  for (const name of names) console.error(`${file}: ${name}: took a second or more three times`);
}
if (slow.size > 0) {
  console.error("Make them quicker, or mark them with test.slow() of tests/support/needs.ts");
}

/** The names of slow tests by file. */
function slowIn(log: string, onlyFile?: string): Map<string, string[]> {
  const slow = new Map<string, string[]>();
  for (const { groups } of log.matchAll(LINE)) {
    const { file = onlyFile, name = "" } = groups!;
    if (file === undefined || name.includes(STEP)) continue;
    slow.set(file, [...slow.get(file) ?? [], name]);
  }
  return slow;
}

/** Those that are slow once more, with the machine to themselves. */
async function slowAgain(slow: ReadonlyMap<string, string[]>): Promise<Map<string, string[]>> {
  const still = new Map<string, string[]>();
  for (const [file, names] of slow) {
    const filter = `/^(?:${names.map((name) => name.replace(/[^\w\s]/gu, "\\$&")).join("|")})$/`;
    const { code, stdout } = await spawn(Deno.execPath(), [
      ...["test", "-A", "--quiet", "--no-check", "--preload=tests/support/preload.ts"],
      ...[`--filter=${filter}`, file],
    ], { env: { NO_COLOR: "1" } });
    if (code !== 0) throw new Error(`${file} failed when its slow tests ran again:\n${stdout}`);
    for (const [, again] of slowIn(stdout, file)) still.set(file, again);
  }
  return still;
}
