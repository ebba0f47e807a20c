/**
 * A temporary directory on a file system that ignores letter case, as those of macOS and Windows do, and
 * as Linux has them in containers and under WSL.
 *
 * @module
 */

import assert from "node:assert/strict";
import { tempTree, type Tree, type TreeEntry } from "./tree.ts";

const SIZE = 8 << 20;

/** Makes a tree; it needs `caseless` of `needs.ts`. */
export async function caselessTree(entries: Readonly<Record<string, TreeEntry>>): Promise<Tree> {
  if (Deno.build.os !== "linux") return await tempTree(entries);
  const place = await tempTree({ "image": new Uint8Array(SIZE), "mounted": null });
  const root = place.path("mounted");
  await run("mkntfs", "-F", "-q", "-Q", place.path("image"));
  await run("lowntfs-3g", "-o", "ignore_case", place.path("image"), root);
  const tree: Tree = {
    root,
    base: place.root,
    path: (relative) => `${root}/${relative}`,
    async write(more) {
      const named = Object.entries(more).map(([name, entry]) => [`mounted/${name}`, entry]);
      await place.write(Object.fromEntries(named));
    },
    async [Symbol.asyncDispose]() {
      await run("umount", root);
      await place[Symbol.asyncDispose]();
    },
  };
  await tree.write(entries);
  return tree;
}

/** Gives a file the short name that Windows makes up for names of more than eight letters. */
export async function giveShortName(path: string, name: string): Promise<void> {
  const setxattr = Deno.build.arch === "x86_64" ? 188 : 5;
  const script = 'my ($path, $name) = @ARGV; my $attribute = "system.ntfs_dos_name"; ' +
    `exit(syscall(${setxattr}, $path, $attribute, $name, length $name, 0) == 0 ? 0 : 1)`;
  await run("perl", "-e", script, path, name);
}

async function run(program: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args }).output();
  assert.ok(success, `${program}: ${new TextDecoder().decode(stderr)}`);
}
