// deno-lint-ignore-file no-control-regex -- escapes are what it is about
/** A resident search answers at a terminal as the command itself does there: in colour and with links. */
import assert from "node:assert/strict";
import { testNeeding } from "../support/needs.ts";
import { CLI } from "../support/run.ts";
import { sh } from "../support/spawn.ts";
import { Resident } from "./resident.ts";

const test = testNeeding("script");

const FILES = { "src/a b.ts": "const foo = 1;\nfoo foo\n", "docs/c.md": "Foo\x1b[2J\nfoo\n" };

/** Where an answer says how long it took, and who gave it. */
const STATS = /pathgrep: note: stats: .*\r\n/;

/** Needed where standard output is no terminal, and allowed everywhere. */
const TEXT = ["--format", "text"];

/** Puts standard output into a file, and shows it afterwards. */
const ASIDE = ' > "$XDG_RUNTIME_DIR/out"; cat "$XDG_RUNTIME_DIR/out"';

/** What a user at a terminal sees of a command, whose standard output goes there or elsewhere. */
async function seen(
  { tree, runtime }: Resident,
  args: readonly string[],
  { env = {}, redirect = "" }: { env?: Record<string, string>; redirect?: string } = {},
): Promise<string> {
  const words = [Deno.execPath(), "run", "-A", "--quiet", "--no-check", CLI, ...args];
  const line = words.map((word) => `'${word}'`).join(" ");
  const { stdout } = await new Deno.Command("script", {
    args: ["-qec", `${line}${redirect}; echo "status $?"`, "/dev/null"],
    cwd: tree.root,
    env: { XDG_RUNTIME_DIR: runtime, TERM: "xterm", NO_COLOR: "", ...env },
    stdin: "null",
  }).output();
  return new TextDecoder().decode(stdout);
}

test.slow("text at a terminal is answered by the resident search, byte for byte", async () => {
  await using resident = await Resident.on({ ...FILES, "many.txt": "few\n".repeat(1001) });
  await resident.start(); // without colours of its own
  const lines: [args: string[], surroundings?: Parameters<typeof seen>[2], shown?: RegExp][] = [
    [["foo"], {}, /\x1b\[1;31mfoo\x1b\[0m/],
    [["foo", "--color", "never"], {}, /^docs\/c\.md:2:foo\r\n/],
    [["foo", "--hyperlinks", "never", "-C1", "--heading"], {}, /^\x1b\[35m/],
    [["-l", "foo"], {}, /^\x1b\]8;;file:\/\/[\w.-]*\/.*\/docs\/c\.md\x1b\\/],
    [["files", "src"], {}, /\x1b\]8;;file:.*\/a%20b\.ts/],
    [["foo", "--vimgrep"], {}, /\x1b\[32m5\x1b\[0m/],
    [["-l0", "foo"], {}, /c\.md.*\0/],
    [["foo"], { env: { NO_COLOR: "1" } }, /^docs\/c\.md:2:foo\r\n/],
    [["foo"], { env: { TERM: "dumb" } }, /^\x1b\[35m/],
    [["foo", "--max-results", "1"], {}, /2 matches|--offset 1|in all/],
    [["few"], {}, /truncated: 1001 matches in 1 file in all; use --offset 1000/],
    [["FOO"], {}, /differ in letter case/],
    [["absent"], {}, /status 1/],
    [["foo", "nowhere"], {}, /^pathgrep: .*does not exist.*status 2\r\n$/s],
    [["foo", "--color", "always"], { redirect: ASIDE }, /^\x1b\[35mdocs/m],
    [["foo"], { redirect: ASIDE }, /^docs\/c\.md:2:foo\r\n/m],
  ];
  for (const [line, surroundings, shown] of lines) {
    const format = line.length === 1 && surroundings?.redirect === undefined ? [] : TEXT;
    const args = [...line, ...format, "--stats"];
    const own = await seen(resident, [...args, "--resident", "never"], surroundings);
    const answer = await seen(resident, args, surroundings);
    assert.match(own, shown!, line.join(" "));
    assert.equal(answer.replace(STATS, ""), own.replace(STATS, ""), line.join(" "));
    const [isOwn, isResident] = [own, answer].map((text) => text.includes('"resident":true'));
    assert.deepEqual([isOwn, isResident], [false, !line.includes("nowhere")], line.join(" "));
  }
});

test.slow("a question and standard input are still the command's own at a terminal", async () => {
  await using resident = await Resident.on(FILES);
  await resident.start();
  const stats = ["--format", "text", "--stats"];
  const piped = await seen(resident, ["foo", "-", ...stats], { redirect: " < docs/c.md" });
  assert.match(piped, /\(stdin\)/);
  assert.doesNotMatch(piped, /"resident":true/);
  const inputs: [redirect: string, shown: RegExp, isResident: boolean][] = [
    [" < docs/c.md", /^\(stdin\):2:foo\r$/m, false],
    [" < /dev/null", /^docs\/c\.md:2:foo\r$/m, true],
    [" <> silent", /^docs\/c\.md:2:foo\r$.*note: nothing came through the pipe/ms, true],
  ];
  await sh("mkfifo silent", resident.tree.root);
  for (const [redirect, shown, isResident] of inputs) {
    const answer = await seen(resident, ["foo", "--color", "never", "--stats"], { redirect });
    assert.match(answer, shown);
    assert.equal(answer.includes('"resident":true'), isResident, redirect);
  }
  assert.doesNotMatch(await seen(resident, ["foo", "--engine", "grep", ...stats]), /"resident"/);
});

test("a request says of its terminal only what one can be", async () => {
  await using resident = await Resident.on(FILES);
  const status = await resident.start();
  const ask = (terminal: unknown) =>
    resident.ask(status, ["foo", "--format", "text"], { terminal } as object);
  const plain = { stdout: true, stderr: false, noColor: true };
  assert.equal((await ask(plain)).code, 0);
  const linked = await ask({ ...plain, noColor: false, linkOrigin: "file://host" });
  assert.ok(linked.stdout.includes(`\x1b]8;;file://host${resident.tree.root}/docs/c.md\x1b\\`));
  for (
    const odd of [
      null,
      true,
      {},
      { ...plain, stdout: 1 },
      { ...plain, noColor: undefined },
      { ...plain, linkOrigin: "http://host" },
      { ...plain, linkOrigin: `file://${"x".repeat(1000)}` },
      { ...plain, linkOrigin: "file://\x1b[2J" },
    ]
  ) assert.equal((await ask(odd)).code, "declined", JSON.stringify(odd));
});

test.slow("a resident search shows its progress where standard error is a terminal", async () => {
  const lines = Array.from({ length: 2000 }, (_, at) => [`${at}.txt`, `${"a".repeat(22)}\n`]);
  await using resident = await Resident.on(Object.fromEntries(lines));
  const status = await resident.start();
  const args = ["^(a+)+\\1b", "--format", "text", "--timeout"];
  const terminal = { stdout: false, stderr: true, noColor: false };
  const shown = await resident.ask(status, [...args, "3000"], { terminal });
  assert.match(shown.stderr, /\r\x1b\[K\d+ files searched.*\r\x1b\[Kpathgrep: search timed out/s);
  const { stderr } = await resident.ask(status, [...args, "500"]);
  assert.match(stderr, /^pathgrep: search timed out/);
  const redirect = ' | cat > "$XDG_RUNTIME_DIR/out"';
  assert.match(
    await seen(resident, [...args, "3000"], { redirect }),
    /^pathgrep: search timed out/,
  );
});
