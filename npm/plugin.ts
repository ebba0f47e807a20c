/**
 * `deno task plugin`: writes the manifests of the plugin, and builds in `plugin/` what they start, which is
 * in the npm package and not in the repository. With `--manifests` it writes and builds nothing.
 *
 * @module
 */

import { join } from "node:path";
import { buildPackage } from "./build.ts";
import { CHECKOUT, removeAll, writeText } from "./bundle.ts";
import { manifests } from "./manifests.ts";

/** Writes the manifests into a checkout. */
export async function writeManifests(checkout = CHECKOUT): Promise<void> {
  for (const [path, text] of Object.entries(await manifests())) {
    await writeText(join(checkout, path), text);
  }
}

if (import.meta.main) {
  await writeManifests();
  if (!Deno.args.includes("--manifests")) {
    const built = join(CHECKOUT, "dist/plugin");
    await buildPackage(built);
    for (const name of ["lib", "pathgrep.cjs"]) {
      await removeAll(join(CHECKOUT, "plugin", name));
      await Deno.rename(join(built, name), join(CHECKOUT, "plugin", name));
    }
    await removeAll(built);
  }
}
