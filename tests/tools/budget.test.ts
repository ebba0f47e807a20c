/** An answer has a budget of characters: what it loses, in which order, and that pages miss nothing. */
import { entriesOf, jsonForm, type ShownFile, written } from "../../src/answer/result_builder.ts";
import type { SearchResult } from "../../src/answer/result.ts";
import { weigherFor } from "../../src/tools/answer_size.ts";
import { conciseForm, conciseStyle, textOf } from "../../src/answer/text_lines.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import { GlobTool, GrepTool, search, ToolRegistry, Workspace } from "../../mod.ts";
import { OWN_TOOL_NAMES } from "../../src/tools/registry.ts";
import { assertResultShape } from "../support/acceptance.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";
import { assertHolds } from "../support/draw.ts";
import { test } from "../support/needs.ts";

type Json = Record<string, unknown>;
type Entry = { file: string; line_number: number; line: string; column?: number };

/** The characters of an answer as the wire has it. */
const sizeOf = (answer: object) => JSON.stringify(answer).length;

/** A line of text around a needle, which stands in the middle of a long one. */
const around = (left: number, right: number) => "l".repeat(left) + "needle" + "r".repeat(right);

test.slow("an answer has at most 40,000 characters unless another number is given, and the schema says so", async () => {
  await using tree = await tempTree(
    Object.fromEntries(
      Array.from({ length: 900 }, (_, n) => [`directory/file-number-${n}.txt`, "needle in it\n"]),
    ),
  );
  const workspace = await Workspace.open(tree.root);
  const [grep, glob] = [new GrepTool({ workspace }), new GlobTool({ workspace })];
  for (const tool of [grep, glob]) {
    const { properties } = tool.inputSchema as { properties: Record<string, Json> };
    const { description, ...limits } = properties["max_output_chars"]!;
    assert.deepEqual(limits, { type: "integer", minimum: 1000, maximum: 1_000_000 });
    assert.match(String(description), /default 40000/);
    const ask = async (more: Json) =>
      await tool.execute({ pattern: tool === grep ? "needle" : "*.txt", ...more }) as Json;
    for (const mode of tool === grep ? ["content", "file", "count"] : [undefined]) {
      const input = mode === undefined ? {} : { output_mode: mode };
      const page = await ask(input);
      assert.ok(sizeOf(page) <= 40_000 && sizeOf(page) > 35_000, `${mode}: ${sizeOf(page)}`);
      assertResultShape(page);
      assert.deepEqual([page["truncated"], page["total"], page["total_files"]], [true, 900, 900]);
      assert.deepEqual(page["reduced"], ["entries"]);
      const small = await ask({ ...input, max_output_chars: 1000 });
      assert.ok(sizeOf(small) <= 1000 && sizeOf(small) > 600, `${mode}: ${sizeOf(small)}`);
      const whole = await ask({ ...input, max_output_chars: 1_000_000 });
      assert.ok(!("truncated" in whole) && !("reduced" in whole));
    }
    for (const wrong of [999, 1_000_001, -1]) {
      const refused = await ask({ max_output_chars: wrong });
      assert.match(
        `${refused["error"]}`,
        /max_output_chars must be a whole number from 1000 to 1000000/,
      );
    }
  }
});

Deno.test("context goes first, then the ends of long lines, then entries", async () => {
  await using tree = await tempTree({
    "a.txt": Array.from({ length: 30 }, (_, n) => `before ${n}\n${around(300, 300)}\nafter\n`).join(
      "",
    ),
  });
  const grep = new GrepTool({ workspace: await Workspace.open(tree.root) });
  const ask = async (max_output_chars: number) =>
    await grep.execute(
      { pattern: "needle", paths: "relative", context: 1, max_output_chars },
    ) as object as
      & Json
      & { matches: (Entry & { before?: string[]; line_truncated?: true })[] };
  const whole = await ask(1_000_000);
  assert.ok(whole.matches.every(({ before }) => before?.length === 1));
  assert.equal(whole["reduced"], undefined);
  const plain = await ask(sizeOf(whole) - 1);
  assert.deepEqual(plain["reduced"], ["context"]);
  assert.ok(plain.matches.every((entry) => !("before" in entry) && !("after" in entry)));
  assert.deepEqual(plain.matches.map(({ line }) => line), whole.matches.map(({ line }) => line));
  assert.equal(plain["truncated"], undefined);
  const short = await ask(sizeOf(plain) - 1);
  assert.deepEqual(short["reduced"], ["context", "lines"]);
  for (const [index, { line, column, line_truncated, line_number }] of short.matches.entries()) {
    assert.equal(line.length, 120);
    assert.match(line, /needle/);
    assert.deepEqual([column, line_truncated, line_number], [301, true, index * 3 + 2]);
  }
  assert.equal(short["truncated"], undefined);
  const cut = await ask(sizeOf(short) - 1);
  assert.deepEqual(cut["reduced"], ["context", "lines", "entries"]);
  assert.deepEqual([cut["truncated"], cut["total"], cut["total_files"]], [true, 30, 1]);
  assert.equal(cut["next_offset"], cut["count"]);
});

