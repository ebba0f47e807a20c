/**
 * `pathgrep doctor`: engines, permissions held and needed, workspace and versions.
 *
 * Permissions are queried and never requested: the report is the same with and without a terminal.
 *
 * @module
 */
import manifest from "../../../deno.json" with { type: "json" };
import { PathgrepError } from "../../util/errors.ts";
import { shellWord } from "../../util/escape.ts";
import { infoAt } from "../../util/file_info.ts";
import { dirname, join, resolve } from "../../util/path.ts";
import { WorkerPool } from "../../threads/worker_pool.ts";
import { probeEngines } from "./engine_probe.ts";
import { controlResident, NOT_RUNNING } from "../ask_resident.ts";
import { excessOf, leastFlags, programName } from "./least_privilege.ts";
import { ruleFilesIn } from "./rule_files.ts";
import { jsonLine } from "../printers/json_printer.ts";
import type { Settings } from "../options/settings.ts";
import type { Host } from "../host.ts";
import { refuseOperands, type RunCommand } from "./command.ts";

const PERMISSIONS = ["read", "write", "run", "env", "net", "sys", "ffi", "import"] as const;

/** Writes the report: one JSON object or, in text, a line for each part. */
export const run: RunCommand = async (settings, operands, _, host) => {
  refuseOperands("doctor", operands);
  const roots = await rootsOf(settings, host);
  const { engine = "auto" } = settings.query;
  const pool = new WorkerPool();
  const engines = await probeEngines(roots);
  const least = leastFlags(roots, engine, engines[engine]);
  const warnings = excessOf(roots, least);
  const above = [...new Set(roots.flatMap((root) => repositoryAbove(root) ?? []))];
  const report = {
    versions: { pathgrep: manifest.version, ...Deno.version },
    engines,
    // Threads that a long search may use beside the main one.
    workers: pool.canStart ? pool.size : 0,
    resident: JSON.parse(await controlResident("status", settings) ?? NOT_RUNNING),
    // What is granted in part reads "prompt".
    permissions: Object.fromEntries(PERMISSIONS.map((name) => [name, stateOf({ name })])),
    workspace: {
      roots,
      readable: roots.every((path) => stateOf({ name: "read", path }) === "granted"),
      ...(above.length === 0 ? {} : { repositories_above: above }),
    },
    // In the roots; those of the directories in them count, too.
    rule_files: roots.flatMap((root) => ruleFilesIn(root, roots)),
    // For a search of this workspace with the engine asked for; the search's arguments follow.
    least_privilege: ["deno run --no-config --no-prompt", ...least, programName()].join(" "),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(above.length === 0 ? {} : { notes: above.map(noteOnRepository) }),
  };
  if (settings.format === "text") {
    const { reportText } = await import("./doctor_text.ts");
    host.stdout.write(reportText(report));
  } else {
    host.stdout.write(jsonLine(report));
  }
  return 0;
};

/** The roots, as given where they cannot be read, which the report is to show. */
async function rootsOf(settings: Settings, host: Host): Promise<readonly string[]> {
  try {
    return (await host.openWorkspace(settings)).roots;
  } catch (thrown) {
    if (PathgrepError.from(thrown).code !== "path_access_denied") throw thrown;
    const given = settings.workspace.length > 0 ? settings.workspace : ["."];
    return given.map((root) => resolve(root));
  }
}

/** The directory above a root in which its repository begins, as far as Deno lets it be read. */
function repositoryAbove(root: string): string | undefined {
  if (infoAt(join(root, ".git")) !== undefined) return undefined;
  for (let path = dirname(root), below = root; path !== below; below = path, path = dirname(path)) {
    const git = join(path, ".git");
    if (stateOf({ name: "read", path: git }) !== "granted") return undefined;
    if (infoAt(git) !== undefined) return path;
  }
  return undefined;
}

function noteOnRepository(path: string): string {
  return `the git repository starts above the workspace, at ${path}: ` +
    "its ignore files are not read, so files such as those in node_modules are searched; " +
    `use --workspace ${shellWord(path)} to apply them`;
}

function stateOf(descriptor: { name: string; path?: string }): Deno.PermissionState {
  return Deno.permissions.querySync(descriptor as Deno.PermissionDescriptor).state;
}
