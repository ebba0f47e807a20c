/**
 * What Deno permits this process. Nothing here makes Deno ask.
 *
 * @module
 */

/** Whether each of these permissions is granted. */
export function isGranted(...permissions: readonly Deno.PermissionDescriptor[]): boolean {
  return permissions.every((each) => Deno.permissions.querySync(each).state === "granted");
}

export function mayRead(path: string): boolean {
  return isGranted({ name: "read", path });
}
