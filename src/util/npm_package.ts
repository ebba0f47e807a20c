/**
 * Loads npm packages that only some commands need, in the versions of `deno.json`.
 *
 * Deno fetches each package with a literal specifier on the program's first run, whether that part runs
 * or not. The specifiers here are computed, so that a search fetches nothing.
 *
 * @module
 */

import manifest from "../../deno.json" with { type: "json" };
import { PathgrepError } from "./errors.ts";

/**
 * Loads a package, and fetches it if it is not in Deno's cache.
 *
 * @param name its name in the imports of `deno.json`
 * @param subpath an entry point below it, such as `/stdio`
 * @throws {PathgrepError} `search_failed`, with Deno's reason and a hint
 */
export async function importPackage<T>(
  name: keyof typeof manifest.imports,
  subpath = "",
): Promise<T> {
  const requirement = manifest.imports[name].slice("npm:".length) + subpath;
  try {
    // Without the slash `deno publish` warns that it cannot rewrite the specifier.
    return await import(`npm:/${requirement}`) as T;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new PathgrepError("search_failed", `npm:${requirement} cannot be loaded: ${reason}`, {
      hint: "add --no-config to deno run, or Deno obeys the deno.json and package.json of the " +
        "directory it starts in; the first time, the package comes from the network",
    }, { cause: error });
  }
}
