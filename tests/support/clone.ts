/**
 * A clone of the repository.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CHECKOUT } from "./run.ts";

/** Copies the checkout, as it would be committed, into a directory. */
export async function copyCheckout(directory: string): Promise<void> {
  const { stdout } = await new Deno.Command("git", {
    args: ["ls-files", "-co", "--exclude-standard", "-z"],
    cwd: CHECKOUT,
  }).output();
  const paths = new TextDecoder().decode(stdout).split("\0").filter((path) => path !== "");
  assert.ok(paths.length > 100, "git lists the checkout");
  for (const path of paths) {
    await Deno.mkdir(`${directory}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    // A file that is deleted and not committed yet is listed, too.
    await Deno.copyFile(CHECKOUT + path, `${directory}/${path}`).catch((error) => {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    });
  }
}
