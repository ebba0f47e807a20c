/**
 * `pathgrep doctor`: what pathgrep has to work with here.
 *
 * Permissions are queried and never asked for: the report is the same with and without a terminal.
 *
 * @module
 */
import manifest from "../../deno.json" with { type: "json" };
import { PathgrepError } from "../errors.ts";
import { type EngineStatus, probeEngines } from "./engine_probe.ts";
import { openWorkspace } from "./open_workspace.ts";
import { stdout } from "./output.ts";
import { jsonLine } from "./render_json.ts";
import type { Settings } from "./settings.ts";

const PERMISSIONS = ["read", "write", "run", "env", "net", "sys", "ffi", "import"] as const;

interface Report {
  versions: { pathgrep: string; deno: string; v8: string; typescript: string };
  engines: Record<string, EngineStatus>;
  /** What Deno grants without conditions, in part, or not. */
  permissions: Record<string, Deno.PermissionState | "partial">;
  workspace: { roots: readonly string[]; readable: boolean };
  /** The smallest set of permissions for a search of this workspace. */
  least_privilege: string;
}

/** Writes the report: one JSON object. */
export async function run(settings: Settings, operands: readonly string[]): Promise<number> {
  if (operands.length > 0) {
    throw new PathgrepError("invalid_input", `doctor takes no operands, got ${operands.join(" ")}`);
  }
  const { roots } = await openWorkspace(settings);
  const report: Report = {
    versions: { pathgrep: manifest.version, ...Deno.version },
    engines: await probeEngines(),
    permissions: Object.fromEntries(PERMISSIONS.map((name) => [name, permissionState(name)])),
    workspace: {
      roots,
      readable: roots.every((path) => isGranted({ name: "read", path })),
    },
    least_privilege: `deno run --no-prompt --allow-read=${roots.map(quoted).join(",")}`,
  };
  stdout.write(
    settings.format === "text" ? JSON.stringify(report, null, 2) + "\n" : jsonLine(report),
  );
  return 0;
}

function permissionState(name: (typeof PERMISSIONS)[number]): Deno.PermissionState | "partial" {
  const status = Deno.permissions.querySync({ name } as Deno.PermissionDescriptor);
  return status.partial ? "partial" : status.state;
}

function isGranted(descriptor: Deno.PermissionDescriptor): boolean {
  return Deno.permissions.querySync(descriptor).state === "granted";
}

/** A path as a shell takes it. */
function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