test.slow("pages of any budget are within it, and together they are every entry exactly once", async (t) => {
  const line = fc.tuple(
    fc.integer({ min: 0, max: 400 }),
    fc.constantFrom("x", "é", "語", "\u0001", '"', "\\", "😀", "\u009b"),
    fc.boolean(),
  ).map(([length, character, hits]) =>
    (hits ? "needle" : "hay") + character.repeat(length) + (hits ? " needle" : "")
  );
  const file = fc.array(line, { minLength: 1, maxLength: 12 }).map((lines) => lines.join("\n"));
  const call = fc.record({
    output_mode: fc.constantFrom("content", "file", "count"),
    context: fc.constantFrom(0, 2),
    multiline: fc.boolean(),
    paths: fc.constantFrom("absolute", "relative"),
    max_results: fc.constantFrom(undefined, 7, 5000),
    response_format: fc.constantFrom("detailed", "concise"),
  });
  await assertHolds(
    t,
    fc.asyncProperty(
      fc.array(file, { minLength: 1, maxLength: 8 }),
      call,
      fc.integer({ min: 1000, max: 3000 }),
      async (files, call, max_output_chars) => {
        await using tree = await tempTree(
          Object.fromEntries(files.map((text, n) => [`${n}.txt`, text])),
        );
        const workspace = await Workspace.open(tree.root);
        const grep = new GrepTool({ workspace });
        const whole = await search({
          pattern: "needle",
          outputMode: call.output_mode as "content",
          multiline: call.multiline,
          paths: "relative",
        }, { workspace });
        const places = (answer: Json): string[] => {
          const { matches, files, counts, text } = answer as {
            matches?: Entry[];
            files?: string[];
            counts?: { file: string; count: number }[];
            text?: string;
          };
          if (text !== undefined) return placesIn(text);
          const name = (file: string) => file.replace(`${tree.root}/`, "");
          return matches?.map(({ file, line_number }) => `${name(file)}:${line_number}`) ??
            files?.map(name) ?? counts!.map(({ file, count }) => `${name(file)}:${count}`);
        };
        const placesIn = (text: string): string[] => {
          if (call.output_mode !== "content") return text.split("\n").filter((row) => row !== "");
          let file = "";
          return text.split("\n").flatMap((row) => {
            const number = /^(\d+)([:-])/.exec(row);
            if (number === null) file = row || file;
            return number?.[2] === ":" ? [`${file}:${number[1]}`] : [];
          });
        };
        const seen: string[] = [];
        for (let offset: number | undefined = 0; offset !== undefined;) {
          const page: Json = await grep.execute({
            ...call,
            paths: call.response_format === "concise" ? "relative" : call.paths,
            pattern: "needle",
            offset,
            max_output_chars,
          }) as Json;
          assert.ok(!("error" in page), JSON.stringify(page));
          assert.ok(sizeOf(page) <= max_output_chars, `${sizeOf(page)} of ${max_output_chars}`);
          if (page["truncated"]) assert.equal(page["total"], whole.count);
          else assert.ok(!(page["reduced"] as string[] ?? []).includes("entries"));
          assert.ok(page["count"]! as number > 0 || whole.count === 0, "no page is empty");
          seen.push(...places(page));
          offset = page["next_offset"] as number | undefined;
        }
        assert.deepEqual(seen, places(whole as unknown as Json));
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("without an order, too, the pages are of one order and have every entry exactly once", async () => {
  await using tree = await tempTree({
    ...Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [`${n % 7}/${n}.txt`, "needle\n".repeat(1 + n % 3)]),
    ),
    "0/slow.txt": `${"hay\n".repeat(200_000)}needle\n`,
  });
  const grep = new GrepTool({ workspace: await Workspace.open(tree.root) });
  const call = { pattern: "needle", sort: "none", paths: "relative" };
  const entries = async (more: object) => {
    const answer = await grep.execute({ ...call, ...more }) as Json;
    return (answer["matches"] as { file: string; line_number: number }[])
      .map(({ file, line_number }) => `${file}:${line_number}`);
  };
  const pages = [];
  for (let offset = 0; offset < 80; offset += 16) {
    pages.push(...await entries({ max_results: 16, offset }));
  }
  const whole = await entries({ sort: "path" });
  assert.equal(whole.length, 80);
  assert.deepEqual(pages, whole);
});

Deno.test("one hit among 1,300 long lines is on the first page", async () => {
  await using tree = await tempTree({
    "dist/bundle.min.js": Array.from({ length: 1300 }, (_, n) => `${around(200, 400)}${n}\n`).join(
      "",
    ),
    "src/cart.ts": "const needle = 1;\n",
  });
  const grep = new GrepTool({ workspace: await Workspace.open(tree.root) });
  const ask = async (more: Json) => await grep.execute({ pattern: "needle", ...more }) as Json;
  const page = await ask({ max_results: 2000 });
  assert.ok(sizeOf(page) <= 40_000);
  assert.deepEqual([page["total"], page["total_files"]], [1301, 2]);
  assert.equal((page["matches"] as Entry[])[10]!.line, "const needle = 1;");
  const concise = await ask({
    max_results: 2000,
    response_format: "concise",
    max_output_chars: 250_000,
  });
  assert.match(`${concise["text"]}`, /\n\nsrc\/cart\.ts\n1:const needle = 1;\n/);
  // Where no page was asked for, the error says where the matches are.
  const error = await ask({ paths: "relative" });
  assert.deepEqual(error["top_directories"], [{ path: "dist", count: 1300 }, {
    path: "src",
    count: 1,
  }]);
});

Deno.test("what is echoed and noted keeps to the budget, and so do errors", async () => {
  await using tree = await tempTree({
    "a.txt": "needle\n".repeat(50),
    "lib/b.txt": "",
    "c/b.txt": "",
  });
  const workspace = await Workspace.open(tree.root);
  const registry = ToolRegistry.of({
    workspace,
    notes: Array(100).fill("a note to say ".repeat(20)),
  }, { tools: OWN_TOOL_NAMES });
  const long = "needle|" + "x".repeat(50_000);
  const calls: [string, Json][] = [
    ["grep", { pattern: long }],
    ["grep", { pattern: long, response_format: "concise" }],
    ["grep", { pattern: long + "(" }],
    ["grep", { pattern: "needle", path: "x/".repeat(30_000) }],
    ["grep", { pattern: "needle", path: "b.txt" }],
    ["grep", { pattern: "needle", include: "*.".repeat(30_000) }],
    ["grep", { pattern: "needle", [long]: 1 }],
    ["grep", { pattern: "needle", output_mode: long }],
    ["glob", { pattern: long }],
    ["glob", { pattern: `${tree.root}/*.txt` }],
    ["glob", { pattern: "*", path: "x/".repeat(30_000) }],
    ["resolve_path", { path: "x/".repeat(30_000) }],
  ];
  for (const [tool, input] of calls) {
    for (const max_output_chars of tool === "resolve_path" ? [40_000] : [1000, 40_000]) {
      const budget = tool === "resolve_path" ? {} : { max_output_chars };
      const answer = await registry.execute(tool, { ...input, ...budget }) as Json;
      const shown = JSON.stringify(answer);
      assert.ok(
        shown.length <= max_output_chars,
        `${tool}: ${shown.length}: ${shown.slice(0, 300)}`,
      );
      assert.ok("count" in answer || "code" in answer);
    }
  }
  const spaced = { pattern: `${" ".repeat(2000)}${tree.root}/**/*.txt`, max_output_chars: 1000 };
  const listed = await registry.execute("glob", spaced) as Json;
  assert.deepEqual([listed["count"], listed["code"]], [3, undefined]);
  assert.ok(sizeOf(listed) <= 1000);
  const { notes } = await registry.execute("grep", {
    pattern: "needle",
    max_output_chars: 1000,
  }) as { notes: string[] };
  assert.equal(notes.at(-1), `${100 - (notes.length - 1)} more notes`);
});

Deno.test("an error that is shortened still says what is wrong, and of what", async () => {
  await using tree = await tempTree();
  const registry = ToolRegistry.of({ workspace: await Workspace.open(tree.root) });
  const pattern = "x".repeat(4000);
  const told = async (input: Json) => {
    const answer = await registry.execute("grep", { pattern, max_output_chars: 1000, ...input });
    return (answer as Json)["error"];
  };
  const path = await told({ path: "y".repeat(4000) });
  assert.match(`${path}`, new RegExp(`Path does not exist: ${tree.root}/yyy+…$`));
  assert.match(`${await told({ pattern: pattern + "(" })}`, /^invalid pattern: .+\w{3}/);
});

Deno.test("on the command line, an answer over --max-output-chars is shortened where it may be truncated", async () => {
  await using tree = await tempTree({ "a.txt": `one\n${around(700, 700)}\nthree\n`.repeat(20) });
  for (const format of ["json", "jsonl", "text"]) {
    const ask = async (...more: string[]) =>
      await pathgrep(["needle", "-C1", "--format", format, "--paths=relative", ...more], {
        cwd: tree.root,
      });
    const whole = (await ask()).stdout;
    assert.equal((await ask(`--max-output-chars=${whole.length}`)).stdout, whole, format);
    assert.equal((await ask(`--max-output-chars=${whole.length - 1}`)).code, 2, format);
    const error = await ask(`--max-output-chars=${whole.length - 100}`);
    assert.equal(error.code, 2);
    assert.match(error.stdout + error.stderr, /answer exceeds \d+ characters/);
    const pages = async (budget: number) => {
      const ran = await ask(`--max-output-chars=${budget}`, "--on-overflow=truncate");
      assert.equal(ran.code, 0, ran.stdout);
      assert.ok(ran.stdout.length <= budget, `${format}: ${ran.stdout.length} of ${budget}`);
      return ran;
    };
    const plain = await pages(whole.length - 100);
    assert.doesNotMatch(plain.stdout, /three/);
    assert.match(plain.stdout, /l{175}/);
    const short = await pages(5000);
    assert.doesNotMatch(short.stdout, /l{175}/);
    assert.match(short.stdout, /l{20,40}needler{20}/);
    const few = await pages(1500);
    assert.match(
      few.stdout + few.stderr,
      format === "text"
        ? /context omitted, long lines cut to 120 characters, more entries on the next page/
        : /"total":20,"total_files":1,"reduced":\["context","lines","entries"\]/,
    );
  }
});

Deno.test("an answer that is just as long as its budget is whole, and one character less is not enough", async () => {
  await using tree = await tempTree({
    "a.txt": "needle 1\nneedle \x1b more\nneedle \u{1f600} 3\n".repeat(30),
    "b.txt": "needle 4\n",
    // A line that is longer as context than as a match alone.
    "c.txt": "thread\n".repeat(40) + `thread ${"p".repeat(900)}`,
  });
  const registry = ToolRegistry.of({ workspace: await Workspace.open(tree.root) });
  const alone = { pattern: "thread", context: 1, only_matching: true };
  for (
    const [name, input] of [
      ["grep", { ...alone, response_format: "concise" }],
      ["grep", alone],
      ["grep", { pattern: "needle" }],
      ["grep", { pattern: "needle", context: 1 }],
      ["grep", { pattern: "needle", response_format: "concise" }],
      ["grep", { pattern: "needle", output_mode: "count", paths: "relative" }],
      ["glob", { pattern: `{${"q".repeat(1000)},*.txt}` }],
    ] as const
  ) {
    const whole = await registry.execute(name, input);
    const size = sizeOf(whole);
    const within = (max_output_chars: number) =>
      registry.execute(name, { ...input, max_output_chars: Math.max(1000, max_output_chars) });
    assert.deepEqual(await within(size), whole, JSON.stringify(input));
    if (size > 1000) assert.notDeepEqual(await within(size - 1), whole, JSON.stringify(input));
  }
});

Deno.test("what a page is measured by is what it is, piece by piece", () => {
  const lines = Array.from(
    { length: 1000 },
    (_, index) => ({ number: index + 1, text: '"\u200b' }),
  );
  const files: ShownFile[] = [{ file: "a.txt", lines }, { file: '"matches":["text":"', lines }];
  const answer = { pattern: '"matches":[]', base_path: "/", count: 2000 };
  const matches = [...entriesOf(files)];
  const text = [...textOf(files, conciseStyle(false))].join("");
  for (
    const [form, frame, whole] of [
      [jsonForm(), { matches: [] }, { matches }],
      [conciseForm(({ length }) => length, false), { text: "" }, { text }],
    ] as const
  ) {
    const head = { ...answer, output_mode: "content" };
    const page = { ...head, ...frame, notes: ["last"] } as unknown as SearchResult;
    const pieces = [...form.write(page, files)];
    assert.ok(pieces.length > 2000 && pieces.every(({ length }) => length < 300));
    assert.equal(pieces.join(""), written({ ...head, ...whole, notes: ["last"] }));
  }
});

Deno.test("what is plain weighs its characters, and other pieces their bytes", () => {
  const weigh = weigherFor(1_000_000);
  for (const piece of [`{"a": "b\\\\c"}`, "\n\t", "", "é", "\u{1f600}"]) {
    assert.equal(weigh(piece), weigherFor(1000)(piece), piece);
  }
  assert.ok(weigh("\x01".repeat(100)) > 100);
  assert.ok(weigh("\u4e00".repeat(100)) > 100);
});
