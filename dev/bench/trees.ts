/**
 * What is searched in benchmarks: real npm packages, installed once, and generated files. All of it
 * lies in a directory of the system's temporary one, and stays there for the next run.
 *
 * @module
 */

import { makeGitTree, trackedIn } from "./git_trees.ts";

/** A tree on disk. */
export interface Tree {
  name: string;
  path: string;
  files: number;
  bytes: number;
}

const BASE = `${Deno.env.get("TMPDIR") ?? "/tmp"}/pathgrep-bench`;

/** npm packages: some 3,000 files of usual size, as many of 2 KB, some 5,500, 13,500 and 70,000. */
const PACKAGES = {
  small: ["three@0.180.0", "eslint@9.36.0", "svelte@5.39.0"],
  medium: ["three@0.180.0", "eslint@9.36.0", "svelte@5.39.0", "rxjs@7.8.2"],
  tiny: ["rxjs@7.8.2", "lodash@4.17.21"],
  large: ["@mui/material@7.3.0", "core-js@3.45.0", "date-fns@4.1.0", "typescript@5.9.2"],
  huge: [
    ...["@mui/material@7.3.0", "@mui/icons-material@7.3.0", "core-js@3.45.0", "date-fns@4.1.0"],
    ...["next@15.5.0", "rxjs@7.8.2", "typescript@5.9.2", "webpack@5.101.0"],
  ],
};

/** A tree of real packages; needs npm and its registry the first time. */
export async function packageTree(name: keyof typeof PACKAGES): Promise<Tree> {
  return await made(`packages-${name}`, (path) => install(path, PACKAGES[name]));
}

/** MCP servers of others, as modules for Node. */
export async function otherServers(): Promise<{ ripgrep: string; filesystem: string }> {
  const packages = ["mcp-ripgrep@0.4.0", "@modelcontextprotocol/server-filesystem@2026.8.31"];
  const { path } = await made("servers", (path) => install(path, packages));
  return {
    ripgrep: `${path}/node_modules/mcp-ripgrep/dist/index.js`,
    filesystem: `${path}/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js`,
  };
}

async function install(path: string, packages: readonly string[]): Promise<void> {
  const flags = ["--prefix", path, "--ignore-scripts", "--no-audit", "--no-fund"];
  const args = ["install", ...flags, ...packages];
  const { code } = await new Deno.Command("npm", { args }).output();
  if (code !== 0) throw new Error(`npm could not install ${packages.join(" ")}`);
}

/** Many small files of source code, 100 in a directory. */
export async function generatedTree(files: number): Promise<Tree> {
  return await made(`generated-${files}`, async (path) => {
    for (let index = 0; index < files; index++) {
      const directory = `${path}/p${Math.floor(index / 10_000)}/d${Math.floor(index / 100) % 100}`;
      if (index % 100 === 0) await Deno.mkdir(directory, { recursive: true });
      Deno.writeTextFileSync(`${directory}/file${index}.ts`, sourceText(index));
    }
  });
}

/** So many files of source code, and half as many in `node_modules` that git ignores. */
export async function treeWithDependencies(files: number): Promise<Tree> {
  return await made(`dependencies-${files}`, async (path) => {
    for (const [top, count] of [["src", files], ["node_modules", files / 2]] as const) {
      for (let index = 0; index < count; index++) {
        const directory = `${path}/${top}/d${Math.floor(index / 100)}`;
        if (index % 100 === 0) await Deno.mkdir(directory, { recursive: true });
        Deno.writeTextFileSync(`${directory}/file${index}.ts`, sourceText(index).repeat(10));
      }
    }
    await Deno.writeTextFile(`${path}/.gitignore`, "node_modules\n");
  });
}

/** A git repository with that number of files in its index, and with ignored files beside them. */
export async function gitTree(files: number): Promise<Tree> {
  const tree = await made(`git-${files}`, (path) => makeGitTree(path, files));
  return { ...tree, ...await trackedIn(tree.path) };
}

/** One file, to be searched for what a command takes to start. */
export async function oneFile(): Promise<Tree> {
  return await made("one", (path) => Deno.writeTextFile(`${path}/a.txt`, "needle\n"));
}

/** One log file, with a rare line in every million. */
export async function logFile(bytes: number): Promise<Tree> {
  return await made(`log-${bytes}`, (path) => {
    const file = Deno.openSync(`${path}/server.log`, { write: true, create: true });
    const encoder = new TextEncoder();
    for (let written = 0, line = 0; written < bytes;) {
      let text = "";
      for (let count = 0; count < 10_000; count++, line++) {
        text += logLine(line);
      }
      const piece = encoder.encode(text);
      for (let rest = piece; rest.length > 0;) rest = rest.subarray(file.writeSync(rest));
      written += piece.length;
    }
    file.close();
  });
}

function sourceText(index: number): string {
  const rare = index % 5000 === 17 ? "export default isPlainObject; // TODO: deprecated\n" : "";
  return `import { part${index % 50} } from "../parts.ts";\n\n` +
    `export function step${index}(value: number): number {\n` +
    `  if (value < ${index}) throw new RangeError("too small");\n` +
    `  return part${index % 50}(value) * ${index};\n}\n${rare}`;
}

function logLine(line: number): string {
  if (line % 1_000_003 === 77) return `needle_in_haystack: ERR-${line}\n`;
  const second = line % 60;
  return `2025-11-22T10:00:${second} [${line % 7 === 0 ? "warn" : "info"}] request ${line} ` +
    `took ${line * 31 % 997} ms for session ${line * 7919 % 65_536}\n`;
}

/** A tree that is made unless it is there. */
async function made(name: string, make: (path: string) => Promise<void> | void): Promise<Tree> {
  const path = `${BASE}/${name}`;
  const done = `${BASE}/.${name}-is-complete`;
  if (!exists(done)) {
    if (exists(path)) await Deno.remove(path, { recursive: true });
    await Deno.mkdir(path, { recursive: true });
    await make(path);
    await Deno.writeTextFile(done, "");
  }
  const { files, bytes } = measure(path);
  return { name, path: await Deno.realPath(path), files, bytes };
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
