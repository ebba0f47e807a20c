/**
 * `deno task npm`: builds the npm package in `dist/npm`, or in the directory that is given.
 *
 * Before a program starts, Deno reads every module that it names, also those that are imported late. So
 * the bundle has few modules: what is imported late is in a group with what is used at the same time.
 *
 * @module
 */

import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The version of npm's `deno` that the package depends on. */
export const DENO_VERSION = "2.9.6";

const CHECKOUT = fileURLToPath(new URL("../", import.meta.url));
const SDK = "@modelcontextprotocol/server";
const ENTRY = "cli.ts";
const WORKER = "src/threads/worker.ts";
const LATE_IMPORT = /(?<!typeof )import\("(\.[^"]+\.ts)"\)/g;

/** The groups, each with the late modules in it: the first that fits. */
const GROUPS: readonly (readonly [name: string, modules: RegExp])[] = [
  ["resident", /^resident\/(client|protocol)\.ts/],
  ["search", /^(cli\/commands\/search_command|engines\/file_lister|paths\/workspace)\.ts/],
  ["text", /^cli\/(printers\/(text_printer|highlight|hyperlink)|progress_line)\.ts/],
  ["mcp", /^mcp\//],
  ["commands", /^cli\//],
  ["worker", /^threads\/worker_text\.ts/],
  ["rest", /^/],
];

/** Builds the package in a directory, which is replaced. */
export async function buildPackage(directory: string): Promise<void> {
  await Deno.remove(directory, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
  const lib = join(directory, "lib");
  await Deno.mkdir(lib, { recursive: true });
  // In the package, so that the names of the modules, which are made of paths too, are always the same.
  const stage = join(directory, "stage");
  try {
    await stageSources(stage);
    await bundle(stage, WORKER, stage);
    await writeText(
      join(stage, "src/threads/worker_text.ts"),
      `export default ${JSON.stringify(await Deno.readTextFile(join(stage, "worker.js")))};\n`,
    );
    await writeText(join(stage, "src/threads/worker_address.ts"), WORKER_AS_TEXT);
    await groupLateImports(stage);
    await bundle(stage, ENTRY, lib, "--code-splitting", "--sourcemap=external");
  } finally {
    await Deno.remove(stage, { recursive: true });
  }
  await finishMaps(lib);
  for (const name of ["LICENSE", "npm/README.md", "npm/pathgrep.cjs"]) {
    await Deno.copyFile(join(CHECKOUT, name), join(directory, name.replace("npm/", "")));
  }
  await writeText(join(directory, "package.json"), await manifestOf());
}

/** Takes the place of `worker_address.ts`. */
const WORKER_AS_TEXT = `let address: URL | undefined;
export const WORKER_SOURCES: URL | undefined = undefined;
export async function workerAddress(): Promise<URL> {
  const { default: text } = await import("./worker_text.ts");
  return address ??= new URL(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
}
`;

/** Copies the sources; `mcp/sdk.ts` names its package, so that this is in the bundle. */
async function stageSources(stage: string): Promise<void> {
  for (const path of await modulesIn("src")) {
    await writeText(join(stage, path), await Deno.readTextFile(join(CHECKOUT, path)));
  }
  await Deno.copyFile(join(CHECKOUT, ENTRY), join(stage, ENTRY));
  const { version, imports } = await configuration();
  await writeText(join(stage, "deno.json"), JSON.stringify({ version, imports }));
  const sdk = imports[SDK];
  await writeText(
    join(stage, "src/mcp/sdk.ts"),
    `export * from "${sdk}";\nexport * from "${sdk}/stdio";\n`,
  );
}

/** Puts the late imports of the staged sources together in modules, one for each group. */
async function groupLateImports(stage: string): Promise<void> {
  const groups = new Map<string, Set<string>>();
  for (const path of await modulesIn("src")) {
    const file = join(stage, path);
    const text = (await Deno.readTextFile(file)).replace(LATE_IMPORT, (_, specifier) => {
      const target = relative(join(stage, "src"), join(dirname(file), specifier));
      const [group] = GROUPS.find(([, modules]) => modules.test(target))!;
      groups.getOrInsertComputed(group, () => new Set()).add(target);
      const module = relative(dirname(file), join(stage, "src", `${group}.ts`));
      return `import("./${module}").then((group) => group.${nameOf(target)})`;
    });
    await writeText(file, text);
  }
  for (const [group, targets] of groups) {
    const exports = [...targets].map((path) => `export * as ${nameOf(path)} from "./${path}";\n`);
    await writeText(join(stage, "src", `${group}.ts`), exports.join(""));
  }
}

function nameOf(path: string): string {
  return path.replaceAll(/\W/g, "_");
}

async function bundle(
  stage: string,
  entry: string,
  directory: string,
  ...flags: readonly string[]
): Promise<void> {
  const lock = ["--lock", join(CHECKOUT, "deno.lock"), "--frozen"];
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", "--minify", ...lock, ...flags, "--outdir", directory, entry],
    cwd: stage,
    stdout: "null",
  }).output();
  if (code !== 0) throw new Error(`deno bundle failed: ${new TextDecoder().decode(stderr)}`);
}

/** Has the maps name the sources as the repository does, and packages by name and version. */
async function finishMaps(lib: string): Promise<void> {
  for await (const { name } of Deno.readDir(lib)) {
    if (!name.endsWith(".map")) continue;
    const map = JSON.parse(await Deno.readTextFile(join(lib, name))) as { sources: string[] };
    map.sources = map.sources.map((path) =>
      path.replace(/^\.\.\/stage\//, "").replace(/^.*\/npm\/registry\.npmjs\.org\//, "npm/")
    );
    await writeText(join(lib, name), JSON.stringify(map));
  }
}

async function manifestOf(): Promise<string> {
  const { version, license } = await configuration();
  const readme = await Deno.readTextFile(join(CHECKOUT, "README.md"));
  const [, repository] = /^\[repository\]: (\S+)$/m.exec(readme)!;
  return JSON.stringify(
    {
      name: "pathgrep",
      version,
      description: "A search tool that coding agents can trust: a command and an MCP server",
      keywords: ["search", "grep", "ripgrep", "mcp", "mcp-server", "agent"],
      license,
      // npm compares it with where the release was built.
      repository: { type: "git", url: `git+${repository}.git` },
      type: "module",
      bin: { pathgrep: "pathgrep.cjs" },
      // It says what to do instead of an import.
      main: "pathgrep.cjs",
      // Yarn would leave the bundle in an archive, which Deno cannot read.
      preferUnplugged: true,
      engines: { node: ">=18" },
      dependencies: { deno: DENO_VERSION },
    },
    undefined,
    2,
  ) + "\n";
}

async function configuration(): Promise<
  { version: string; license: string; imports: Record<string, string> }
> {
  return JSON.parse(await Deno.readTextFile(join(CHECKOUT, "deno.json")));
}

/** The modules in a directory of the checkout and below it. AssemblyScript is none. */
async function modulesIn(directory: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(CHECKOUT, directory))) {
    const path = `${directory}/${name}`;
    if (isDirectory) found.push(...await modulesIn(path));
    else if (/(?<!\.as)\.ts$/.test(name)) found.push(path);
  }
  return found.sort();
}

async function writeText(path: string, text: string): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, text);
}

if (import.meta.main) await buildPackage(resolve(Deno.args[0] ?? join(CHECKOUT, "dist/npm")));
