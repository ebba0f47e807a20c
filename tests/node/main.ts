/**
 * `deno task test:node [VERSION…] [FILE…]`: runs tests on Node.js, in the versions that the npm package is
 * for. What a test imports of the sources is bundled with it as the package is; a process that it starts
 * is the package.
 *
 * @module
 */

import { stop } from "esbuild";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { buildPackage, lower, NODE_JS } from "../../npm/build.ts";
import { bundle } from "../../npm/bundle.ts";
import { nodeDirectories } from "../support/nodes.ts";
import { rgPath } from "../support/oracles.ts";
import { CHECKOUT } from "../support/run.ts";
import { spawn } from "../support/spawn.ts";
import { testsOnNode } from "./files.ts";

const TESTS = new URL("../", import.meta.url).href;
/** Modules that tests start as programs. */
const PROGRAMS = ["hostile/attack_driver.ts"];

/** The command line for what is compared with an answer that had time for all reasons. */
const PATIENT = [
  "patient.ts",
  `import "./tests/support/patience.ts";
import { runCommandLine } from "./src/cli/main.ts";
runCommandLine();
`,
];

/** The name of the module that runs a file of tests, or a program, and its text. */
function entryOf(file: string): [name: string, text: string] {
  if (!file.endsWith(".test.ts")) return [basename(file), `import "./tests/${file}";\n`];
  const name = file.replaceAll("/", ".").replace(".test.ts", ".ts");
  const text = `import "./tests/support/patience.ts";
import "./tests/${file}";
import { isOnNode } from "./tests/node/files.ts";
Deno.runTests("${file}", (name) => isOnNode("${file}", name), "${TESTS}${file}");
`;
  return [name, text];
}

/**
 * Starts the package, or another program of the tests, as `deno run` would. What may be read is restricted
 * as Node.js can.
 */
const denoScript = (directory: string, node: string) =>
  `#!/bin/sh
[ "$1" = info ] && exec echo '{ "denoDir": "${directory}" }'
[ "$1" = run ] || exit 70
shift
cli='${directory}/package/pathgrep.cjs'
flags='--permission
--allow-worker
--disable-warning=SecurityWarning
--allow-fs-read=${directory}'
while [ "\${1#-}" != "$1" ]; do
  case $1 in
    -A) flags= ;;
    --allow-read) flags="$flags
--allow-fs-read=*" ;;
    --allow-read=*) flags="$flags
$(echo "\${1#*=}" | tr , '\\n' | sed s/^/--allow-fs-read=/)" ;;
    --preload=*/patience.ts) cli='${directory}/tests/patient.js' ;;
    --allow-run*) flags="$flags
--allow-child-process" ;;
  esac
  shift
done
export PATHGREP_MAIN="$1"
shift
case $PATHGREP_MAIN in
  */cli.ts) set -- "$cli" "$@" ;;
  *) set -- --import '${directory}/tests/deno.js' \
    "${directory}/tests/$(basename "$PATHGREP_MAIN" .ts).js" "$@" ;;
esac
set -f
IFS='
'
exec '${node}' $flags "$@"
`;

/** Builds the package, and bundles the tests beside it. */
async function build(directory: string, files: readonly string[]): Promise<void> {
  await buildPackage(`${directory}/package`);
  const entries = Object.fromEntries([...[...files, ...PROGRAMS].map(entryOf), PATIENT]);
  const target = {
    ...NODE_JS,
    entries: [...Object.keys(entries), "mod.ts"],
    folders: ["tests", "npm"],
    modules: { ...NODE_JS.modules, ...entries },
  };
  await bundle(target, `${directory}/tests`);
  for (const name of ["deno", "reporter"]) {
    const { code, stderr } = await spawn(Deno.execPath(), [
      ...["bundle", "--quiet", "--output", `${directory}/tests/${name}.js`],
      fileURLToPath(new URL(`${name}.ts`, import.meta.url)),
    ]);
    if (code !== 0) throw new Error(stderr);
  }
  await lower(`${directory}/tests`, false);
  await stop();
}

/** Runs the files on one version of Node.js; whether all is well. */
async function run(directory: string, node: string, files: readonly string[]): Promise<boolean> {
  const deno = `${directory}/deno`;
  await Deno.writeTextFile(deno, denoScript(directory, node), { mode: 0o755 });
  const rg = await rgPath(); // Node.js finds it in PATH alone
  const { code } = await new Deno.Command(node, {
    args: [
      ...["--test", `--test-concurrency=${navigator.hardwareConcurrency}`],
      ...["--import", `${directory}/tests/deno.js`],
      ...[
        "--test-reporter",
        `${directory}/tests/reporter.js`,
        "--test-reporter-destination=stdout",
      ],
      ...files.map((file) => `${directory}/tests/${entryOf(file)[0].replace(/ts$/, "js")}`),
    ],
    cwd: CHECKOUT,
    env: {
      PATHGREP_DENO: deno,
      ...rg.includes("/") ? { PATH: `${dirname(rg)}:${Deno.env.get("PATH")}` } : {},
    },
    stdin: "null",
  }).spawn().status;
  return code === 0;
}

async function main(words: readonly string[]): Promise<boolean> {
  const isVersion = (word: string) => /^\d+$/.test(word);
  const isAsked = (path: string) => (word: string) => path.includes(word);
  const versions = words.filter(isVersion).map((version) => `/${version}.`);
  const starts = words.filter((word) => !isVersion(word));
  const files = (await testsOnNode())
    .filter((file) => starts.length === 0 || starts.some(isAsked(file)));
  const directory = await Deno.makeTempDir({ prefix: "pathgrep_node_" });
  try {
    await build(directory, files);
    let isWell = true;
    for (const node of await nodeDirectories()) {
      if (versions.length > 0 && !versions.some(isAsked(node))) continue;
      isWell = await run(directory, `${node}/node`, files) && isWell;
    }
    return isWell;
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args) ? 0 : 1);
