/**
 * A temporary directory tree for one test, removed when the test's block ends.
 *
 * @module
 */

import { statfsSync } from "node:fs";
import { sh } from "./spawn.ts";

/** What stands at a path: a file's text or bytes, a symbolic link, or an empty directory. */
export type TreeEntry = string | Uint8Array | { readonly symlink: string } | null;

/** A tree on disk, in a directory of its own: what lies beside it is outside of it, and the test's. */
export interface Tree extends AsyncDisposable {
  /** The canonical absolute path of the tree. */
  readonly root: string;
  /** The directory that holds the tree. */
  readonly base: string;
  /** The absolute path of something in the tree or, with `../`, beside it. */
  path(relative: string): string;
  /** Adds entries, or replaces files. */
  write(entries: Readonly<Record<string, TreeEntry>>): Promise<void>;
}

/**
 * Makes a tree: `{ "a/b.txt": "text", "bin": bytes, "link": { symlink: "a" }, "empty/": null }`.
 *
 * Directories above an entry are made as needed; `null` makes an empty directory; a link is made with
 * the target given, in which `$WS` stands for the tree and `$BASE` for the directory that holds it.
 *
 * @param name the tree's own name
 * @param place where the directory that holds it is made
 */
export async function tempTree(
  entries: Readonly<Record<string, TreeEntry>> = {},
  name = "ws",
  place: Deno.MakeTempOptions = {},
): Promise<Tree> {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "pathgrep_test_", ...place }));
  const root = `${base}/${name}`;
  await Deno.mkdir(root);
  const tree: Tree = {
    root,
    base,
    path: (relative) =>
      relative.startsWith("../")
        ? `${base}/${relative.slice("../".length)}`
        : relative === ""
        ? root
        : `${root}/${relative}`,
    // deno-lint-ignore require-await -- all at once: for each entry to have a turn takes longer than to make it
    async write(more) {
      const made = new Set<string>();
      const makeDirectory = (path: string) => {
        if (made.has(path)) return;
        Deno.mkdirSync(path, { recursive: true });
        made.add(path);
      };
      for (const [name, entry] of Object.entries(more)) {
        const path = tree.path(name).replace(/\/+$/, "");
        makeDirectory(path.slice(0, path.lastIndexOf("/")));
        if (entry === null || name.endsWith("/")) makeDirectory(path);
        else if (typeof entry === "string") Deno.writeTextFileSync(path, entry);
        else if (entry instanceof Uint8Array) Deno.writeFileSync(path, entry);
        else {
          const target = entry.symlink.replace("$WS", root).replace("$BASE", base);
          Deno.symlinkSync(target, path);
        }
      }
    },
    async [Symbol.asyncDispose]() {
      await Deno.remove(base, { recursive: true }).catch(async () => {
        // The test has locked a directory, or a program that it ran still writes there.
        await sh("chmod -R u+rwX .", base);
        await Deno.remove(base, { recursive: true });
      });
    },
  };
  await tree.write(entries);
  return tree;
}

const MEMORY = "/dev/shm";
const GIGABYTE = 2 ** 30;

/**
 * Makes a tree of thousands of files: in memory where there is room, in a tenth of the time. There Deno
 * lets no process read that has not all permissions; and no file gets the inode of one that was removed,
 * so that tests of exchanged files are better off on a disk.
 */
export async function memoryTree(entries: Readonly<Record<string, TreeEntry>>): Promise<Tree> {
  let place = {};
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize > GIGABYTE) place = { dir: MEMORY };
  } catch {
    // Not every system has it.
  }
  return await tempTree(entries, "ws", place);
}

/**
 * Waits until what was written last may be kept by a searcher: it has not changed for a second, as Deno
 * tells the time of change, which is the second that it was in.
 */
export async function settled(): Promise<void> {
  const sinceSecond = Date.now() % 1000;
  await new Promise((resolve) => setTimeout(resolve, 1120 - sinceSecond));
}
