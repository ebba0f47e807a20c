/**
 * The trees that are searched in benchmarks: real npm packages, installed once beside this file.
 *
 * @module
 */

import { fileURLToPath } from "node:url";

/** A tree on disk. */
export interface Tree {
  name: string;
  path: string;
  files: number;
  bytes: number;
}

/** Which packages make up which tree. */
const TREES: Record<string, string[]> = {
  small: ["rxjs@7.8.2", "lodash@4.17.21", "@babel/core@7.28.0"],
  large: ["@mui/material@7.3.0", "core-js@3.45.0", "date-fns@4.1.0", "typescript@5.9.2"],
};

/** The path of a file URL. */
export const fromFileUrl = fileURLToPath;

/** Installs what is missing; needs npm and its registry the first time. */
export async function installTrees(): Promise<Tree[]> {
  const base = fileURLToPath(new URL("./trees", import.meta.url));
  const trees: Tree[] = [];
  for (const [name, packages] of Object.entries(TREES)) {
    const path = `${base}/${name}`;
    if (!exists(`${path}/node_modules`)) {
      await Deno.mkdir(path, { recursive: true });
      const args = ["install", "--prefix", path, "--ignore-scripts", "--no-audit", "--no-fund"];
      const { code } = await new Deno.Command("npm", { args: [...args, ...packages] }).output();
      if (code !== 0) throw new Error(`npm could not install ${packages.join(" ")}`);
    }
    trees.push({ name, path, ...measure(path) });
  }
  return trees;
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

function measure(path: string): { files: number; bytes: number } {
  let files = 0;
  let bytes = 0;
  for (const entry of Deno.readDirSync(path)) {
    const below = `${path}/${entry.name}`;
    if (entry.isDirectory) {
      const inner = measure(below);
      files += inner.files;
      bytes += inner.bytes;
    } else if (entry.isFile) {
      files++;
      bytes += Deno.statSync(below).size;
    }
  }
  return { files, bytes };
}
