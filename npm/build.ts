/**
 * `deno task npm`: builds the npm package in `dist/npm`, or in the directory that is given: the sources
 * bundled for Node.js, with their types, a launcher and the plugin's manifests.
 *
 * @module
 */

import * as esbuild from "esbuild";
import { dirname, join, resolve } from "node:path";
import ts from "typescript";
import { bundle, CHECKOUT, removeAll, type Target, writeText } from "./bundle.ts";
import { manifests, npmManifest } from "./manifests.ts";

/** The oldest Node.js that the package runs on. */
const NODE = 22;
/** No other file beside a bundle of somebody else's has this name, and it is a module in any package. */
const WORKER = "pathgrep_worker.mjs";
const PLUGIN = "plugin/";

export const NODE_JS: Target = {
  entries: ["mod.ts"],
  flags: [],
  modules: {
    "src/system/runtime.ts": 'export * as node from "./node/system.ts";\n',
    // What bundlers make for Node.js' older format has the address of no module, but the path of a file.
    "src/run/worker_address.ts": `import { pathToFileURL } from "node:url";
declare const __filename: string | undefined;
function address(): URL | undefined {
  try {
    return new URL("./${WORKER}", import.meta.url);
  } catch {
    return typeof __filename === "string"
      ? new URL("./${WORKER}", pathToFileURL(__filename))
      : undefined;
  }
}
export const WORKER_SOURCES: URL | undefined = address();
export const workerAddress = (): Promise<URL> => Promise.resolve(WORKER_SOURCES!);
`,
    "cli.ts": 'import { runCommandLine } from "./src/cli/main.ts";\nrunCommandLine();\n',
  },
  addWorker: (program, _, directory) => writeText(join(directory, WORKER), program),
};

/** Builds the package in a directory, which is replaced. */
export async function buildPackage(directory: string): Promise<void> {
  await removeAll(directory);
  const lib = join(directory, "lib");
  const library = await Deno.readTextFile(join(CHECKOUT, "mod.ts"));
  const modules = {
    ...NODE_JS.modules,
    // What an application bundles is its main module.
    "mod.ts": library.slice(0, library.indexOf("\nif (import.meta.main)")),
  };
  await bundle({ ...NODE_JS, modules }, lib);
  await lower(lib);
  await buildCommand(lib);
  await buildHookCheck(lib);
  await esbuild.stop();
  await writeTypes(join(directory, "types"));
  for (const name of ["LICENSE", "npm/README.md", "npm/pathgrep.cjs"]) {
    await Deno.copyFile(join(CHECKOUT, name), join(directory, name.replace("npm/", "")));
  }
  for (const [path, text] of Object.entries(await manifests())) {
    // Its root is the plugin's, too.
    if (path.startsWith(PLUGIN)) await writeText(join(directory, path.slice(PLUGIN.length)), text);
  }
  await writeText(join(directory, "package.json"), await npmManifest());
}

/** Rewrites the modules in a directory in the syntax of the oldest Node.js, and makes them smaller. */
export async function lower(directory: string, minify = true): Promise<void> {
  for (const { name } of Deno.readDirSync(directory)) {
    const path = join(directory, name);
    await Deno.writeTextFile(path, await lowered(await Deno.readTextFile(path), "esm", minify));
  }
}

async function lowered(text: string, format: "esm" | "cjs", minify = true): Promise<string> {
  const { code } = await esbuild.transform(text, {
    ...{ minify, target: `node${NODE}`, format, logLevel: "error" },
    // Its address is that of a file where there is no module.
    ...(format === "cjs" ? { platform: "node", supported: { "dynamic-import": false } } : {}),
  });
  return code;
}

/**
 * Builds the command in the format that Node.js starts sooner with. What a search loads is one file, for
 * which `load.cjs` keeps what V8 compiles.
 */
