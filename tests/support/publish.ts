/**
 * Tables in the documentation that a program writes, each between two comments with its name.
 *
 * @module
 */

import { fileURLToPath } from "node:url";

/** A pattern of what stands between the markers of a name. */
function between(name: string): RegExp {
  return new RegExp(`(?<=<!-- ${name} -->\n)[^]*?(?=\n<!-- /${name} -->)`);
}

/** What stands between the markers of a text; none if it has no such markers. */
export function published(markdown: string, name: string): string | undefined {
  return between(name).exec(markdown)?.[0].trim();
}

/** Puts text between the markers of a file of the checkout, if it has them. */
export async function publish(path: string, name: string, text: string): Promise<void> {
  const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const old = await Deno.readTextFile(file);
  const now = old.replace(between(name), () => `\n${text}\n`);
  if (now !== old) await Deno.writeTextFile(file, now);
}
