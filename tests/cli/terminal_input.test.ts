/**
 * Standard input at a terminal: a search without a path reads a pipe or a file, as ripgrep does, and
 * else the workspace. `script` of util-linux is the terminal.
 *
 * @module
 */
import assert from "node:assert/strict";
import { testNeeding } from "../support/needs.ts";
import { rgPath } from "../support/oracles.ts";
import { CHECKOUT, CLI } from "../support/run.ts";
import { assertSoon } from "../support/soon.ts";
import { spawn } from "../support/spawn.ts";
import { tempTree, type Tree } from "../support/tree.ts";

const test = testNeeding("script");

const FILES = {
  ".ignore": "*.log\n.ignore\n",
  "a.txt": "needle a\n",
  "list.log": "one\nneedle\n",
  "none.log": "",
};
const IN_FILE = "a.txt:1:needle a\n";
const OF_INPUT = "(stdin):1:needle\n";
const ENDED = "pathgrep: note: standard input is an empty pipe, so the workspace is searched; " +
  "add - to search only the pipe\n";
const SILENT = "pathgrep: note: nothing came through the pipe on standard input within 200 ms, " +
  "so the workspace is searched; add - to wait for the pipe\n";
const NOTHING = "pathgrep: note: only standard input was searched; add . to search the workspace\n";

/** What a terminal shows of a shell's line in which `pg` is the program, and its exit status. */
async function seen({ root }: Tree, line: string): Promise<[screen: string, status: number]> {
  const program = `'${Deno.execPath()}' run --allow-read=. --no-prompt --quiet --no-check '${CLI}'`;
  const { stdout, code } = await spawn(
    "script",
    ["-qec", `pg() { ${program} "$@" --color never; }; ${line}`, "/dev/null"],
    { cwd: root },
  );
  return [stdout.replaceAll("\r\n", "\n"), code];
}

type Line = [line: string, shown: string | RegExp, status?: number];

const LINES: readonly Line[] = [
  ["pg needle", IN_FILE],
  ["pg needle < /dev/null", IN_FILE],
  ["pg needle < .", IN_FILE],
  ["pg needle <&-", IN_FILE],
  ["echo needle | pg needle", OF_INPUT],
  ["(sleep 0.1; echo needle) | pg needle", OF_INPUT],
  ["(echo no; sleep 1; echo needle) | pg needle", "(stdin):2:needle\n"],
  ["pg needle < list.log", "(stdin):2:needle\n"],
  ["echo needle | pg -c -e needle", "(stdin):1\n"],
  ["echo needle | pg -g '*.ts' needle", /^\(stdin\):1:needle\npathgrep: note: include filter ign/],
  ["echo needle | pg -q needle", ""],
  ["echo no | pg -q needle", "", 1],
  ["echo no | pg needle", NOTHING, 1],
  ["echo no | pg needle --explain never", "", 1],
  ["pg needle < none.log", NOTHING, 1],
  ["true | pg needle", IN_FILE + ENDED],
  ["true | pg -q needle", ""],
  ["mkfifo in.log; pg needle <> in.log", IN_FILE + SILENT],
  // What names a path, reads standard input otherwise or is no search stays as it is.
  ["echo needle | pg needle .", IN_FILE],
  ["echo needle | pg needle a.txt", IN_FILE],
  ["echo needle | pg -f -", IN_FILE],
  ["echo one | pg -f list.log", "(stdin):1:one\n"],
  ["echo needle | pg --files", "a.txt\n"],
  ["echo needle | pg files", "a.txt\n"],
  ["echo needle | pg needle | cat", /^\{"pattern":"needle",.*a\.txt/m],
  ["echo needle | pg needle --format text | cat", IN_FILE],
  ["echo needle | pg needle --format json", /^\{"pattern":"needle",.*"file":"\(stdin\)"/],
  ["true | pg needle --format json", /"notes":\["standard input is an empty pipe, /],
  ["echo needle | pg --type-list", /^ada: /],
  ["echo needle | pg", /^pathgrep: invalid input: pattern is missing/, 2],
];

test.slow("standard input is searched at a terminal where ripgrep does, if there is something", async () => {
  await using tree = await tempTree(FILES);
  for (const [line, shown, status = 0] of LINES) {
    const started = performance.now();
    const [screen, code] = await seen(tree, line);
    assertSoon(started);
    if (typeof shown === "string") assert.equal(screen, shown, line);
    else assert.match(screen, shown, line);
    assert.equal(code, status, line);
  }
});

test.slow("every byte of a pipe is searched, however it comes, as ripgrep has it", async () => {
  await using tree = await tempTree();
  const lines = Array.from({ length: 200_000 }, (_, at) => `${at} ${"é".repeat(at % 50)} needle\n`);
  await Deno.writeTextFile(tree.path("x.log"), lines.join(""));
  const rg = await rgPath();
  for (const source of ["cat x.log", "(sleep 0.1; head -c 3 x.log; sleep 0.3; tail -c +4 x.log)"]) {
    const counted = await seen(tree, `${source} | pg -c needle`);
    assert.deepEqual(counted, [`(stdin):${lines.length}\n`, 0]);
    const { stdout } = await spawn("script", [
      "-qec",
      `${source} | '${rg}' --no-config -c needle`,
      "/dev/null",
    ], { cwd: tree.root });
    assert.equal(stdout, `${lines.length}\r\n`);
  }
});

test("a pipe has 200 ms from when it is first read, whatever the start took", async () => {
  const script = `import { withPipedInput } from "${CHECKOUT}src/cli/piped_input.ts";
    import { parseArguments } from "${CHECKOUT}src/cli/options/argument_parser.ts";
    const line = await parseArguments(["needle"]);
    console.log("reading");
    const host = await withPipedInput(line, {});
    console.log(line.operands.join(" "), host.stdin && await new Response(host.stdin()).text());
    Deno.exit();`;
  await using tree = await tempTree({ "wait.ts": script });
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", tree.path("wait.ts")],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const input = child.stdin.getWriter();
  let read = "";
  for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
    read += piece;
    if (piece !== "reading\n") continue;
    await new Promise((resolve) => setTimeout(resolve, 100));
    await input.write(new TextEncoder().encode("late"));
    await input.close();
  }
  await child.status;
  assert.equal(read, "reading\nneedle - late\n");
});
