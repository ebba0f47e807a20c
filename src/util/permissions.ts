/**
 * What Deno permits this process. Nothing here makes Deno ask.
 *
 * @module
 */

/** Whether each of these permissions is granted. */
export function isGranted(...permissions: readonly Deno.PermissionDescriptor[]): boolean {
  return permissions.every((each) => Deno.permissions.querySync(each).state === "granted");
}

/** A variable of the environment, where it may be read. */
export function readVariable(variable: string): string | undefined {
  return isGranted({ name: "env", variable }) ? Deno.env.get(variable) : undefined;
}

export function mayRead(path: string): boolean {
  return isGranted({ name: "read", path });
}
