/**
 * A temporary directory tree for one test, removed when the test's block ends.
 *
 * @module
 */

/** What stands at a path: a file's text or bytes, a symbolic link, or an empty directory. */
export type TreeEntry = string | Uint8Array | { readonly symlink: string } | null;

/** A tree on disk. */
export interface Tree extends AsyncDisposable {
  /** The canonical absolute path of the tree. */
  readonly root: string;
  /** The absolute path of something in the tree. */
  path(relative: string): string;
  /** Adds entries, or replaces files. */
  write(entries: Readonly<Record<string, TreeEntry>>): Promise<void>;
}

/**
 * Makes a tree: `{ "a/b.txt": "text", "bin": bytes, "link": { symlink: "a" }, "empty/": null }`.
 *
 * Directories above an entry are made as needed; `null` makes an empty directory; links are made
 * with exactly the target given, so that it may dangle or lead out.
 */
export async function tempTree(entries: Readonly<Record<string, TreeEntry>> = {}): Promise<Tree> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "pathgrep_test_" }));
  const tree: Tree = {
    root,
    path: (relative) => `${root}/${relative}`,
    async write(more) {
      for (const [name, entry] of Object.entries(more)) {
        const path = `${root}/${name}`.replace(/\/+$/, "");
        await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
        if (entry === null) await Deno.mkdir(path, { recursive: true });
        else if (typeof entry === "string") await Deno.writeTextFile(path, entry);
        else if (entry instanceof Uint8Array) await Deno.writeFile(path, entry);
        else await Deno.symlink(entry.symlink, path);
      }
    },
    async [Symbol.asyncDispose]() {
      await Deno.remove(root, { recursive: true });
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
