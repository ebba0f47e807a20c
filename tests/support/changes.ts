/**
 * Random changes of a tree, and what ripgrep finds in it.
 *
 * @module
 */

import { rgPath } from "./oracles.ts";

const WORDS = ["needle", "noodle", "kneels", "Needle"]; // all of one length
const IGNORE_LINES = ["*.log", "d1/", "/d2", "!keep.log", "f3*", "**/d0/f1.txt", ""];

/** Changes a tree in ways that a cache could miss. */
export class Changer {
  readonly #root: string;
  readonly #random: (below: number) => number;
  #next = 0;

  constructor(root: string, random: (below: number) => number) {
    this.#root = root;
    this.#random = random;
  }

  content(): string {
    const lines = Array.from({ length: 1 + this.#random(4) }, () => this.#pick(WORDS));
    return `${lines.join(" x\n")} x\n`;
  }

  change(): void {
    const files = this.#all(this.#root, "file");
    const directories = [this.#root, ...this.#all(this.#root, "directory")];
    const file = files.length === 0 ? undefined : this.#pick(files);
    const into = () => `${this.#pick(directories)}/f${this.#next++ % 40}.txt`;
    switch (this.#random(10)) {
      case 0: // the same size, and the times put back
        if (file !== undefined) {
          const { atime, mtime } = Deno.lstatSync(file);
          const text = Deno.readTextFileSync(file);
          Deno.writeTextFileSync(
            file,
            text.replaceAll(/needle|noodle|kneels/gi, this.#pick(WORDS)),
          );
          Deno.utimeSync(file, atime!, mtime!);
        }
        break;
      case 1:
        if (file !== undefined) Deno.writeTextFileSync(file, this.content());
        break;
      case 2:
        attempt(() => Deno.writeTextFileSync(into(), this.content()));
        break;
      case 3:
        if (file !== undefined) Deno.removeSync(file);
        break;
      case 4: // a file in another's place
        if (file !== undefined) attempt(() => Deno.renameSync(file, into()));
        break;
      case 5: { // a directory moves
        const from = this.#pick(directories);
        const to = `${this.#pick(directories)}/d${this.#random(4)}`;
        if (from !== this.#root) attempt(() => Deno.renameSync(from, to));
        break;
      }
      case 6: { // a new tree
        const directory = `${this.#pick(directories)}/d${this.#random(4)}`;
        if (directory.split("/").length > this.#root.split("/").length + 4) break;
        attempt(() => Deno.mkdirSync(directory));
        attempt(() =>
          Deno.writeTextFileSync(`${directory}/f${this.#random(9)}.log`, this.content())
        );
        break;
      }
      case 7: { // ignore rules
        const name = this.#pick([".gitignore", ".ignore"]);
        const lines = [this.#pick(IGNORE_LINES), this.#pick(IGNORE_LINES)];
        Deno.writeTextFileSync(`${this.#pick(directories)}/${name}`, `${lines.join("\n")}\n`);
        break;
      }
      case 8: { // two files change places
        const other = files.length === 0 ? undefined : this.#pick(files);
        if (file === undefined || other === undefined || file === other) break;
        Deno.renameSync(file, `${this.#root}/swap`);
        Deno.renameSync(other, file);
        Deno.renameSync(`${this.#root}/swap`, other);
        break;
      }
      case 9: { // a link to a directory, from which changes could be told by another path
        const link = `${this.#pick(directories)}/l${this.#random(3)}`;
        attempt(() => Deno.removeSync(link));
        if (this.#random(2) === 0) attempt(() => Deno.symlinkSync(this.#pick(directories), link));
      }
    }
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#random(items.length)]!;
  }

  #all(directory: string, kind: "file" | "directory"): string[] {
    const found: string[] = [];
    for (const entry of [...Deno.readDirSync(directory)].sort((a, b) => a.name < b.name ? -1 : 1)) {
      const path = `${directory}/${entry.name}`;
      if (entry.isDirectory) {
        found.push(...(kind === "directory" ? [path] : []), ...this.#all(path, kind));
      } else if (entry.isFile && kind === "file") found.push(path);
    }
    return found;
  }
}

function attempt(change: () => void): void {
  try {
    change();
  } catch {
    // Not every random change can be made.
  }
}

/** What makes ripgrep read the same files. */
const FLAGS = "--no-config --hidden -g !.git --no-require-git --no-ignore-parent --no-ignore-global"
  .split(" ");

/** Every file that ripgrep would read, sorted. */
export async function ripgrepFiles(root: string, flags: readonly string[] = []): Promise<string[]> {
  return (await ripgrep([...flags, "--files", root])).sort();
}

/** `path:line:text` of every match of `needle`, sorted. */
export async function ripgrepLines(root: string): Promise<string[]> {
  const rows = (await ripgrep(["--json", "needle", root])).map((row) => JSON.parse(row));
  return rows.filter(({ type }) => type === "match")
    .map(({ data }) => `${data.path.text}:${data.line_number}:${data.lines.text.trimEnd()}`).sort();
}

/** The lines that ripgrep prints. */
async function ripgrep(args: readonly string[]): Promise<string[]> {
  const { stdout } = await new Deno.Command(await rgPath(), { args: [...FLAGS, ...args] }).output();
  return new TextDecoder().decode(stdout).split("\n").filter((row) => row !== "");
}
