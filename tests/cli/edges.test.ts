/** The command line at its edges: what could drive a terminal, what is refused, and how that is said. */
import assert from "node:assert/strict";
import { pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";

/** Characters that no output may hold as they are. */
// deno-lint-ignore no-control-regex -- control characters are what it is about
const UNSAFE = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const ODD = "\x9b\x1b[2J\u202e\u2069\x7f";
const SHOWN = "\\x9b\\x1b[2J\\u202e\\u2069\\x7f";

Deno.test("no name, line, note or error drives a terminal, in any format", async () => {
  await using tree = await tempTree({
    [`${ODD}.txt`]: `before ${ODD}\nneedle ${ODD}\nafter ${ODD}\n`,
    [`bin${ODD}`]: new Uint8Array([0]),
  });
  const run = async (...args: string[]) => {
    const result = await pathgrep([...args, "--workspace", tree.root]);
    assert.doesNotMatch(result.stdout + result.stderr, UNSAFE);
    return result;
  };
  const text = await run("needle", `${ODD}.txt`, `bin${ODD}`, "-C1", "--format", "text");
  assert.equal(
    text.stdout,
    `${SHOWN}.txt-1-before ${SHOWN}\n${SHOWN}.txt:2:needle ${SHOWN}\n${SHOWN}.txt-3-after ${SHOWN}\n`,
  );
  assert.match(text.stderr, /note: "bin\\x9b.*" was not searched/);
  const json = await run("needle");
  assert.equal(json.json().matches[0].line, `needle ${ODD}`);
  assert.equal(json.json().matches[0].file, tree.path(`${ODD}.txt`));
  const rows = (await run("needle", "--format", "jsonl", "--stats")).rows();
  assert.deepEqual(rows.map(({ type }) => type), ["match", "summary"]);
  assert.deepEqual([rows[1].count, rows[1].matches], [1, undefined]);
  const failed = await run("needle", `no${ODD}`, "--format", "text");
  assert.deepEqual([failed.code, failed.stdout], [2, ""]);
  assert.ok(failed.stderr.includes(`no${SHOWN}`));
  const failedRow = await run("needle", "missing", "--format", "jsonl");
  assert.deepEqual([failedRow.code, failedRow.rows()[0].type], [2, "error"]);
  const resolved = await run("resolve", `${ODD}.txt`, "--format", "text");
  assert.equal(resolved.stdout, `${tree.root}/${SHOWN}.txt\n`);
});

Deno.test("what --deny blocks is blocked for every command", async () => {
  await using tree = await tempTree({ "a.txt": "needle\n" });
  const denied = ["--deny", "a.*", "--workspace", tree.root];
  const commands = [["needle", "a.txt"], ["files", "a.txt"], ["resolve", "a.txt"], [
    "call",
    "grep",
  ]];
  for (const args of commands) {
    const { code, json } = await pathgrep([...args, ...denied], {
      stdin: JSON.stringify({ pattern: "needle", path: "a.txt" }),
    });
    assert.deepEqual([code, json().code], [2, "permission_denied_by_policy"], args[0]);
  }
  const two = await pathgrep(["call", "grep", "glob", ...denied], { stdin: "{}" });
  assert.match(two.json().error, /call takes one TOOL, got 2/);
  assert.equal((await pathgrep(["call", "rgrep", ...denied])).json().code, "invalid_input");
});

Deno.test("numbers are whole and safe, sizes are binary, and -- ends options", async () => {
  await using tree = await tempTree({
    "a.txt": "needle\nneedle -x\n-x\n",
    "large.txt": `-x\n${"y".repeat(2 ** 20 + 5)}`,
  });
  const run = async (...args: string[]) =>
    await pathgrep([...args, "--workspace", tree.root, "--paths", "relative", "-l"]);
  for (const bad of [["-m", "0"], ["-m", "9007199254740992"], ["--max-file-size", "9999999G"]]) {
    const { code, json } = await run("needle", ...bad);
    assert.deepEqual([code, json().code], [2, "invalid_input"], bad.join(" "));
    assert.match(json().error, /^invalid input: option -/);
  }
  assert.equal((await run("needle", "-m", "1")).json().count, 1);
  assert.deepEqual((await run("-e", "-x", "--max-file-size=1M")).json().files, ["a.txt"]);
  assert.deepEqual((await run("-e=y+$", "--max-file-size=2M")).json().files, []);
  const ended = await pathgrep(["--paths", "relative", "-l", "--", "-x", "a.txt"], {
    cwd: tree.root,
  });
  assert.deepEqual(ended.json().files, ["a.txt"]);
  const flag = await run("needle", "--invert-match=yes");
  assert.equal(flag.json().code, "invalid_input");
});
