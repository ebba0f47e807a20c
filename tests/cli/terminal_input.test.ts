/**
 * Standard input: a search without a path reads a pipe or a file, as ripgrep does, and else the workspace,
 * at a terminal and elsewhere. `script` of util-linux is the terminal.
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

const test = testNeeding("script", "perl");

const FILES = {
  ".ignore": "*.log\n.ignore\ndist\n",
  "a.txt": "needle a\n",
  "dist/list.log": "one\nneedle\n",
  "none.log": "",
};
const IN_FILE = "a.txt:1:needle a\n";
const OF_INPUT = "(stdin):1:needle\n";
const SILENT = "pathgrep: note: nothing came through the pipe on standard input within 200 ms, " +
  "so the workspace is searched; add - to wait for the pipe\n";
const SILENT_ELSEWHERE = SILENT.replace("200", "50");
const NOTHING = "pathgrep: note: only standard input was searched; add . to search the workspace\n";

/** A shell's line in which `pg` is the program. */
function lineOf(line: string, options = ""): string {
  const program = `'${Deno.execPath()}' run --allow-read=. --no-prompt --quiet --no-check '${CLI}'`;
  return `pg() { ${program} ${options} "$@" --color never; }; ${line}`;
}

/** What a terminal shows of a line, and its exit status. */
async function seen({ root }: Tree, line: string): Promise<[screen: string, status: number]> {
  const { stdout, code } = await spawn("script", ["-qec", lineOf(line), "/dev/null"], {
    cwd: root,
  });
  return [stdout.replaceAll("\r\n", "\n"), code];
}

