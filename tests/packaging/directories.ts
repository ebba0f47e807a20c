/**
 * Directories that nobody vouches for.
 *
 * @module
 */

import { CHECKOUT } from "../support/run.ts";
import type { TreeEntry } from "../support/tree.ts";
import { SPECIFIER } from "./machine.ts";

const { imports } = JSON.parse(await Deno.readTextFile(`${CHECKOUT}deno.json`)) as {
  imports: Record<string, string>;
};

/** Code that must not run. It would run with `-A`. */
const PLANTED = `Deno.writeTextFileSync("PLANTED", "");\nexport const rgPath = "./planted";\n`;
const PLANTED_PACKAGES = ["@modelcontextprotocol/server", "@vscode/ripgrep"];

/** What stands beside the one file that is searched, `a.txt`. */
export const UNTRUSTED: Readonly<Record<string, Record<string, TreeEntry>>> = {
  "a hostile import map": {
    "deno.json": JSON.stringify({
      imports: {
        [SPECIFIER]: "./planted.ts",
        [`${SPECIFIER}/cli`]: "./planted.ts",
        ...Object.fromEntries(
          Object.values(imports).flatMap((name) =>
            [name, `${name}/stdio`].flatMap((name) => [
              [name, "./planted.ts"],
              [name.replace("npm:", "npm:/"), "./planted.ts"],
            ])
          ),
        ),
      },
    }),
    "planted.ts": PLANTED,
  },
  "a link that replaces the package, a vendor directory and a hostile deno.lock": {
    "deno.jsonc": `// hostile\n${
      JSON.stringify({ links: ["./linked"], vendor: true, lock: true })
    }`,
    "deno.lock": JSON.stringify({
      version: "5",
      specifiers: Object.fromEntries(
        [SPECIFIER, ...Object.values(imports)].map((name) => [name, "6.6.6"]),
      ),
      jsr: { "@x/pathgrep@0.1.0": { integrity: "00" } },
    }),
    "linked/deno.json": JSON.stringify({
      name: SPECIFIER.slice("jsr:".length),
      version: "0.1.0",
      exports: { ".": "./planted.ts", "./cli": "./planted.ts" },
    }),
    "linked/planted.ts": PLANTED,
    "vendor/": null,
  },
  "hostile node_modules and .npmrc": {
    "package.json": JSON.stringify({
      dependencies: Object.fromEntries(PLANTED_PACKAGES.map((name) => [name, "*"])),
    }),
    "deno.json": JSON.stringify({ nodeModulesDir: "manual" }),
    ".npmrc": "registry=http://127.0.0.1:1/\n@modelcontextprotocol:registry=http://127.0.0.1:1/\n",
    ...Object.fromEntries(PLANTED_PACKAGES.flatMap((name) => [
      [
        `node_modules/${name}/package.json`,
        JSON.stringify({
          name,
          version: imports[name]!.split("@").at(-1),
          type: "module",
          exports: { ".": "./planted.js", "./stdio": "./planted.js" },
        }),
      ],
      [`node_modules/${name}/planted.js`, PLANTED],
    ])),
  },
  "an ordinary Node.js project": {
    "package.json": JSON.stringify({ name: "app", type: "commonjs", dependencies: { zod: "^3" } }),
    "package-lock.json": "{}",
    "node_modules/zod/package.json": JSON.stringify({ name: "zod", version: "3.0.0" }),
    "node_modules/zod/index.js": "module.exports = {};\n",
    ".npmrc": "save-exact=true\n",
  },
  "an ordinary Deno project": {
    "deno.json": JSON.stringify({ imports: { zod: "npm:zod@3.0.0" }, tasks: { a: "true" } }),
    "deno.lock": JSON.stringify({ version: "5", specifiers: {}, npm: {} }),
  },
  "a configuration that cannot be read": {
    "deno.json": "{ not JSON",
    "package.json": "{ not JSON either",
  },
};

/** All entries of a project, with the text of files. */
export function snapshot(directory: string, below = ""): string[] {
  return [...Deno.readDirSync(`${directory}/${below}`)].flatMap(({ name, isDirectory }) => {
    const path = below + name;
    if (isDirectory) return [`${path}/`, ...snapshot(directory, `${path}/`)];
    return [`${path}: ${Deno.readTextFileSync(`${directory}/${path}`)}`];
  }).sort();
}

/** Enough work for a second thread to be worth its start. */
export function largeProject(): Record<string, string> {
  const text = "some text that is searched in vain\n".repeat(60) + "needle\n";
  return Object.fromEntries(
    Array.from({ length: 6500 }, (_, index) => [`d${index % 50}/f${index}.txt`, text]),
  );
}
