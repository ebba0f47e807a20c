/**
 * A user's machine: a project, and a Deno with an empty cache that knows the registry on loopback.
 *
 * @module
 */

import { spawn } from "../support/spawn.ts";
import { tempTree, type Tree, type TreeEntry } from "../support/tree.ts";
import { PACKAGE, type Registry } from "./registry.ts";

/** The package, as users name it. */
export const SPECIFIER: string = `jsr:${PACKAGE}`;

/** A machine. */
export interface Machine extends AsyncDisposable {
  readonly tree: Tree;
  /** Runs a program in the project, `deno` for one. */
  run(words: readonly string[], stdin?: string, env?: Record<string, string>): Promise<Ran>;
  /** The npm packages of which anything is in Deno's cache. */
  npmPackages(): string[];
}

/** What a program did. */
export interface Ran {
  code: number;
  stdout: string;
  /** Without the lines that tell of downloads. */
  stderr: string;
  // deno-lint-ignore no-explicit-any -- answers of every shape
  json(): any;
}

/** Sets a machine up, with the project's files by their paths; without a registry it knows JSR's own. */
export async function machine(
  registry: Registry | undefined,
  files: Readonly<Record<string, TreeEntry>> = {},
): Promise<Machine> {
  const tree = await tempTree({
    ...{ "deno_dir/": null, "project/": null, "bin/deno": { symlink: Deno.execPath() } },
    ...Object.fromEntries(Object.entries(files).map(([path, entry]) => [`project/${path}`, entry])),
  });
  return {
    tree,
    async run(words, stdin = "", env = {}) {
      const { code, stdout, stderr } = await spawn(words[0]!, words.slice(1), {
        cwd: tree.path("project"),
        env: {
          PATH: `${tree.path("bin")}:${Deno.env.get("PATH")}`,
          DENO_DIR: tree.path("deno_dir"),
          ...(registry === undefined ? {} : { JSR_URL: registry.url }),
          NO_COLOR: "1",
          DENO_NO_UPDATE_CHECK: "1",
          ...env,
        },
        stdin,
      });
      return {
        code,
        stdout,
        stderr: stderr.replace(/^(Download|Initialize) .*\n/gm, ""),
        json: () => JSON.parse(stdout),
      };
    },
    npmPackages: () => {
      const names = (directory: string): string[] => {
        try {
          return [...Deno.readDirSync(directory)].map(({ name }) => name);
        } catch {
          return [];
        }
      };
      const npm = tree.path("deno_dir/npm");
      return names(npm).flatMap((host) =>
        names(`${npm}/${host}`).flatMap((name) =>
          name.startsWith("@")
            ? names(`${npm}/${host}/${name}`).map((inner) => `${name}/${inner}`)
            : [name]
        )
      ).sort();
    },
    [Symbol.asyncDispose]: () => tree[Symbol.asyncDispose](),
  };
}

/** The message with which an MCP client begins. */
export const INITIALIZE: string = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  },
}) + "\n";
