/** What a second thread finds out about a large file never changes what the first one finds in it. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { type ContentResult, Searcher, type SearchQuery, Workspace } from "../../mod.ts";
import { FileReader, type ReadOutcome } from "../../src/search/js/read.ts";
import type { LineEntry } from "../../src/search/js/scan.ts";
import { type OfferSurvey, Survey } from "../../src/search/js/survey.ts";
import { Surveyor } from "../../src/search/js/surveyor.ts";
import { plan, scanner, type SomeOptions } from "../regex/support.ts";
import { rgPath } from "../support/oracles.ts";
import { tempTree } from "../support/tree.ts";

const LINE = "a line of a log, and nothing else\n";
/** Enough for a survey to be asked for. */
const START = LINE.repeat(150_000);
const LARGE_BYTES = 42 << 20;
/** The times of a file that was written so long ago would tell of a change. */
const SETTLING_MS = 2100;
const settling = () => new Promise<void>((resolve) => setTimeout(resolve, SETTLING_MS));

/** Fills a text up to the size of a file that is surveyed. */
const filled = (text: string) => text + LINE.repeat(Math.max(0, LARGE_BYTES - text.length) / 34);

interface Reading {
  state: ReadOutcome["state"];
  longLines?: boolean;
  count?: number;
  entries?: LineEntry[];
}

/** Reads a file; `passed` takes word of lines passed over at once. */
function read(
  path: string,
  pattern: string,
  options: SomeOptions,
  offerSurvey: OfferSurvey,
  passed: (lines: number) => void = () => {},
): Reading {
  const scan = scanner(pattern, options);
  scan.start();
  const reader = new FileReader({
    maxFileSize: Infinity,
    isMultiline: false,
    tellsBinaries: true,
    need: plan(pattern, options).plan.need,
    kept: undefined,
    offerSurvey,
  });
  const reading = reader.readInPieces(path, {
    isStopped: false,
    restart: () => scan.start(),
    get isHit() {
      return scan.count > 0;
    },
    feed(text, last) {
      scan.feed(text, last);
      return !last && !scan.done;
    },
    skip(countLines) {
      return scan.skip(() => {
        const lines = countLines();
        passed(lines);
        return lines;
      });
    },
  }, true);
  let step = reading.next();
  while (!step.done) step = reading.next();
  const outcome = step.value;
  const { state } = outcome;
  if (state !== "read") return { state };
  return { state, longLines: outcome.longLines, count: scan.count, entries: scan.entries };
}

const alone: OfferSurvey = () => undefined;

/** Has a file surveyed at once, as far as the reader has not come yet. */
function surveyed(need: ReturnType<typeof plan>["plan"]["need"], change: () => void = () => {}) {
  const survey = new Survey(new SharedArrayBuffer(Survey.byteLength), 0);
  const surveyedBytes = () => {
    let bytes = 0;
    for (let next = survey.stretchFrom(0); next !== undefined;) {
      bytes += next.end - next.start;
      next = survey.stretchFrom(next.end);
    }
    return bytes;
  };
  const offer: OfferSurvey = (path, _ahead, task) => {
    const id = survey.open();
    if (id === undefined) return undefined;
    change();
    const surveyor = new Surveyor(path, { id, ...task }, survey, need);
    while (surveyor.run(performance.now() + 5));
    return { survey, id };
  };
  return { offer, surveyedBytes };
}

/** Parts of a file: pieces of every kind, and lines across their borders. */
const part = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant(LINE), fc.integer({ min: 1, max: 200_000 })) },
  { weight: 2, arbitrary: fc.tuple(fc.constant("wörter\r\n"), fc.nat(100_000)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant("no end "), fc.nat(400_000)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant(`a needle in ${LINE}`), fc.nat(40)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant(`\n\nNEEDLE\n${LINE.repeat(5000)}`), fc.nat(30)) },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom("needle", "\n", "\r\n"), fc.constant(1)) },
);
const largeText = fc.array(part, { minLength: 10, maxLength: 20 }).map((parts) => {
  const texts = parts.map(([text, count]) => text.repeat(count));
  const half = texts.length >> 1;
  return filled(START + texts.slice(0, half).join("") + "\n") + texts.slice(half).join("");
});
/** Where a text gets bytes that are no text, if at all: so far from its end. */
const spoiling = fc.option(
  fc.record({
    bytes: fc.constantFrom([0], [0xe4], [0xff], [0xe4, 0x0a]),
    fromEnd: fc.nat(LARGE_BYTES),
  }),
  { freq: 3 },
);

