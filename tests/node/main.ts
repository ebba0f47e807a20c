/**
 * `deno task test:node [VERSION…] [FILE…]`: runs tests on Node.js, in the versions that the npm package is
 * for; without words, those that show that answers are the same, on the oldest and the newest side by side.
 * What a test imports of the sources is bundled with it as the package is; a process that it starts is the
 * package.
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
import { inDocs, isOnEach, takesLong, testsOnNode } from "./files.ts";

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
  // Node.js runs files in the order of their names.
  const name = (takesLong(file) ? "0." : "") + file.replaceAll("/", ".").replace(".test.ts", ".ts");
  const text = `import "./tests/support/patience.ts";
import "./tests/${file}";
import { isOnNode } from "./tests/node/files.ts";
const isOn = (name) => isOnNode("${file}", name, process.env.ON_OLDEST === "1");
Deno.runTests("${file}", isOn, "${TESTS}${file}");
`;
  return [name, text];
}

/**
 * Starts the package, or another program of the tests, as `deno run` would. What may be read is restricted
 * as Node.js can. It runs no program: a test may have taken away PATH.
 */
const denoScript = (directory: string, node: string) =>
  `#!/bin/sh
[ "$1" = info ] && echo '{ "denoDir": "${directory}" }' && exit
[ "$1" = run ] || exit 70
shift
cli='${directory}/package/pathgrep.cjs'
flags='--permission
--allow-worker
--disable-warning=SecurityWarning
--allow-fs-read=${directory}'
set -f
IFS=,
while [ "\${1#-}" != "$1" ]; do
  case $1 in
    -A) flags= ;;
    --allow-read) flags="$flags
--allow-fs-read=*" ;;
    --allow-read=*) for path in \${1#*=}; do flags="$flags
--allow-fs-read=$path"; done ;;
    --preload=*/patience.ts) cli='${directory}/tests/patient.js' ;;
    --allow-run*) flags="$flags
--allow-child-process" ;;
  esac
  shift
done
export PATHGREP_MAIN="$1"
shift
name=\${PATHGREP_MAIN##*/}
case $name in
  cli.ts) set -- "$cli" "$@" ;;
  *) set -- --import '${directory}/tests/deno.js' "${directory}/tests/\${name%.ts}.js" "$@" ;;
esac
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
    folders: ["tests", "dev", "npm"],
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

interface Run {
  /** The version, and the directory with the program. */
  version: string;
  node: string;
  /** Whether what takes longest runs, too. */
  isOldest: boolean;
  /** How many tests have to pass. */
  least: number;
  /** How many files of tests run at once. */
  jobs: number;
}

/** Runs the files on one version of Node.js; whether all is well, and no fewer tests passed than are said to. */
async function run(
  directory: string,
  files: readonly string[],
  { version, node: nodeDirectory, isOldest, least, jobs }: Run,
): Promise<boolean> {
  const node = `${nodeDirectory}/node`;
  const deno = `${directory}/${version}/deno`;
  await Deno.mkdir(dirname(deno));
  await Deno.writeTextFile(deno, denoScript(directory, node), { mode: 0o755 });
  const rg = await rgPath(); // Node.js finds it in PATH alone
  const { code } = await new Deno.Command(node, {
    args: [
      ...["--test", `--test-concurrency=${jobs}`],
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
      ON_OLDEST: isOldest ? "1" : "",
      LEAST_TESTS: String(least),
      ...rg.includes("/") ? { PATH: `${dirname(rg)}:${Deno.env.get("PATH")}` } : {},
    },
    stdin: "null",
  }).spawn().status;
  return code === 0;
}

/** The directories with the program, by version, the oldest first. */
async function nodesByVersion(): Promise<[version: string, directory: string][]> {
  return (await nodeDirectories()).map((node) => [/\/(\d+)\.[^/]+\/bin$/.exec(node)![1]!, node]);
}

async function main(words: readonly string[]): Promise<boolean> {
  const isVersion = (word: string) => /^\d+$/.test(word);
  const isAsked = (path: string) => (word: string) => path.includes(word);
  const versions = words.filter(isVersion);
  const starts = words.filter((word) => !isVersion(word));
  const files = (await testsOnNode())
    .filter((file) => words.length === 0 ? isOnEach(file) : true)
    .filter((file) => starts.length === 0 || starts.some(isAsked(file)));
  // Without one, Node.js looks for tests itself.
  if (files.length === 0) {
    throw new Error(`no tests of tests/node/files.ts fit ${starts.join(" ")}`);
  }
  const said = words.length === 0 ? await inDocs() : {};
  const directory = await Deno.makeTempDir({ prefix: "pathgrep_node_" });
  try {
    await build(directory, files);
    const nodes = (await nodesByVersion())
      .filter(([version]) => versions.length === 0 || versions.includes(version));
    // Tests wait for a part of their time: one file more than there are cores keeps these busy.
    const jobs = Math.ceil((navigator.hardwareConcurrency + 1) / nodes.length);
    const wells = nodes.map(([version, node], index) => {
      const isOldest = words.length > 0 || index === 0;
      return run(directory, files, { version, node, isOldest, least: said[version] ?? 1, jobs });
    });
    return (await Promise.all(wells)).every((isWell) => isWell);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args) ? 0 : 1);