async function buildCommand(lib: string): Promise<void> {
  const directory = join(lib, "pieces");
  await bundle({ ...NODE_JS, entries: ["cli.ts"], addWorker: () => Promise.resolve() }, directory);
  const pieces = new Map<string, string>();
  const imports = new Map<string, string[]>();
  for (const { name } of Deno.readDirSync(directory)) {
    const text = await Deno.readTextFile(join(directory, name));
    const imported = text.matchAll(/^(?:import|export) [^;]*?"(\.[^"]+)\.js";$/gm);
    imports.set(pieceOf(name), [...imported].map(([, module]) => `${module}.cjs`));
    const code = (await lowered(text, "cjs"))
      .replaceAll(/(require\("\.\/[\w-]+)\.js"\)/g, '$1.cjs")');
    // V8 compiles a function in parentheses at once; any other it reads twice.
    pieces.set(pieceOf(name), `(function(exports,require,module,__filename){${code}})`);
  }
  await removeAll(directory);
  const first = new Set(["./cli.cjs", [...pieces.keys()].find((name) => /search-/.test(name))!]);
  for (const name of first) imports.get(name)!.forEach((other) => first.add(other)); // grows
  const together = [...first].sort().map((name) => `${JSON.stringify(name)}:${pieces.get(name)}`);
  const command = `({${together.join(",\n")}})`;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(command));
  const file = `command-${new Uint8Array(digest).toHex().slice(0, 16)}.cjs`;
  await writeText(join(lib, file), command);
  const load = await Deno.readTextFile(join(CHECKOUT, "npm/load.cjs"));
  await writeText(join(lib, "load.cjs"), load.replace('"command.cjs"', JSON.stringify(file)));
  for (const [name, code] of pieces) {
    if (!first.has(name)) await writeText(join(lib, name), `module.exports=${code};\n`);
  }
}

/** Builds what tells whether a hook's event is about a search, for which alone more is started. */
async function buildHookCheck(lib: string): Promise<void> {
  await esbuild.build({
    ...{ bundle: true, minify: true, platform: "node", format: "cjs", target: `node${NODE}` },
    entryPoints: [join(CHECKOUT, "src/cli/hook_start.ts")],
    outfile: join(lib, "hook_start.cjs"),
    plugins: [{
      name: "runtime",
      setup: ({ onLoad }) =>
        onLoad({ filter: /\/system\/runtime\.ts$/ }, ({ path }) => ({
          contents: NODE_JS.modules["src/system/runtime.ts"]!,
          loader: "ts",
          resolveDir: dirname(path),
        })),
    }],
  });
}

/** How the command names a piece. */
function pieceOf(file: string): string {
  return `./${file.replace(/js$/, "cjs")}`;
}

const OPTIONS: ts.CompilerOptions = {
  ...{ declaration: true, emitDeclarationOnly: true, noCheck: true, stripInternal: true },
  ...{ strict: true, exactOptionalPropertyTypes: true, types: [], rootDir: CHECKOUT, outDir: "/" },
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.NodeNext,
  allowImportingTsExtensions: true,
  resolveJsonModule: true,
  lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
};

/** Writes the types of `mod.ts`, and of the modules that they name. */
async function writeTypes(directory: string): Promise<void> {
  const program = ts.createProgram([join(CHECKOUT, "mod.ts")], OPTIONS);
  const emitted = new Map<string, string>();
  program.emit(undefined, (path, text) => emitted.set(path, text), undefined, true);
  const named = new Set(["/mod.d.ts"]);
  for (const path of named) { // grows
    const text = emitted.get(path)!;
    const relative = /((?:from |import\()")(\.[^"]+)\.ts"/g;
    for (const [, , module] of text.matchAll(relative)) {
      named.add(join(dirname(path), `${module}.d.ts`));
    }
    await writeText(join(directory, path), text.replaceAll(relative, '$1$2.js"'));
  }
}

if (import.meta.main) await buildPackage(resolve(Deno.args[0] ?? join(CHECKOUT, "dist/npm")));