const ASKED: [string, SomeOptions][] = [
  ["needle", {}],
  ["needle", { mode: "count", caseInsensitive: true }],
  ["needle", { mode: "file" }],
  ["line|absent", { mode: "file" }],
  ["needle", { maxCount: 3 }],
  ["needle", { maxEntries: 7, column: true, maxLineLength: 50 }],
  ["needle", { invert: true, maxCount: 5 }],
  ["needle", { before: 2, after: 1 }],
  ["nothing else$", { mode: "count" }],
  ["skdle|needle", { caseInsensitive: true, onlyMatching: true }],
];

Deno.test("a reader that has a file surveyed finds what one finds who reads all of it", async () => {
  await using tree = await tempTree({});
  const texts = fc.sample(fc.tuple(largeText, spoiling), 4);
  for (const [index, [text, spoil]] of texts.entries()) {
    const file = new TextEncoder().encode(text);
    if (spoil !== null) file.set(spoil.bytes, file.length - spoil.fromEnd - spoil.bytes.length);
    await Deno.writeFile(tree.path(`${index}.log`), file);
  }
  await settling();
  let passed = 0;
  for (const [index, [, spoil]] of texts.entries()) {
    const path = tree.path(`${index}.log`);
    for (const [pattern, options] of ASKED) {
      const { offer, surveyedBytes } = surveyed(plan(pattern, options).plan.need);
      const found = read(path, pattern, options, offer);
      const what = JSON.stringify({ pattern, options, spoil });
      assert.deepEqual(found, read(path, pattern, options, alone), what);
      passed += surveyedBytes();
    }
  }
  assert.ok(passed > LARGE_BYTES, `${passed} bytes were passed over`);
});

Deno.test("what was surveyed is passed over at once", async () => {
  await using tree = await tempTree({ "a.log": `${filled(START)}needle\n${START}needle` });
  await settling();
  const { offer, surveyedBytes } = surveyed(plan("needle").plan.need);
  const passed: number[] = [];
  const { count } = read(tree.path("a.log"), "needle", {}, offer, (lines) => passed.push(lines));
  assert.equal(count, 2);
  assert.ok(surveyedBytes() > LARGE_BYTES - START.length, `${surveyedBytes()}`);
  assert.ok(Math.max(...passed) > LARGE_BYTES / LINE.length / 2, `${passed}`);
});

Deno.test("a file that changes after it was surveyed is read as it has become", async () => {
  const text = `${filled(START)}needle at the end\n`;
  const changes: Record<string, (path: string) => void> = {
    grows: (path) => Deno.writeTextFileSync(path, "another needle\n", { append: true }),
    shrinks: (path) => Deno.truncateSync(path, LARGE_BYTES / 2),
    "is rewritten": (path) => {
      using file = Deno.openSync(path, { write: true });
      file.seekSync(LARGE_BYTES / 2, Deno.SeekMode.Start);
      file.writeSync(new TextEncoder().encode("\nneedle\n"));
    },
  };
  await using tree = await tempTree(
    Object.fromEntries(Object.keys(changes).map((name) => [name, text])),
  );
  await settling();
  for (const [name, change] of Object.entries(changes)) {
    const path = tree.path(name);
    const { offer, surveyedBytes } = surveyed(plan("needle").plan.need);
    const changing: OfferSurvey = (...asked) => {
      const open = offer(...asked);
      change(path);
      return open;
    };
    const found = read(path, "needle", {}, changing);
    assert.ok(surveyedBytes() > 0);
    assert.deepEqual(found, read(path, "needle", {}, alone), `a file that ${name}`);
  }
});

Deno.test("what has taken a file's place is not surveyed", async () => {
  const text = `${filled(START)}needle at the end\n`;
  const names = ["file", "link", "directory", "fifo", "nothing"];
  await using tree = await tempTree(Object.fromEntries(names.map((name) => [name, text])));
  await using outside = await tempTree({ "other": filled(START) });
  await settling();
  for (const name of names) {
    const path = tree.path(name);
    const before = read(path, "needle", {}, alone);
    const { offer, surveyedBytes } = surveyed(plan("needle").plan.need, () => {
      Deno.renameSync(path, `${path}.old`);
      if (name === "file") Deno.copyFileSync(outside.path("other"), path);
      if (name === "link") Deno.symlinkSync(outside.path("other"), path);
      if (name === "directory") Deno.mkdirSync(path);
      if (name === "fifo") new Deno.Command("mkfifo", { args: [path] }).outputSync();
    });
    assert.deepEqual(read(path, "needle", {}, offer), before, name);
    assert.equal(surveyedBytes(), 0, name);
  }
});

