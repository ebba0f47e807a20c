/**
 * Changes a tree without end, in ways that make a search read what it must not: until a file `stop` stands
 * beside the workspace. Arguments: the directory that holds `ws` and `outside`, a seed.
 *
 * @module
 */

import { numbersFrom } from "../support/draw.ts";

const [base, seed] = Deno.args;
const ws = `${base}/ws`;
const below = numbersFrom(Number(seed));

/** The trees that both `ws` and `outside` have. */
const directory = () => `d${below(4)}`;
const file = () => `${directory()}/${below(12)}.txt`;
const line = () => `PLAIN ${below(1000)}\n`;

const CHANGES: readonly (() => void)[] = [
  // Grow, shrink, replace, remove, make again.
  () => Deno.writeTextFileSync(`${ws}/${file()}`, line().repeat(below(300)), { append: true }),
  () => Deno.truncateSync(`${ws}/${file()}`, below(50)),
  () => Deno.writeTextFileSync(`${ws}/${file()}`, line()),
  () => Deno.removeSync(`${ws}/${file()}`),
  () => {
    Deno.writeTextFileSync(`${ws}/fresh`, line().repeat(below(300)));
    Deno.renameSync(`${ws}/fresh`, `${ws}/${file()}`);
  },
  // A directory becomes a link to outside, and a directory again.
  ...Array<() => void>(4).fill(() => {
    const name = directory();
    Deno.renameSync(`${ws}/${name}`, `${ws}/aside`);
    Deno.symlinkSync(
      below(2) === 0 ? `../outside/${name}` : `${base}/outside/${name}`,
      `${ws}/${name}`,
    );
    Deno.removeSync(`${ws}/${name}`);
    Deno.renameSync(`${ws}/aside`, `${ws}/${name}`);
  }),
  // By a rename over it, so that there is no moment without either.
  () => {
    const name = file();
    Deno.symlinkSync(`../../outside/${name}`, `${ws}/link`);
    Deno.renameSync(`${ws}/link`, `${ws}/${name}`);
  },
  () => {
    const name = file();
    Deno.removeSync(`${ws}/${name}`);
    Deno.linkSync(`${ws}/a.txt`, `${ws}/${name}`);
  },
  // A file becomes a directory and a file again.
  () => {
    const name = file();
    Deno.removeSync(`${ws}/${name}`);
    Deno.mkdirSync(`${ws}/${name}`);
    Deno.removeSync(`${ws}/${name}`);
    Deno.writeTextFileSync(`${ws}/${name}`, line());
  },
  // Permissions come and go.
  () => Deno.chmodSync(`${ws}/${file()}`, below(2) === 0 ? 0o000 : 0o644),
  () => {
    const name = directory();
    Deno.chmodSync(`${ws}/${name}`, 0o000);
    Deno.chmodSync(`${ws}/${name}`, 0o755);
  },
  // Ignore files appear, lead out, and go.
  () => Deno.writeTextFileSync(`${ws}/${directory()}/.gitignore`, `${below(12)}.txt\n`),
  () => Deno.symlinkSync("../../outside/ignore", `${ws}/${directory()}/.gitignore`),
  () => Deno.removeSync(`${ws}/${directory()}/.gitignore`),
];

/** Whether there is something at a path. */
function isThere(path: string): boolean {
  try {
    return Deno.lstatSync(path) !== undefined;
  } catch {
    return false;
  }
}

while (!isThere(`${base}/stop`)) {
  for (let change = 0; change < 100; change++) {
    try {
      CHANGES[below(CHANGES.length)]!();
    } catch {
      // What it wanted to change was gone, or there already: the next one finds something.
    }
    // A change that failed half-way must not leave the tree poorer for good.
    if (isThere(`${ws}/aside`)) restore();
  }
}

function restore(): void {
  for (let number = 0; number < 4; number++) {
    const name = `${ws}/d${number}`;
    try {
      if (!isThere(name)) Deno.renameSync(`${ws}/aside`, name);
      else if (Deno.lstatSync(name).isSymlink) {
        Deno.removeSync(name);
        Deno.renameSync(`${ws}/aside`, name);
      }
    } catch {
      // The next change tries again.
    }
  }
}
