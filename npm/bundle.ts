/**
 * Bundles of the sources: for the program that `deno task compile` makes, and for the npm package.
 *
 * Before a program starts, Deno reads every module that it names, also those that are imported late. So
 * a bundle has few modules: what is imported late is in a group with what is used at the same time.
 *
 * @module
 */

import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const CHECKOUT: string = fileURLToPath(new URL("../", import.meta.url));
const SDK = "@modelcontextprotocol/server";
const WORKER = "src/run/worker.ts";
const IMPORT = /(?<!typeof )(?:\bfrom |\bimport |\bimport\()"(\.[^"]+\.ts)"/g;
const LATE_IMPORT = /(?<!typeof )import\("(\.[^"]+\.ts)"\)/g;

/** The groups, each with the late modules in it: the first that fits. */
const GROUPS: readonly (readonly [name: string, modules: RegExp])[] = [
  ["resident", /^resident\/(protocol|socket)\.ts/],
  [
    "search",
    /^(cli\/(commands\/search_command|piped_input)|workspace\/workspace|read\/tally|walk\/(file_filter|walker))\.ts/,
  ],
  ["text", /^cli\/printers\/(text_printer|highlight|hyperlink)\.ts/],
  ["mcp", /^mcp\//],
  ["commands", /^cli\//],
  ["worker", /^run\/worker_text\.ts/],
  ["rest", /^/],
];

/** A runtime, and the modules that take the place of those of the sources. */
export interface Target {
  readonly entries: readonly string[];
  /** Folders of tests, whose modules keep the addresses that they have in the checkout. */
  readonly folders?: readonly string[];
  readonly flags: readonly string[];
  /** By path in the checkout. */
  readonly modules: Readonly<Record<string, string>>;
  /** Adds the program of the workers, a single module, to the bundle or the staged sources. */
  addWorker(program: string, stage: string, directory: string): Promise<void>;
}

const DENO: Target = {
  entries: ["cli.ts"],
  flags: ["--minify", "--sourcemap=external"],
  modules: { "src/system/runtime.ts": "export const node = undefined;\n" },
  // As a text, so that workers start without permission to read a file.
  async addWorker(program, stage) {
    await writeText(
      join(stage, "src/run/worker_text.ts"),
      `export default ${JSON.stringify(program)};\n`,
    );
    await writeText(join(stage, "src/run/worker_address.ts"), WORKER_AS_TEXT);
  },
};

/** Takes the place of `worker_address.ts`. */
const WORKER_AS_TEXT = `let address: URL | undefined;
export const WORKER_SOURCES: URL | undefined = undefined;
export async function workerAddress(): Promise<URL> {
  const { default: text } = await import("./worker_text.ts");
  return address ??= new URL(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
}
`;

/** Bundles the sources for a target, and puts the modules in a directory. */
export async function bundle(target: Target, directory: string): Promise<void> {
  await Deno.mkdir(directory, { recursive: true });
  // In it, so that the names of the modules, which are made of paths too, are always the same.
  const stage = join(directory, "stage");
  try {
    await stageSources(target, stage);
    await runBundler(stage, [WORKER], stage, target.flags);
    await target.addWorker(await Deno.readTextFile(join(stage, "worker.js")), stage, directory);
    if (target.folders === undefined) await groupLateImports(stage, target.entries);
    await runBundler(stage, target.entries, directory, ["--code-splitting", ...target.flags]);
  } finally {
    await Deno.remove(stage, { recursive: true });
  }
  await finishMaps(directory);
}

/** Builds what `deno compile` makes a program of, in a directory, which is replaced. */
export async function buildProgram(directory: string): Promise<void> {
  await removeAll(directory);
  await bundle(DENO, directory);
}

/** Copies the sources; `mcp/sdk.ts` names its package, so that this is in the bundle. */
async function stageSources(target: Target, stage: string): Promise<void> {
  const { entries, folders = [], modules } = target;
  for (const path of await modulesIn("src")) {
    await writeText(join(stage, path), await Deno.readTextFile(join(CHECKOUT, path)));
  }
  for (const path of (await Promise.all(folders.map(modulesIn))).flat()) {
    const source = await Deno.readTextFile(join(CHECKOUT, path));
    const address = JSON.stringify(pathToFileURL(join(CHECKOUT, path)).href);
    const isMain = `(Deno.mainModule === ${address})`;
    await writeText(
      join(stage, path),
      source.replaceAll("import.meta.url", address).replaceAll("import.meta.main", isMain),
    );
  }
  for (const entry of entries.filter((path) => !(path in modules))) {
    await Deno.copyFile(join(CHECKOUT, entry), join(stage, entry));
  }
  const { version, imports } = await configuration();
  await writeText(join(stage, "deno.json"), JSON.stringify({ version, imports }));
  const sdk = imports[SDK];
  await writeText(
    join(stage, "src/mcp/sdk.ts"),
    `export * from "${sdk}";\nexport * from "${sdk}/stdio";\n`,
  );
  for (const [path, text] of Object.entries(modules)) await writeText(join(stage, path), text);
}

/** The staged modules of `src` that the entries import, at once or late. */
async function modulesOf(stage: string, entries: readonly string[]): Promise<string[]> {
  const modules = new Set(entries);
  for (const path of modules) { // grows
    const text = await Deno.readTextFile(join(stage, path));
    for (const [, specifier] of text.matchAll(IMPORT)) modules.add(join(dirname(path), specifier!));
  }
  return [...modules].filter((path) => path.startsWith("src/")).sort();
}

/** Puts the late imports of the staged sources together in modules, one for each group. */
async function groupLateImports(stage: string, entries: readonly string[]): Promise<void> {
  const groups = new Map<string, Set<string>>();
  for (const path of await modulesOf(stage, entries)) {
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

async function runBundler(
  stage: string,
  entries: readonly string[],
  directory: string,
  flags: readonly string[],
): Promise<void> {
  const lock = ["--lock", join(CHECKOUT, "deno.lock"), "--frozen"];
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", ...lock, ...flags, "--outdir", directory, ...entries],
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
      path.replace(/^(?:\.\.\/)?stage\//, "").replace(/^.*\/npm\/registry\.npmjs\.org\//, "npm/")
    );
    await writeText(join(lib, name), JSON.stringify(map));
  }
}

export async function configuration(): Promise<
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

export async function writeText(path: string, text: string): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, text);
}

export async function removeAll(directory: string): Promise<void> {
  await Deno.remove(directory, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
}

if (import.meta.main) await buildProgram(resolve(Deno.args[0] ?? join(CHECKOUT, "dist/program")));
