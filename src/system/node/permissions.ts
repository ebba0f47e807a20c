/**
 * What Node.js permits, which is everything unless it was started with `--permission`.
 *
 * @module
 */

import type { Permission, PermissionState } from "../types.ts";
import { builtin } from "./builtin.ts";

/** What Node.js restricts, of what Deno does. */
const SCOPES = { read: "fs.read", write: "fs.write", run: "child", ffi: "addon" } as const;

export function permissionStatus(
  permission: Permission,
): { state: PermissionState; partial: boolean } {
  return { state: isGranted(permission) ? "granted" : "denied", partial: false };
}

function isGranted(permission: Permission): boolean {
  const { name } = permission;
  const held = process.permission;
  if (held === undefined || !(name in SCOPES)) return true;
  const scope = SCOPES[name as keyof typeof SCOPES];
  const path = "path" in permission ? permission.path : undefined;
  return path === undefined
    ? held.has(scope)
    : held.has(scope, path instanceof URL ? builtin("node:url").fileURLToPath(path) : path);
}

export function readVariable(variable: string): string | undefined {
  return process.env[variable];
}
