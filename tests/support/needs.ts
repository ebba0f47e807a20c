/**
 * What some tests need of the machine besides Deno, git and grep: programs, without which they are
 * ignored, with a name that says what is missing; or time, for which the everyday run passes them over.
 *
 * @module
 */

/** What a test may need, each with whether it is here. */
const NEEDS = {
  /** A file system that ignores letter case: on Linux one of ntfs-3g, which root can mount. */
  caseless: () => Deno.build.os !== "linux" || isOnPath("lowntfs-3g") && canMount(),
  fish: () => isOnPath("fish"),
  linux: () => Deno.build.os === "linux",
  perl: () => isOnPath("perl"),
  root: () => Deno.uid() === 0,
  /** Node.js in the versions of `nodes.ts`. */
  nodes: () => Deno.build.os === "linux" && Deno.build.arch === "x86_64",
  /** util-linux's `script`: a terminal for the tests. Those of other systems have other options. */
  script: () => Deno.build.os === "linux" && isOnPath("script"),
  /** util-linux's `setpriv`: without it root can read whatever a test has locked. */
  setpriv: () => Deno.uid() !== 0 || isOnPath("setpriv"),
  ugrep: () => isOnPath("ugrep"),
  zsh: () => isOnPath("zsh"),
} as const;

/** Registers a test, as `Deno.test` does. */
interface Test {
  (name: string, fn: (t: Deno.TestContext) => void | Promise<void>): void;
  /** Registers a test that takes more than half a second: `deno task test` passes it over. */
  slow: (name: string, fn: (t: Deno.TestContext) => void | Promise<void>) => void;
}

/** Whether the machine has what a part of a test needs. */
export function hasNeed(need: keyof typeof NEEDS): boolean {
  return NEEDS[need]();
}

/** Ends the names of slow tests: `deno task test` and `deno task test:slow` filter by it. */
export const SLOW = " ⏱";

/**
 * `Deno.test` for tests that have needs: `const test = testNeeding("script");`
 *
 * @param wanted what they need
 */
export function testNeeding(...wanted: readonly (keyof typeof NEEDS)[]): Test {
  const missing = wanted.filter((need) => !NEEDS[need]());
  const registers = (mark: string): Test["slow"] => (name, fn) => {
    if (missing.length === 0) Deno.test(name + mark, fn);
    else Deno.test.ignore(`${name} (needs ${missing.join(" and ")})${mark}`, fn);
  };
  return Object.assign(registers(""), { slow: registers(SLOW) });
}

/** `Deno.test`, also for slow tests: `test.slow("what takes its time", async () => {});` */
export const test: Test = testNeeding();

function canMount(): boolean {
  try {
    return Deno.uid() === 0 && Deno.lstatSync("/dev/fuse").isCharDevice === true;
  } catch {
    return false;
  }
}

/** Whether a program is installed. */
export function isOnPath(program: string): boolean {
  return (Deno.env.get("PATH") ?? "").split(":").some((directory) => {
    try {
      return Deno.statSync(`${directory}/${program}`).isFile;
    } catch {
      return false;
    }
  });
}