/** What a line writes where nothing is a terminal, and its exit status. */
async function written({ root }: Tree, line: string): Promise<[output: string, status: number]> {
  const script = `exec 2>&1; ${lineOf(line, "--format text")}`;
  const { stdout, code } = await spawn("sh", ["-c", script], { cwd: root });
  return [stdout, code];
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
  ["pg needle < dist/list.log", "(stdin):2:needle\n"],
  ["echo needle | pg -c -e needle", "(stdin):1\n"],
  ["echo needle | pg -g '*.ts' needle", /^\(stdin\):1:needle\npathgrep: note: include filter ign/],
  ["echo needle | pg -q needle", ""],
  ["echo no | pg -q needle", "", 1],
  ["echo no | pg needle", NOTHING, 1],
  ["echo no | pg needle --explain never", "", 1],
  ["pg needle < none.log", NOTHING, 1],
  ["true | pg needle", NOTHING, 1],
  ["true | pg -q needle", "", 1],
  ["mkfifo in.log; pg needle <> in.log", IN_FILE + SILENT],
  // What names a path, reads standard input otherwise or is no search stays as it is.
  ["echo needle | pg needle .", IN_FILE],
  ["echo needle | pg needle a.txt", IN_FILE],
  ["echo needle | pg -f -", IN_FILE],
  ["echo one | pg -f dist/list.log", "(stdin):1:one\n"],
  ["echo needle | pg --files", "a.txt\n"],
  ["echo needle | pg files", "a.txt\n"],
  // One output at a terminal is enough.
  ["echo needle | pg needle | cat", /^\{"pattern":"needle",.*"file":"\(stdin\)"/m],
  ["echo needle | pg needle --format text | cat", OF_INPUT],
  ["true | pg needle --format text | cat", NOTHING],
  ["pg needle --format text <> in.log | cat", new RegExp(`^(${IN_FILE}|${SILENT}){2}$`)],
  ["echo needle | pg needle --format json", /^\{"pattern":"needle",.*"file":"\(stdin\)"/],
  ["true | pg needle --format json", /"base_path":"\(stdin\)".*"count":0/, 1],
  ["echo needle | pg --type-list", /^ada: /],
  ["echo needle | pg", /^pathgrep: invalid input: pattern is missing/, 2],
];

/** Has standard input be a socket, as Node's `spawn` does, with a text to read. */
const socket = (text: string) =>
  `perl -MSocket -e 'socketpair(A, B, AF_UNIX, SOCK_STREAM, 0); syswrite B, "${text}"; shutdown B, 1;
    open STDIN, "<&A"; exec @ARGV'`;

const ELSEWHERE: readonly Line[] = [
  ["pg needle < /dev/null", IN_FILE],
  ["pg needle < .", IN_FILE],
  ["pg needle <&-", IN_FILE],
  ["echo needle | pg needle", OF_INPUT],
  ["echo needle | pg needle | head -n 1", OF_INPUT],
  ["if echo needle | pg -q needle >/dev/null; then echo found; fi", "found\n"],
  ["if echo no | pg -q needle >/dev/null; then echo found; fi", ""],
  ["pg needle < dist/list.log", "(stdin):2:needle\n"],
  ["echo no | pg needle", NOTHING, 1],
  ["echo no | pg needle --explain never", "", 1],
  ["echo no | pg needle --format json", /^\{[^\n]*"base_path":"\(stdin\)"[^\n]*"count":0\}\n$/, 1],
  ["pg needle < none.log", NOTHING, 1],
  ["true | pg needle", IN_FILE],
  ["true | pg -q needle", ""],
  ["true | pg needle --format json", /"count":1\}\n$/],
  ["mkfifo in.log; pg needle <> in.log", IN_FILE + SILENT_ELSEWHERE],
  ["pg needle --format json <> in.log", /"count":1,"notes":\["nothing came .* within 50 ms, /],
  ["pg absent <> in.log", SILENT_ELSEWHERE, 1],
  ["pg 'a(' <> in.log", /^pathgrep: invalid pattern: /, 2],
  ["pg needle . <> in.log; pg -c needle a.txt <> in.log", `${IN_FILE}a.txt:1\n`],
  [`${socket("needle\\n")} sh dist/pg.log`, OF_INPUT],
  [`${socket("")} sh dist/pg.log`, IN_FILE],
];

for (
  const [where, lines, run] of [
    ["at a terminal", LINES, seen],
    ["where nothing is a terminal", ELSEWHERE, written],
  ] as const
) {
  test.slow(`standard input is searched ${where} as ripgrep does, if there is something`, async () => {
    const script = lineOf("pg needle", "--format text");
    await using tree = await tempTree({ ...FILES, "dist/pg.log": `${script}\n` });
    for (const [line, shown, status = 0] of lines) {
      const started = performance.now();
      const [screen, code] = await run(tree, line);
      assertSoon(started);
      if (typeof shown === "string") assert.equal(screen, shown, line);
      else assert.match(screen, shown, line);
      assert.equal(code, status, line);
    }
  });
}

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

test.slow("a pipe has 200 ms from when it is first read; what was found until then is dropped", async () => {
  const script = `import { withPipedInput } from "${CHECKOUT}src/cli/piped_input.ts";
    import { parseArguments } from "${CHECKOUT}src/cli/options/argument_parser.ts";
    import { Output } from "${CHECKOUT}src/cli/output.ts";
    const isTerminal = () => true;
    const writeSync = (bytes) => Deno.stdout.writeSync(bytes);
    const output = new Output({ isTerminal, writeSync });
    const stdin = () => Deno.stdin.readable;
    const host = { stdout: output, stderr: output, stdin };
    const line = await parseArguments(["needle"]);
    console.log("reading");
    await withPipedInput(line, host, async ({ operands }, host) => {
      const text = operands.includes("-") ? await new Response(host.stdin()).text() : host.note;
      host.stdout.write(operands.join(" ") + ": " + text + "\\n");
      return 0;
    });
    Deno.exit();`;
  await using tree = await tempTree({ "wait.ts": script });
  const read = async (isWritten: boolean) => {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", tree.path("wait.ts")],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const input = child.stdin.getWriter();
    let read = "";
    for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
      read += piece;
      if (piece !== "reading\n" || !isWritten) continue;
      await new Promise((resolve) => setTimeout(resolve, 100));
      await input.write(new TextEncoder().encode("late"));
      await input.close();
    }
    await child.status;
    await input.close().catch(() => {});
    return read;
  };
  assert.equal(await read(true), "reading\nneedle -: late\n");
  assert.match(await read(false), /^reading\nneedle: nothing came .* within 200 ms, .*\n$/);
});
