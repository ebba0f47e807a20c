/**
 * A reader of the documentation who does what it says: a machine with a clone of the repository, a
 * project, and a registry with the package.
 *
 * @module
 */

import assert from "node:assert/strict";
import { npm, packedPackage } from "../packaging/npm_package.ts";
import { npmRegistry } from "../packaging/npm_registry.ts";
import { publishedPackage } from "../packaging/registry.ts";
import { denoDir } from "../support/acceptance.ts";
import { CHECKOUT } from "../support/run.ts";
import { spawn } from "../support/spawn.ts";
import { tempTree, type Tree } from "../support/tree.ts";
import { copyCheckout } from "../support/clone.ts";
import { nodeDirectories } from "../support/nodes.ts";
import { rgPath } from "../support/oracles.ts";
import { configOfExamples } from "./config.ts";
import type { Example } from "./markdown.ts";

/** What a block did. */
export interface Done {
  code: number;
  /** Standard output and standard error together, without Deno's word of downloads. */
  output: string;
}

/** Runs blocks. */
export class Reader implements AsyncDisposable {
  /** Holds `pathgrep`, a copy of the checkout, and `project`. */
  readonly tree: Tree;
  readonly #env: Record<string, string>;
  readonly #config: string;
  readonly #end: AsyncDisposableStack;

  private constructor(
    tree: Tree,
    env: Record<string, string>,
    config: string,
    end: AsyncDisposableStack,
  ) {
    this.tree = tree;
    this.#env = env;
    this.#config = config;
    this.#end = end;
  }

  /** @param installed whether `pathgrep` is a command already; otherwise JSR and npm have it */
  static async open(installed: boolean): Promise<Reader> {
    await using end = new AsyncDisposableStack();
    const tree = end.use(await tempTree({ "project/": null, "pathgrep/": null, "bin/": null }));
    const registry = end.use(await publishedPackage());
    const config = end.use(await configOfExamples());
    await copyCheckout(tree.path("pathgrep"));
    // Nothing of the package is cached, but what comes from npm does not have to come again.
    const npm = `${await denoDir()}/npm`;
    await Deno.mkdir(npm, { recursive: true });
    await tree.write({ "deno_dir/npm": { symlink: npm } });
    await Deno.symlink(await located(await rgPath()), tree.path("bin/rg"));
    await Deno.symlink(Deno.execPath(), tree.path("bin/deno"));
    if (installed) {
      const patience = `${CHECKOUT}tests/support/patience.ts`;
      const program =
        `#!/bin/sh\nexec deno run -A --preload='${patience}' '${CHECKOUT}cli.ts' "$@"\n`;
      await tree.write({ "bin/pathgrep": program });
      await Deno.chmod(tree.path("bin/pathgrep"), 0o755);
    }
    const env = {
      PATH: ["bin", "installed/bin", "npm/bin"].map((name) => `${tree.path(name)}:`).join("") +
        Deno.env.get("PATH"),
      DENO_DIR: tree.path("deno_dir"),
      DENO_INSTALL_ROOT: tree.path("installed"),
      DENO_NO_UPDATE_CHECK: "1",
      JSR_URL: registry.url,
      NO_COLOR: "1",
      TERM: "dumb", // shows no links
      PATHGREP: tree.path("pathgrep"),
    };
    if (!installed) {
      const [oldest] = await nodeDirectories();
      Object.assign(env, {
        PATH: `${oldest}:${env.PATH}`,
        npm_config_registry: end.use(await npmRegistry()).url,
        npm_config_prefix: tree.path("npm"),
      });
    }
    return new Reader(tree, env, config.path, end.move());
  }

  /**
   * Runs a block in a directory of the tree: a script, where it says so at a terminal without colours or
   * links, a program in TypeScript for Deno, or one in JavaScript for Node.js with the npm package.
   */
  async run({ language, text, place, terminal }: Example, directory: string): Promise<Done> {
    if (language === "sh" && terminal) {
      await this.tree.write({ "example.sh": text });
      const line = `bash '${this.tree.path("example.sh")}'`;
      const done = await this.spawn("script", ["-qec", line, "/dev/null"], directory);
      return { ...done, output: done.output.replaceAll("\r\n", "\n") };
    }
    if (language === "sh") return await this.spawn("bash", ["-c", `exec 2>&1\n${text}`], directory);
    if (language === "js") {
      const [oldest] = await nodeDirectories();
      await npm(["install", "--offline", (await packedPackage()).file], this.tree.root);
      await this.tree.write({ "example.mjs": text });
      return await this.spawn(`${oldest}/node`, [this.tree.path("example.mjs")], directory);
    }
    assert.equal(language, "ts", `${place}: what is ${language}?`);
    await this.tree.write({ "example.ts": text });
    const flags = text.includes("jsr:") ? ["--no-config"] : ["--no-lock", "--config", this.#config];
    return await this.spawn(
      "deno",
      ["run", "-A", "--quiet", ...flags, this.tree.path("example.ts")],
      directory,
    );
  }

  /** Runs a program to its end. */
  async spawn(program: string, args: string[], directory: string, stdin = ""): Promise<Done> {
    const { code, stdout, stderr } = await spawn(program, args, {
      cwd: this.tree.path(directory),
      env: this.#env,
      stdin,
    });
    return { code, output: (stdout + stderr).replace(/^(Download|Initialize|Check) .*\n/gm, "") };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end.disposeAsync();
  }
}

/** The absolute path of a program. */
async function located(program: string): Promise<string> {
  if (program.startsWith("/")) return program;
  const { stdout } = await new Deno.Command("sh", { args: ["-c", `command -v ${program}`] })
    .output();
  return new TextDecoder().decode(stdout).trim();
}