Deno.test("one survey at a time, and none is left behind", () => {
  const survey = new Survey(new SharedArrayBuffer(Survey.byteLength), 0);
  const stretch = { start: 5 << 20, end: 6 << 20, lines: 7 };
  const first = survey.open()!;
  assert.equal(survey.open(), undefined);
  assert.ok(survey.begin(first));
  assert.ok(!survey.begin(first), "it is begun once");
  survey.add(stretch);
  assert.deepEqual(survey.stretchFrom(5 << 20), stretch);
  assert.equal(survey.stretchFrom((5 << 20) + 1), undefined);
  assert.ok(survey.isWanted(first, 5 << 20));
  survey.reach(4 << 20);
  assert.ok(!survey.isWanted(first, 5 << 20), "the reader is there");
  survey.close(first);
  assert.equal(survey.open(), undefined, "the surveyor still writes");
  assert.ok(!survey.isWanted(first, 100 << 20));
  survey.end(first);
  const second = survey.open()!;
  assert.ok(!survey.begin(first), "an old number begins nothing");
  assert.equal(survey.stretchFrom(0), undefined);
  survey.close(second);
  assert.ok(!survey.begin(second), "it was withdrawn");
  const third = survey.open()!;
  assert.ok(survey.begin(third));
  survey.end(third);
  assert.ok(survey.isSurveyed(third));
  survey.close(third);
  assert.notEqual(survey.open(), undefined);
});

Deno.test("a worker surveys a large file, and the answer is ripgrep's", async () => {
  const rare = `${START}a needle\r\n${LINE.repeat(1e6)}needle\n${START}${START}ne\nedle`;
  await using tree = await tempTree({
    // It takes that much for a worker to be started.
    "a.log": LINE.repeat(4e6) + rare,
    "b/c.log": rare,
    "b/d.log": rare,
    "b/e.txt": "needle\n",
  });
  await settling();
  const { stdout } = await new Deno.Command(await rgPath(), {
    args: ["--no-config", "-n", "--crlf", "--sort", "path", "needle", "."],
    cwd: tree.root,
  }).output();
  const expected = new TextDecoder().decode(stdout).trimEnd().split("\n").map((row) => {
    const [, file, line_number, line] = /^\.\/(.*?):([0-9]+):(.*?)\r?$/.exec(row)!;
    return { file, line_number: Number(line_number), line };
  });
  assert.equal(expected.length, 7);
  const workspace = await Workspace.open(tree.root);
  const query: SearchQuery = { pattern: "needle", paths: "relative", stats: true };
  await using searcher = new Searcher({ workspace });
  let threads = 1;
  // On a busy machine a worker may come too late for a search.
  for (let run = 0; run < 4 || threads === 1 && run < 60; run++) {
    const one = await searcher.search({ ...query, path: "a.log" }) as ContentResult;
    assert.deepEqual(one.matches, expected.slice(0, 2));
    threads = Math.max(threads, one.stats!.threads);
    const all = await searcher.search({ ...query, maxFileSize: 0 }) as ContentResult;
    assert.deepEqual(all.matches, expected);
    const counts = await searcher.search({ ...query, maxFileSize: 0, outputMode: "count" });
    assert.equal(counts.count, expected.length);
    const files = await searcher.search({ ...query, maxFileSize: 0, outputMode: "file" });
    assert.equal(files.count, 4);
  }
  if (navigator.hardwareConcurrency > 1) assert.ok(threads > 1, "a worker took part");
});

Deno.test("a search that times out in a large file leaves the next one unharmed", async () => {
  await using tree = await tempTree({ "a.log": `${LINE.repeat(5.5e6)}needle\n` });
  await settling();
  const workspace = await Workspace.open(tree.root);
  await using searcher = new Searcher({ workspace });
  const query: SearchQuery = { pattern: "needle", path: "a.log", stats: true };
  let late = 0;
  for (let timeout = 4; timeout < 100; timeout += 6) {
    const { count } = await searcher.search({ ...query, timeout }).catch((error) => {
      assert.equal(error.code, "search_timed_out");
      late++;
      return { count: 1 };
    });
    assert.equal(count, 1);
    assert.equal((await searcher.search(query)).count, 1);
  }
  assert.ok(late > 0, "some timed out");
});
