/**
 * The permissions that a search needs, and those granted beyond them.
 *
 * @module
 */
import { pathOfFileUrl } from "../../paths/paths.ts";
import { dirname } from "../../util/path.ts";
import type { EngineName } from "../../search/query.ts";
import { grantable } from "../../paths/canonical.ts";
import type { EngineStatus } from "./engine_probe.ts";
import { isGranted } from "../../system/permissions.ts";
import { IS_COMPILED } from "../../system/platform.ts";
import { mainModule } from "../../system/process.ts";
import type { Permission } from "../../system/types.ts";
import { shellWord } from "../../util/escape.ts";

/**
 * The permission flags that a search needs: for reading, for running, for the environment.
 *
 * @param roots canonical
 * @param status of the engine, unless that is `auto`, which searches with `js`
 */
export function leastFlags(
  roots: readonly string[],
  engine: EngineName | "auto",
  status?: EngineStatus,
): string[] {
  if (status?.source === "npm") return ["--allow-read", "--allow-run", "--allow-env"];
  const flags = [`--allow-read=${roots.map((root) => shellWord(grantable(root))).join(",")}`];
  if (engine === "auto" || engine === "js") return flags;
  // Without PATH, Deno also runs a program of the workspace.
  return [...flags, `--allow-run=${engine}`, "--allow-env=PATH"];
}

/** pathgrep as JSR has it. */
const PUBLISHED = "jsr:@x/pathgrep/cli";
/** Where this module is in the program's sources. */
const SOURCE = "/src/cli/commands/least_privilege.ts";

/** The running program as `deno run` takes it; of a compiled one, which has its permissions, the published. */
export function programName(): string {
  const { url } = import.meta;
  if (IS_COMPILED || /^https?:\/\/[^/]+\/@x\/pathgrep\//.test(url)) return PUBLISHED;
  // A bundle has no such sources.
  const main = url.endsWith(SOURCE) ? `${url.slice(0, -SOURCE.length)}/cli.ts` : mainModule();
  return shellWord(pathOfFileUrl(main) ?? main);
}

/** The permissions of `-A` that concern pathgrep. */
const ALL = (["read", "write", "run", "env", "net", "sys", "ffi"] as const)
  .map((name) => ({ name }));

/** The uses of permissions that no search by itself needs. */
const USES = {
  write: "only `serve`, its clients and the watch of `mcp` use it",
  net: "only `serve` and its clients use it, for their socket",
  ffi: "nothing uses it",
  sys: "only `serve` and its clients (uid) and links on a terminal (hostname) use it",
} as const;

/**
 * Warnings about what is granted beyond the {@linkcode leastFlags}; none for a compiled program, which
 * carries its permissions, nor for the bundle of the npm package, whose launcher decides them.
 */
export function excessOf(roots: readonly string[], least: readonly string[]): string[] {
  if (IS_COMPILED || !import.meta.url.endsWith(SOURCE)) return [];
  if (isGranted(...ALL)) {
    return ["Deno grants everything (-A); a search needs no more than least_privilege grants"];
  }
  const warnings: string[] = [];
  for (const [name, use] of Object.entries(USES)) {
    if (isGranted({ name } as Permission)) {
      warnings.push(`--allow-${name} is granted for everything; ${use}`);
    }
  }
  const [read, run, env] = least;
  if (isGranted({ name: "read" })) {
    if (read !== "--allow-read") {
      warnings.push(`--allow-read is granted for every path; ${read} is enough`);
    }
  } else if (roots.some((path) => isGranted({ name: "read", path: dirname(path) }))) {
    warnings.push(`--allow-read is granted for more than the workspace; ${read} is enough`);
  }
  if (isGranted({ name: "run" }) && run !== "--allow-run") {
    const enough = run === undefined ? "the engine js runs none" : `${run} is enough`;
    warnings.push(`--allow-run is granted for every program; ${enough}`);
  }
  if (env !== "--allow-env" && isGranted({ name: "env" })) {
    warnings.push(
      "--allow-env is granted for every variable; a search by itself reads PATH and TERM at most, to " +
        "find a program and to know a terminal (--allow-env=PATH,TERM)",
    );
  }
  return warnings;
}
