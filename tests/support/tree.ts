/**
 * A temporary directory tree for one test, removed when the test's block ends.
 *
 * @module
 */

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
 */
export async function tempTree(
  entries: Readonly<Record<string, TreeEntry>> = {},
  name = "ws",
): Promise<Tree> {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "pathgrep_test_" }));
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
    async write(more) {
      for (const [name, entry] of Object.entries(more)) {
        const path = tree.path(name).replace(/\/+$/, "");
        await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
        if (entry === null || name.endsWith("/")) await Deno.mkdir(path, { recursive: true });
        else if (typeof entry === "string") await Deno.writeTextFile(path, entry);
        else if (entry instanceof Uint8Array) await Deno.writeFile(path, entry);
        else {
          const target = entry.symlink.replace("$WS", root).replace("$BASE", base);
          await Deno.symlink(target, path);
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

/**
 * Waits until what was written last may be kept by a searcher: it has not changed for a second, as Deno
 * tells the time of change, which is the second that it was in.
 */
export async function settled(): Promise<void> {
  const sinceSecond = Date.now() % 1000;
  await new Promise((resolve) => setTimeout(resolve, 1120 - sinceSecond));
}
