/**
 * The command line between other programs: input that comes slowly or never ends, readers that leave.
 *
 * @module
 */
import assert from "node:assert/strict";
import { CLI } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";
import { assertInTime, inThreeTries, withTimeFor } from "../support/soon.ts";
import { test } from "../support/needs.ts";

/** Starts a search with its standard input open. */
function start(args: readonly string[], cwd: string) {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--no-config", CLI, ...args],
    cwd,
    env: { NO_COLOR: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const input = child.stdin.getWriter();
  const output = child.stdout.getReader();
  const decoder = new TextDecoder();
  let read = "";
  return {
    stderr: new Response(child.stderr).text(),
    status: child.status,
    write: (text: string) => input.write(new TextEncoder().encode(text)),
    end: () => input.close(),
    /** Reads until a text has come; fails at the end of the output. */
    async until(text: string): Promise<string> {
      while (!read.includes(text)) {
        const { done, value } = await output.read();
        if (done) assert.fail(`the output ended with ${JSON.stringify(read)}`);
        read += decoder.decode(value, { stream: true });
      }
      return read;
    },
    async rest(): Promise<string> {
      for (;;) {
        const { done, value } = await output.read();
        if (done) return read;
        read += decoder.decode(value, { stream: true });
      }
    },
    leave: () => output.cancel(),
    async [Symbol.asyncDispose]() {
      await output.cancel();
      await input.close().catch(() => {});
      await child.status;
    },
  };
}

Deno.test("rows are written while standard input is still open", async () => {
  await using tree = await tempTree();
  const lines = {
    text: ["(stdin):1:foo 1\n", "(stdin):2:foo 2\n", "(stdin):4:foo 3\n"],
    jsonl: [`"line":"foo 1"}\n`, `"line":"foo 2"}\n`, `"line":"foo 3"}\n`],
  };
  for (const [format, [first, second, third]] of Object.entries(lines)) {
    await using run = start(["foo", "-", "--format", format, "--timeout=0"], tree.root);
    await run.write("foo 1\nfoo 2\nb");
    await run.until(first!);
    await run.until(second!);
    await run.write("ar\nfoo 3\n");
    await run.until(third!);
    await run.end();
    assert.equal((await run.status).code, 0);
  }
});

Deno.test("text shows the context of a match as soon as it has come, and each line once", async () => {
  await using tree = await tempTree();
  await using run = start(["foo", "-C1", "-", "--format=text", "--timeout=0"], tree.root);
  await run.write("a\nfoo 1\nb\n");
  assert.equal(await run.until("-b\n"), "(stdin)-1-a\n(stdin):2:foo 1\n(stdin)-3-b\n");
  await run.write("foo 2\nfoo 3\nc\nd\ne\nfoo 4\n");
  await run.until("-c\n");
  await run.end();
  assert.equal(
    await run.rest(),
    "(stdin)-1-a\n(stdin):2:foo 1\n(stdin)-3-b\n(stdin):4:foo 2\n(stdin):5:foo 3\n" +
      "(stdin)-6-c\n--\n(stdin)-8-e\n(stdin):9:foo 4\n",
  );
});

Deno.test("what came of standard input before the time limit is answered", async () => {
  await using tree = await tempTree();
  const ask = async (format: string, limit: number) => {
    await using run = start(["foo", "-", "--format", format, `--timeout=${limit}`], tree.root);
    await run.write("foo 1\nbar\n");
    const output = await run.rest();
    assert.match(output, /foo 1/, format);
    const said = output + await run.stderr;
    assert.ok(said.includes(`search timed out after ${limit} ms`), format);
    assert.match(said, /standard input did not end in time; --timeout 0 waits/);
    assert.equal((await run.status).code, 2, format);
  };
  await Promise.all(
    ["text", "jsonl", "json"].map((format) => withTimeFor((limit) => ask(format, limit))),
  );
});

Deno.test("the time limit holds for patterns from standard input, too", async () => {
  await using tree = await tempTree();
  await using run = start(["-f", "-", "--format=text", "--timeout=300"], tree.root);
  await run.write("foo\n");
  assert.equal((await run.status).code, 2);
  assert.equal(
    await run.stderr,
    "pathgrep: search timed out after 300 ms\n  -f - did not end in time; close it, or raise --timeout\n",
  );
});

test.slow(
  "what reading patterns takes counts for the time limit",
  inThreeTries(async () => {
    await using tree = await tempTree({ "a.txt": `${"a".repeat(40)}!\n` });
    const started = performance.now();
    await using run = start(["-f", "-", "--format=text", "--timeout=1500"], tree.root);
    await run.write("^(a+)+\\1$\n");
    await new Promise((resolve) => setTimeout(resolve, 1200));
    await run.end();
    assert.equal((await run.status).code, 2);
    assert.match(await run.stderr, /^pathgrep: search timed out after 1500 ms\n/);
    assertInTime(performance.now() - started, 2500, "a limit of 1500 ms");
  }),
);

Deno.test("a reader that leaves ends a search of standard input that goes on", async () => {
  await using tree = await tempTree();
  for (const format of ["text", "jsonl"]) {
    await using run = start(["foo", "-", "--format", format, "--timeout=0"], tree.root);
    await run.write("foo 1\n");
    await run.until("foo 1");
    await run.leave();
    let isOver = false;
    const ended = run.status.finally(() => isOver = true);
    while (!isOver) {
      await run.write("foo 2\n").catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.equal(await run.stderr, "", format);
    assert.equal((await ended).code, 0, format);
  }
});

test.slow("a reader that leaves ends a long search whose rows come as they are found", async () => {
  await using tree = await tempTree(
    Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`${index}.txt`, "foo bar\n".repeat(100_000)]),
    ),
  );
  const args = ["foo", ".", "--sort=none", "--max-results=0", "--timeout=0"];
  for (const format of ["text", "jsonl"]) {
    await using run = start([...args, "--format", format], tree.root);
    await run.until("foo");
    await run.leave();
    assert.equal(await run.stderr, "", format);
    assert.equal((await run.status).code, 0, format);
  }
});
