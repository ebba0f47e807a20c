/**
 * The npm package, packed as it is published and installed from that file.
 *
 * @module
 */

import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { buildPackage } from "../../npm/build.ts";
import names from "../../npm/names.json" with { type: "json" };
import { nodeDirectories } from "../support/nodes.ts";
import { spawn, type Spawned, type SpawnOptions } from "../support/spawn.ts";
import { tempTree, type Tree } from "../support/tree.ts";

// The tests leave nothing in the cache of the user who runs them.
Deno.env.set("NODE_DISABLE_COMPILE_CACHE", "1");

/** Its name on npm. */
export const PACKAGE: string = names.package;
/** What it is installed as, in `node_modules`: the package, or the directory of its scope. */
export const [INSTALLED = ""] = PACKAGE.split("/");

/** A packed package. */
export interface Packed {
  /** The directory that was packed. */
  readonly directory: string;
  /** The packed file. */
  readonly file: string;
}

let packed: Promise<Packed> | undefined;
let installed: Promise<Installed> | undefined;

/** The package, built and packed once for all tests of a run. */
export function packedPackage(): Promise<Packed> {
  return packed ??= shared();
}

/**
 * Files of tests run at once in one process, each with modules of its own. Whichever needs the package first
 * makes it, and the last removes it.
 */
async function shared(): Promise<Packed> {
  const { TMPDIR = "/tmp" } = Deno.env.toObject();
  const root = `${TMPDIR}/pathgrep_package_${Deno.pid}`;
  const users = `${root}/users`;
  const user = `${users}/${crypto.randomUUID()}`;
  for (;;) {
    try {
      await Deno.mkdir(root);
      await pack(`${root}/ws`);
      await Deno.mkdir(users); // it is complete
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    }
    try {
      await Deno.mkdir(user);
      break;
    } catch {
      await delay(200); // another makes or removes it
    }
  }
  globalThis.addEventListener("unload", () => {
    Deno.removeSync(user);
    if ([...Deno.readDirSync(users)].length > 0) return;
    Deno.removeSync(root, { recursive: true });
  });
  const file = await Deno.readTextFile(`${root}/ws/file`);
  return { directory: `${root}/ws/package`, file: `${root}/ws/${file}` };
}

/** @param place as deep as that of a {@linkcode tempTree}: it decides on the names of modules */
async function pack(place: string): Promise<void> {
  const directory = `${place}/package`;
  await buildPackage(directory);
  const { stdout } = await npm(["pack", "--silent", directory], place);
  await Deno.writeTextFile(`${place}/file`, stdout.trim());
}

function removeAtEnd(tree: Tree): void {
  globalThis.addEventListener("unload", () => Deno.removeSync(tree.root, { recursive: true }));
}

/** What an agent tells its hook of a command that printed nothing. */
export function hookEvent(command: string, cwd = "/"): string {
  return JSON.stringify({
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_input: { command },
    tool_response: { stdout: "", stderr: "" },
    cwd,
  });
}

/** Runs npm, which has to succeed. */
export async function npm(args: readonly string[], cwd: string): Promise<Spawned> {
  const done = await spawn("npm", [...args, "--no-audit", "--no-fund"], { cwd });
  assert.equal(done.code, 0, done.stdout + done.stderr);
  return done;
}

/** A directory for programs, with the package in it, and one beside it to work in. */
export interface Installed {
  readonly tree: Tree;
  readonly project: string;
  /** The installed command. */
  readonly pathgrep: string;
  /** Runs it in the project, on the oldest Node.js that it is for. */
  run(args: readonly string[], options?: SpawnOptions): Promise<Spawned>;
}

/** The package as `npm install -g` installs it, once for all tests of a file. */
export function installedPackage(): Promise<Installed> {
  return installed ??= installGlobally();
}

/** Installs the package globally, below a directory of its own. */
export async function installGlobally(...flags: string[]): Promise<Installed> {
  const { file } = await packedPackage();
  const tree = await tempTree({
    "project/a.txt": "needle\n",
    "prefix/": null,
    ".npmrc": "registry=http://127.0.0.1:1/\n", // npm obeys none here for what it installs globally
  });
  removeAtEnd(tree);
  const project = tree.path("project");
  await npm(["install", "-g", "--prefix", tree.path("prefix"), ...flags, file], tree.root);
  const pathgrep = tree.path("prefix/bin/pathgrep");
  return {
    tree,
    project,
    pathgrep,
    run: async (args, options) => {
      const [oldest] = await nodeDirectories();
      const env = { PATH: `${oldest}:${Deno.env.get("PATH")}`, ...options?.env };
      return await spawn(pathgrep, args, { cwd: project, ...options, env });
    },
  };
}
