/** Concise answers: what ripgrep writes with headings, and nothing lost. */
import assert from "node:assert/strict";
import { GrepTool, Workspace } from "../../mod.ts";
import { project } from "../../dev/cost/project.ts";
import { rgPath } from "../support/oracles.ts";
import { tempTree } from "../support/tree.ts";

type Json = Record<string, unknown>;

/** What ripgrep writes, each file named above its lines. */
async function ripgrep(args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await new Deno.Command(await rgPath(), {
    args: ["--no-config", "--sort", "path", "--heading", "-n", ...args],
    cwd,
    stdin: "null",
  }).output();
  return new TextDecoder().decode(stdout);
}

Deno.test("a concise answer has a path, its lines with their numbers, and a blank line between files", async () => {
  await using tree = await tempTree({
    "a.txt": "one\ntwo needle\nthree\nfour\nfive needle\nsix needle\nseven\n",
    "b c.txt": "needle {\n  inner\n}\n",
    "empty.txt": "hay\n",
  });
  const grep = new GrepTool({ workspace: await Workspace.open(tree.root) });
  const text = async (more: Json) => {
    const answer = await grep.execute({ pattern: "needle", response_format: "concise", ...more });
    for (const list of ["matches", "files", "counts"]) assert.ok(!(list in answer));
    return (answer as Json)["text"];
  };
  assert.equal(
    await text({}),
    "a.txt\n2:two needle\n5:five needle\n6:six needle\n\nb c.txt\n1:needle {\n",
  );
  assert.equal(
    await text({ context: 1 }),
    "a.txt\n1-one\n2:two needle\n3-three\n4-four\n5:five needle\n6:six needle\n7-seven\n\n" +
      "b c.txt\n1:needle {\n2-  inner\n",
  );
  assert.equal(
    await text({ pattern: "needle \\{[^}]*\\}", multiline: true }),
    "b c.txt\n1:needle {\n2:  inner\n3:}\n",
  );
  assert.equal(await text({ output_mode: "file" }), "a.txt\nb c.txt\n");
  assert.equal(await text({ output_mode: "count" }), "a.txt:3\nb c.txt:1\n");
  assert.equal(await text({ path: "b c.txt" }), "b c.txt\n1:needle {\n");
  assert.equal(await text({ path: "empty.txt" }), "");
  assert.equal(
    await text({ path: "b c.txt", paths: "absolute" }),
    `${tree.path("b c.txt")}\n1:needle {\n`,
  );
});

Deno.test("a concise answer costs at most 1.1 times what ripgrep writes, and loses nothing", async () => {
  await using tree = await tempTree(project());
  const grep = new GrepTool({ workspace: await Workspace.open(tree.root) });
  const queries: [pattern: string, more: Json, args: string[]][] = [
    ["^import", {}, []],
    ["parsePrice\\(", {}, []],
    ["TODO|FIXME", {}, []],
    ["throw new", { context: 2 }, ["-C2"]],
    ["export class [^}]*\\{\\n", { multiline: true }, ["-U"]],
  ];
  for (const [pattern, more, args] of queries) {
    const call = {
      pattern,
      ...more,
      max_results: 5000,
      max_output_chars: 1_000_000,
      paths: "relative",
      show_function: "never",
    };
    const concise = await grep.execute({ ...call, response_format: "concise" }) as Json;
    const text = String(concise["text"]);
    const theirs = await ripgrep([...args, pattern], tree.root);
    assert.ok(text.length <= 1.1 * theirs.length, `${pattern}: ${text.length}, ${theirs.length}`);
    // Ripgrep separates groups of lines with `--`.
    assert.equal(text, theirs.replace(/^--\n/gm, ""), pattern);
  }
});

Deno.test("a line that was cut shows where, in a concise answer too", async () => {
  await using tree = await tempTree({
    "a.txt": "l".repeat(5000) + "needle" + "r".repeat(5000) + "\n",
  });
  const grep = new GrepTool({ workspace: await Workspace.open(tree.root) });
  const call = { pattern: "needle", response_format: "concise" };
  assert.match(`${(await grep.execute(call) as Json)["text"]}`, /^a\.txt\n1:…l{500}needler+…\n$/);
  const short = await grep.execute({ ...call, max_output_chars: 1000 }) as Json;
  assert.match(`${short["text"]}`, /^a\.txt\n1:…l{29}needler{83}…\n$/);
});

Deno.test("a concise answer shows no control character of a file's name, in any mode", async () => {
  const name = "a\x1b[2J\n1:needle.txt";
  await using tree = await tempTree({ [name]: "needle\n" });
  const grep = new GrepTool({ workspace: await Workspace.open(tree.root) });
  for (const output_mode of ["content", "file", "count"]) {
    const input = { pattern: "needle", response_format: "concise", output_mode };
    const { text } = await grep.execute(input) as Json;
    assert.match(text as string, /^a\\x1b\[2J\\n1:needle\.txt/, output_mode);
    // deno-lint-ignore no-control-regex
    assert.doesNotMatch(text as string, /\x1b/, output_mode);
  }
});
