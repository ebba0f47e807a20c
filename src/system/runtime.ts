/**
 * Whether this is Deno: what each has of its own is behind the other modules of this folder.
 *
 * The builds of `npm/` put another module in the place of this one.
 *
 * @module
 */

/** What Node.js and Bun have, where they run. Deno does not load a name that is put together. */
export const node: typeof import("./node/system.ts") | undefined = typeof Deno === "object"
  ? undefined
  : await import(`./node/system.${import.meta.url.slice(-2)}`);
