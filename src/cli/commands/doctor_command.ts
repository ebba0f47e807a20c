/**
 * `pathgrep doctor`: engines, permissions held and needed, workspace and versions.
 *
 * Permissions are queried and never requested: the report is the same with and without a terminal.
 *
 * @module
 */
import manifest from "../../../deno.json" with { type: "json" };
import { PathgrepError } from "../../util/errors.ts";
import { isBarredAbove, rulesAbove, UNREAD_ABOVE } from "../../paths/rules_above.ts";
import { resolve } from "../../util/path.ts";
import { WorkerPool } from "../../threads/worker_pool.ts";
import { probeEngines } from "./engine_probe.ts";
import { controlResident, NOT_RUNNING } from "../ask_resident.ts";
import { excessOf, leastFlags, programName } from "./least_privilege.ts";
import { ruleFilesAbove, ruleFilesIn } from "./rule_files.ts";
import { jsonLine } from "../printers/json_printer.ts";
import type { Settings } from "../options/settings.ts";
import type { Host } from "../host.ts";
import { refuseOperands, type RunCommand } from "./command.ts";
import { permissionStatus } from "../../system/permissions.ts";
import { VERSIONS } from "../../system/process.ts";
import type { Permission, PermissionState } from "../../system/types.ts";

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
  const above = rulesAbove(roots);
  const starts = new Set(above.map(({ levels }) => levels[0]!.directory));
  const report = {
    versions: { pathgrep: manifest.version, ...VERSIONS },
    engines,
    // Threads that a long search may use beside the main one.
    workers: pool.canStart ? pool.size : 0,
    resident: JSON.parse(await controlResident("status", settings) ?? NOT_RUNNING),
    // What is granted in part reads "prompt".
    permissions: Object.fromEntries(PERMISSIONS.map((name) => [name, stateOf({ name })])),
    workspace: {
      roots,
      readable: roots.every((path) => stateOf({ name: "read", path }) === "granted"),
      ...(starts.size === 0 ? {} : { repositories_above: [...starts] }),
    },
    // Above the roots and in them; those of the directories in them count, too.
    rule_files: [
      ...ruleFilesAbove(above),
      ...roots.flatMap((root) => ruleFilesIn(root, roots)),
    ],
    // For a search of this workspace with the engine asked for; the search's arguments follow.
    least_privilege: ["deno run --no-config --no-prompt", ...least, programName()].join(" "),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(isBarredAbove(roots) ? { notes: [UNREAD_ABOVE] } : {}),
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

function stateOf(permission: Permission): PermissionState {
  return permissionStatus(permission).state;
}
