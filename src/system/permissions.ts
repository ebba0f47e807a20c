/**
 * What this process may do, and its environment. Nothing here makes the runtime ask.
 *
 * @module
 */

import { node } from "./runtime.ts";
import type { Permission, PermissionState } from "./types.ts";

/** How a permission stands; `partial`, if it is denied for a part of what it names. */
export function permissionStatus(
  permission: Permission,
): { state: PermissionState; partial: boolean } {
  return node?.permissions.permissionStatus(permission) ??
    Deno.permissions.querySync(permission as Deno.PermissionDescriptor);
}

/** Whether each of these permissions is granted. */
export function isGranted(...permissions: readonly Permission[]): boolean {
  return permissions.every((each) => permissionStatus(each).state === "granted");
}

export function mayRead(path: string): boolean {
  return isGranted({ name: "read", path });
}

/** A variable of the environment, where it may be read. */
export function readVariable(variable: string): string | undefined {
  if (node !== undefined) return node.permissions.readVariable(variable);
  return isGranted({ name: "env", variable }) ? Deno.env.get(variable) : undefined;
}
