/**
 * `deno task names --owner NAME --scope NAME --package NAME`: puts the names of the accounts and of the npm
 * package everywhere in the place of those in `names.json`. With `--dry-run` it only lists the files.
 *
 * @module
 */

import { join } from "node:path";
import { parseArgs } from "node:util";
import { CHECKOUT } from "./bundle.ts";

/** Where the project is published. */
interface Names {
  /** Of the repository, on GitHub. */
  readonly owner: string;
  /** On JSR, without its `@`. */
  readonly scope: string;
  /** The package's on npm, which may have a scope of its own. */
  readonly package: string;
}

const FILE = "npm/names.json";
/** What each name may be, by the rules of GitHub, JSR and npm. */
const ALLOWED: Readonly<Record<keyof Names, RegExp>> = {
  owner: /^[a-z\d](?:-?[a-z\d]){0,38}$/i,
  scope: /^[a-z\d][a-z\d-]{0,19}$/,
  package: /^(?:@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*$/,
};
/** What stands before the name of the package on npm. The command has the same name, and keeps it. */
const BEFORE_PACKAGE = [
  String.raw`\bnpx (?:-y )?`,
  String.raw`\bnpm (?:install|uninstall|view|trust github|dist-tag rm)(?: -g| --save-dev)* `,
  ...[`"-y", "`, `"npx", "`, String.raw`\bfrom "`, String.raw`\brequire\("`],
  ...[String.raw`npmjs\.com/package/`, "shields.io/npm/v/", `"package": "`, `"identifier": "`],
  ...["node_modules/", String.raw`npm root -g\)/`],
].join("|");

/** Finds the names in a text, by where they stand. */
function patternOf(names: Names): RegExp {
  const [owner, scope, npm] = [names.owner, names.scope, names.package].map(RegExp.escape);
  return RegExp(
    [
      `(?<=${BEFORE_PACKAGE})(?<package>${npm})(?![\\w.-])`,
      `(?<![\\w-])(?<owner>${owner})(?=/pathgrep\\b)`,
      `@(?<scope>${scope})(?=\\\\?/pathgrep\\b)`,
    ].join("|"),
    "g",
  );
}

/** A text with other names, and how many were changed. */
export function renamed(text: string, from: Names, to: Names): [text: string, count: number] {
  let count = 0;
  const changed = text.replace(patternOf(from), (...match) => {
    const groups = match.at(-1) as Record<keyof Names, string | undefined>;
    count++;
    if (groups.package !== undefined) return to.package;
    return groups.owner === undefined ? `@${to.scope}` : to.owner;
  });
  return [changed, count];
}

async function run(command: string, ...args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args, cwd: CHECKOUT })
    .output();
  if (!success) throw new Error(`${command} failed: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

/** Changes the names in every file that git knows, and what is made of them. */
async function rename(from: Names, to: Names, isDry: boolean): Promise<void> {
  const changedFiles: string[] = [];
  for (const path of (await run("git", "ls-files", "-z")).split("\0")) {
    if (path === "" || path === FILE) continue;
    const old = await Deno.readTextFile(join(CHECKOUT, path));
    const [text, count] = renamed(old, from, to);
    if (count === 0) continue;
    console.log(`${path}: ${count}`);
    changedFiles.push(path);
    if (!isDry) await Deno.writeTextFile(join(CHECKOUT, path), text);
  }
  if (isDry) return console.log("nothing was changed: --dry-run");
  await Deno.writeTextFile(join(CHECKOUT, FILE), JSON.stringify(to) + "\n");
  await run(
    Deno.execPath(),
    "run",
    "-A",
    "--lock=deno.lock",
    "--frozen",
    "npm/plugin.ts",
    "--manifests",
  );
  await run(Deno.execPath(), "fmt", "--quiet", FILE, ...changedFiles);
  console.log(`${FILE}: ${JSON.stringify(to)}\nthe manifests of the plugin are written anew`);
}

/** The names that a command line gives, the others as they are. */
function namesOf(options: Readonly<Record<string, unknown>>, from: Names): Names {
  const given = Object.entries(options).filter(([key]) => key in ALLOWED);
  for (const [key, value] of given) {
    if (!ALLOWED[key as keyof Names].test(String(value))) {
      throw new TypeError(`--${key} cannot be ${JSON.stringify(value)}`);
    }
  }
  return { ...from, ...Object.fromEntries(given) };
}

async function main(): Promise<void> {
  const option = { type: "string" } as const;
  const { values } = parseArgs({
    options: { owner: option, scope: option, package: option, "dry-run": { type: "boolean" } },
  });
  const from = JSON.parse(await Deno.readTextFile(join(CHECKOUT, FILE))) as Names;
  const { "dry-run": isDry = false, ...names } = values;
  await rename(from, namesOf(names, from), isDry);
}

if (import.meta.main) {
  await main().catch((error) => {
    console.error(error.message);
    Deno.exit(2);
  });
}
