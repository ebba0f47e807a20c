/**
 * Which tests are run for a mutant, and in which order.
 *
 * @module
 */

import { SLOW } from "../../tests/support/needs.ts";

/** Tests that are run together. */
export interface Stage {
  /** A file, from the root of the checkout. */
  readonly file: string;
  /** What the names of those tests are like, as `--filter` of `deno test` has it. */
  readonly filter: string;
}

/** Slow tests: those of the folder itself run after all others. */
const SLOW_ONES = `/${SLOW}$/`;
const OTHERS = `/[^${SLOW.trim()}]$/`;

/** By folder of the source: which folders and files of `tests/` use it most, besides its own. */
const FURTHER: Readonly<Record<string, readonly string[]>> = {
  answer: ["search", "contract", "tools"],
  cache: ["resident"],
  cli: ["contract", "packaging/completions.test.ts", "resident/serve.test.ts"],
  exclusions: ["guard", "contract", "walk"],
  glob: ["walk", "contract"],
  guard: ["contract", "walk", "mcp"],
  outline: ["tools"],
  paths: ["workspace", "contract", "walk"],
  query: ["search", "contract", "tools"],
  read: ["walk", "search", "contract", "cache"],
  reasons: ["contract", "search"],
  regex: ["run", "search"],
  resident: ["cache/callers.test.ts"],
  run: ["search", "contract", "hostile/parallel_searches.test.ts"],
  search: ["run", "contract", "tools"],
  tools: ["contract", "mcp", "dev/malformed_calls.test.ts"],
  util: ["contract", "walk", "workspace", "paths"],
  walk: ["contract", "search", "cache"],
  workspace: ["contract", "guard", "tools", "walk"],
};

/**
 * The stages of a file's mutants, those first that are the most likely to notice one: the tests that are
 * named like the file, those of its folder, further ones, and slow ones of its folder.
 *
 * @param root the checkout, ending in a slash
 * @param file a file of the source, such as `src/guard/policy.ts`
 */
export function stagesOf(root: string, file: string): Stage[] {
  const [, folder = "", ...rest] = file.split("/");
  const namesake = `tests/${folder}/${rest.at(-1)!.replace(/\.ts$/, ".test.ts")}`;
  const own = testFilesIn(root, `tests/${folder}`);
  const further = (FURTHER[folder] ?? []).flatMap((name) => testFilesIn(root, `tests/${name}`));
  const inTurn = [...own.filter((test) => test === namesake), ...own, ...further];
  return [
    ...[...new Set(inTurn)].map((file) => ({ file, filter: OTHERS })),
    ...own.map((file) => ({ file, filter: SLOW_ONES })),
  ];
}

function testFilesIn(root: string, path: string): string[] {
  if (path.endsWith(".ts")) return [path];
  const names = [...Deno.readDirSync(root + path)].map(({ name }) => name);
  return names.filter((name) => name.endsWith(".test.ts")).sort().map((name) => `${path}/${name}`);
}
