/**
 * `pathgrep doctor`: what pathgrep has to work with here, and what it has that it does not need.
 *
 * Permissions are queried and never asked for: the report is the same with and without a terminal.
 *
 * @module
 */
import manifest from "../../../deno.json" with { type: "json" };
import { PathgrepError } from "../../util/errors.ts";
import { resolve } from "../../util/path.ts";
import { WorkerPool } from "../../search/js/pool.ts";
import { type EngineStatus, probeEngines } from "./engine_probe.ts";
import { excessOf, leastFlags } from "./least_privilege.ts";
import { refuseOperands } from "./no_operands.ts";
import { openWorkspace } from "../open_workspace.ts";
import { stdout } from "../output.ts";
import { jsonLine } from "../render_json.ts";
import type { Settings } from "../settings.ts";

const PERMISSIONS = ["read", "write", "run", "env", "net", "sys", "ffi", "import"] as const;

interface Report {
  versions: { pathgrep: string; deno: string; v8: string; typescript: string };
  engines: Record<string, EngineStatus>;
  /** Threads that a long search may use beside the main one. */
  workers: number;
  /** What Deno grants without limits; what is granted in part reads "prompt". */
  permissions: Record<string, Deno.PermissionState>;
  workspace: { roots: readonly string[]; readable: boolean };
  /** The smallest set of permissions for a search of this workspace with the engine asked for. */
  least_privilege: string;
  /** What is granted beyond it. */
  warnings?: string[];
}

/** Writes the report: one JSON object. */
export async function run(settings: Settings, operands: readonly string[]): Promise<number> {
  refuseOperands("doctor", operands);
  const roots = await rootsOf(settings);
  const { engine = "auto" } = settings.query;
  const engines = await probeEngines(roots);
  const least = leastFlags(roots, engine, engines[engine]);
  const warnings = excessOf(roots, least);
  const report: Report = {
    versions: { pathgrep: manifest.version, ...Deno.version },
    engines,
    workers: WorkerPool.isAvailable ? WorkerPool.size : 0,
    permissions: Object.fromEntries(PERMISSIONS.map((name) => [name, stateOf({ name })])),
    workspace: {
      roots,
      readable: roots.every((path) => stateOf({ name: "read", path }) === "granted"),
    },
    least_privilege: `deno run ${least.join(" ")}`,
    ...(warnings.length === 0 ? {} : { warnings }),
  };
  stdout.write(
    settings.format === "text" ? JSON.stringify(report, null, 2) + "\n" : jsonLine(report),
  );
  return 0;
}

/** The roots, as given where they cannot be read: that is what the report is to say. */
async function rootsOf(settings: Settings): Promise<readonly string[]> {
  try {
    return (await openWorkspace(settings)).roots;
  } catch (thrown) {
    if (PathgrepError.from(thrown).code !== "path_access_denied") throw thrown;
    return (settings.workspace.length > 0 ? settings.workspace : ["."]).map((root) =>
      resolve(root)
    );
  }
}

function stateOf(descriptor: { name: string; path?: string }): Deno.PermissionState {
  return Deno.permissions.querySync(descriptor as Deno.PermissionDescriptor).state;
}
