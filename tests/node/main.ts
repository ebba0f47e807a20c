/**
 * `deno task test:node [VERSION…] [FILE…]`: runs tests on Node.js, in the versions that the npm package is
 * for, and in Bun, whose version is `bun`; without words, those that show that answers are the same, on the
 * oldest and the newest and in Bun side by side.
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
import { BUN_VERSION, bunDirectory, nodeDirectories } from "../support/nodes.ts";
import { rgPath } from "../support/oracles.ts";
import { CHECKOUT } from "../support/run.ts";
import { spawn } from "../support/spawn.ts";
import { BUN, inDocs, isInBun, isOnEach, type Place, takesLong, testsOnNode } from "./files.ts";

/** A test that takes longer hangs. */
const DEADLINE_MS = 5 * 60_000;
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
const isOn = (name) => isOnNode("${file}", name, process.env.TESTS_PLACE);
Deno.runTests("${file}", isOn, "${TESTS}${file}");
`;
  return [name, text];
}

/**
 * Starts the package, or another program of the tests, as `deno run` would. What may be read is restricted
 * as Node.js can. It runs no program: a test may have taken away PATH.
 */
const denoScript = (directory: string, program: string) =>
  `#!/bin/sh
[ "$1" = info ] && echo '{ "denoDir": "${directory}" }' && exit
[ "$1" = run ] || exit 70
shift
cli='${directory}/package/pathgrep.cjs'
flags='${isBun(program) ? "" : confinement(directory)}'
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
${isBun(program) ? "flags=" : ""}
export PATHGREP_MAIN="$1"
shift
name=\${PATHGREP_MAIN##*/}
case $name in
  cli.ts) set -- "$cli" "$@" ;;
  *) set -- ${
    isBun(program) ? "--preload" : "--import"
  } '${directory}/tests/deno.js' "${directory}/tests/\${name%.ts}.js" "$@" ;;
esac
IFS='
'
exec '${program}' $flags "$@"
`;

const isBun = (program: string) => basename(program) === "bun";

const confinement = (directory: string) =>
  `--permission
--allow-worker
--disable-warning=SecurityWarning
--allow-fs-read=${directory}`;

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
  runtime: string;
  place: Place;
  /** How many tests have to pass. */
  least: number;
  /** How many files of tests run at once. */
  jobs: number;
}

/** Runs the files on one version; whether all is well, and no fewer tests passed than are said to. */
async function run(
  directory: string,
  files: readonly string[],
  { version, runtime, place, least, jobs }: Run,
): Promise<boolean> {
  const program = `${runtime}/${place === BUN ? "bun" : "node"}`;
  const deno = `${directory}/${version}/deno`;
  await Deno.mkdir(dirname(deno));
  await Deno.writeTextFile(deno, denoScript(directory, program), { mode: 0o755 });
  const rg = await rgPath(); // Node.js finds it in PATH alone
  const env = {
    PATHGREP_DENO: deno,
    TESTS_PLACE: place,
    LEAST_TESTS: String(least),
    ...rg.includes("/") ? { PATH: `${dirname(rg)}:${Deno.env.get("PATH")}` } : {},
  };
  const modules = files.map((file) =>
    `${directory}/tests/${entryOf(file)[0].replace(/ts$/, "js")}`
  );
  if (place === BUN) return await runInBun(program, modules, `${directory}/tests/deno.js`, env);
  const { code } = await new Deno.Command(program, {
    args: [
      ...["--test", `--test-concurrency=${jobs}`],
      ...["--import", `${directory}/tests/deno.js`],
      ...[
        "--test-reporter",
        `${directory}/tests/reporter.js`,
        "--test-reporter-destination=stdout",
      ],
      ...modules,
    ],
    cwd: CHECKOUT,
    env,
    stdin: "null",
  }).spawn().status;
  return code === 0;
}

/** Runs each module in a process of its own, and reports as `reporter.ts` does: Bun has all in one process. */
async function runInBun(
  program: string,
  modules: readonly string[],
  names: string,
  env: Record<string, string>,
): Promise<boolean> {
  const started = Date.now();
  const counts = { pass: 0, fail: 0, skip: 0 };
  for (const module of modules) {
    const args = ["test", "--timeout", String(DEADLINE_MS), "--preload", names, module];
    const { code, stdout, stderr } = await spawn(program, args, { cwd: CHECKOUT, env });
    for (const kind of ["pass", "fail", "skip"] as const) {
      counts[kind] += Number(new RegExp(`^ *(\\d+) ${kind}$`, "m").exec(stderr)?.[1] ?? 0);
    }
    if (code !== 0) console.log(`\n ERRORS \n\n${stdout}${stderr}\n FAILURES \n`);
    if (code !== 0 && !/^ *[1-9]\d* fail$/m.test(stderr)) counts.fail++;
  }
  const { pass, fail, skip } = counts;
  const isWell = fail === 0 && pass >= Number(env["LEAST_TESTS"]);
  if (fail === 0 && !isWell) {
    console.log(`${pass} tests passed, where ${env["LEAST_TESTS"]} are to`);
  }
  const seconds = Math.round((Date.now() - started) / 1000);
  console.log(`Bun ${BUN_VERSION}`);
  console.log(
    `${
      isWell ? "ok" : "FAILED"
    } | ${pass} passed (0 steps) | ${fail} failed | ${skip} ignored (${seconds}s)`,
  );
  return isWell;
}

/** The directories with the program, by version: the oldest first, Bun last. */
async function runtimesByVersion(): Promise<[version: string, directory: string][]> {
  const nodes = await nodeDirectories();
  return [
    ...nodes.map((node): [string, string] => [/\/(\d+)\.[^/]+\/bin$/.exec(node)![1]!, node]),
    [BUN, await bunDirectory()],
  ];
}

async function main(words: readonly string[]): Promise<boolean> {
  const isVersion = (word: string) => word === BUN || /^\d+$/.test(word);
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
    const runtimes = (await runtimesByVersion())
      .filter(([version]) => versions.length === 0 || versions.includes(version));
    // Tests wait for a part of their time: one file more than there are cores keeps these busy.
    const jobs = Math.ceil((navigator.hardwareConcurrency + 1) / runtimes.length);
    const wells = runtimes.map(([version, runtime], index) => {
      const place = version === BUN ? BUN : words.length > 0 || index === 0 ? "oldest" : "other";
      const chosen = version === BUN ? files.filter(isInBun) : files;
      return run(directory, chosen, { version, runtime, place, least: said[version] ?? 1, jobs });
    });
    return (await Promise.all(wells)).every((isWell) => isWell);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args) ? 0 : 1);
