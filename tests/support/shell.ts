/**
 * Runs commands in a shell as an agent does, with ripgrep and without anyone's configuration.
 *
 * @module
 */

import { dirname } from "node:path";
import { rgPath } from "./oracles.ts";
import { spawn } from "./spawn.ts";

/** What a command prints. */
export async function runInShell(command: string, cwd: string): Promise<string> {
  const env = {
    ...{ LC_ALL: "C.UTF-8", GIT_CONFIG_GLOBAL: "/dev/null", RIPGREP_CONFIG_PATH: "" },
    PATH: `${dirname(await rgPath())}:${Deno.env.get("PATH")}`,
  };
  return (await spawn("bash", ["-c", command], { cwd, env, limit: 60_000 })).stdout;
}
