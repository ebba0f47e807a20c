/**
 * Faults in the threads, the patterns and the reading of a search.
 *
 * @module
 */

import { type Fault, faultsIn } from "../fault.ts";

const PAUSE = "tests/regex/pause.test.ts";
const ESTIMATE = "tests/regex/backtracking.test.ts";
const HANG = "tests/regex/hang.test.ts";
const LINEAR = "tests/regex/linear_matcher.test.ts";
const TURNS = "tests/util/slices.test.ts";
const LARGE = "tests/searcher/large_files.test.ts";
const EXCHANGES = "tests/hostile/exchanges.test.ts";
const RESPONSIVE = "tests/mcp/responsive.test.ts";
const CACHE = "tests/cache/cache.test.ts";
const FILES = "tests/cache/file_cache.test.ts";
const LINES = "tests/searcher/lines.test.ts";
const BUFFERS = "tests/searcher/read_buffer.test.ts";
const STDIN = "tests/searcher/endless_input.test.ts";
const QUERY = "tests/search/query.test.ts";
const SEVERAL = "tests/search/several_patterns.test.ts";
const ORACLE = "tests/searcher/line_searcher_oracle.test.ts";
const PATTERN = [
  "tests/searcher/line_searcher.test.ts",
  "tests/regex/parser.test.ts",
  "tests/searcher/line_searcher_oracle.test.ts",
];

/** Faults in `src/regex/`, `src/searcher/`, `src/parallel/` and `src/cache/`. */
export const JS_FAULTS: readonly Fault[] = [
  ...faultsIn("src/cache/file_cache.ts", [FILES, CACHE], [
    { find: `    this.#rows = new WeakMap();`, replace: `` },
    {
      find: `    this.#index.clear();\n    this.#toIndex = [];\n    this.#outdated = this.#entries`,
      replace: `    this.#toIndex = [];\n    this.#outdated = this.#entries`,
      why: "new documents come after the old ones, as long as there is room: it bounds memory only",
    },
    {
      find: `if (!identity.isSame(file.statSync())) return undefined;`,
      replace: ``,
    },
    {
      find: `kept.isForgotten || kept.epoch !== epoch) break;`,
      replace: `kept.isForgotten) break;`,
    },
    { find: `this.enter(this.#directory, this.#names, this.#trust);`, replace: `` },
    {
      find: `if (known !== undefined && !known.isForgotten) return known;`,
      replace: `if (known !== undefined) return known;`,
    },
    {
      find: `epoch === 0 || kept.epoch !== epoch) return`,
      replace: `epoch === 0) return`,
    },
    {
      find: `epoch === 0 || kept.epoch !== epoch) return`,
      replace: `kept.epoch !== epoch) return`,
    },
    {
      find: `if (kept.identity.isSame(info)) {`,
      replace: `if (true) {`,
    },
    {
      find: `if (epoch === 0 || info.nlink !== null && info.nlink > 1) return;`,
      replace: `if (epoch === 0) return;`,
    },
    {
      find: `    kept.epoch = 0;\n`,
      replace: `    kept.epoch = this.#gained;\n`,
      tests: ["tests/cache/worker_cache.test.ts"],
    },
    {
      find: `if (this.#wasted > this.#bytes.length >> 1) this.#clearBytes();`,
      replace: ``,
      why:
        "what is wasted is made use of by the next sweep: it decides how much is kept, not what is found",
    },
    {
      find: `this.#entries >= this.#maxEntries || !identity.isStable(time)`,
      replace: `this.#entries >= this.#maxEntries`,
    },
    {
      find: `return this.#used + bytes <= this.#bytes.length && this.#entries < this.#maxEntries;`,
      replace: `return this.#entries < this.#maxEntries;`,
    },
    {
      find: `&& this.#entries < this.#maxEntries;`,
      replace: `;`,
      why: "it bounds memory only",
    },
  ]),
  ...faultsIn("src/cache/trigram_index.ts", ["tests/cache/trigram_index.test.ts"], [
    {
      find: `trigram = (trigram << 8 | bytes[index]! | LETTER_CASE) & GRAM_MASK;`,
      replace: `trigram = (trigram << 8 | bytes[index]!) & GRAM_MASK;`,
    },
    { find: `return candidates.fill(1, this.#unsorted.first);`, replace: `return candidates;` },
    {
      find: `let distance = document - last[bucket]!;\n      if (distance <= 0) continue;`,
      replace: `let distance = document - last[bucket]!;`,
    },
    { find: `holders[bucket]! > MOST_SHARE * ends.length`, replace: `false` },
    { find: `.filter((bucket) => !this.#isInMost(bucket))`, replace: `` },
    {
      find: `marks.fill(1, this.#first, this.#first + this.#documents);\n      return;`,
      replace: `return;`,
    },
    {
      find: `if (found[next] === document) found[kept++]`,
      replace: `if (found[next] !== document) found[kept++]`,
    },
    {
      find: `if (unsorted !== this.#unsorted) return;`,
      replace: ``,
    },
  ]),
  ...faultsIn("src/parallel/shared_queue.ts", [
    "tests/parallel/shared_queue.test.ts",
    "tests/parallel/threads.test.ts",
  ], [
    { find: `if (top + bytes.length + 4 > this.#stack.length) {`, replace: `if (false) {` },
    {
      find: `if (bytes.length > CUTOFF_BYTES) return;`,
      replace: ``,
      tests: ["tests/parallel/threads.test.ts", "tests/search/order.test.ts"],
      why: "a path of 16,384 bytes cannot be opened: none is found",
    },
    {
      find: `    if (this.phase === "stop") return;\n    Atomics.store(`,
      replace: `    Atomics.store(`,
      hangs: true,
      tests: ["tests/parallel/shared_queue.test.ts"],
    },
    {
      find: `if (this.#slots[Slot.Closed] !== 0) return false;`,
      replace: ``,
      hangs: true,
    },
    {
      find:
        `this.#slots[Slot.Busy] === 0 && this.#slots[Slot.Top] === 0 && this.#slots[Slot.Shards] === 0`,
      replace: `this.#slots[Slot.Busy] === 0`,
      tests: ["tests/parallel/threads.test.ts", "tests/cache/cache.test.ts"],
    },
    { find: `      this.#slots[Slot.Shards] = left & ~(1 << index);\n`, replace: ``, hangs: true },
  ]),
  ...faultsIn("src/searcher/decoder.ts", [LINES, STDIN], [
    {
      find: `if (!this.#isUtf16 && bytes.includes(0)) return { skip: "binary" };`,
      replace: ``,
      tests: ["tests/searcher/standard_input.test.ts"],
    },
    {
      find: `lineEnd > 0 && (!isWide || this.#isSurelyUtf8(held))`,
      replace: `lineEnd > 0`,
      tests: ["tests/searcher/any_source.test.ts"],
    },
  ]),
  ...faultsIn("src/searcher/text_feeder.ts", [STDIN, LINES], [
    { find: `if (this.#whole.length > MAX_MULTILINE_CHARS) return "too_large";`, replace: `` },
    { find: `if (this.#held.length > MAX_LINE_CHARS) {`, replace: `if (false) {` },
    {
      find: `this.#whole, true, false);`,
      replace: `this.#whole, true);`,
      tests: ["tests/searcher/any_source.test.ts"],
    },
    {
      find: `if (this.isDone) return;`,
      replace: ``,
      why: "the searcher takes nothing more by itself once it is done",
    },
  ]),
  ...faultsIn("src/searcher/position.ts", [LINES], [
    {
      find: `if (known.lineStart !== lineStart || known.offset > offset) {`,
      replace: `if (known.lineStart !== lineStart) {`,
      why: "columns of a line are asked for from left to right",
    },
    {
      find: `if (isFirst) this.#lines = 0;`,
      replace: ``,
      tests: [LINES, "tests/searcher/line_searcher.test.ts"],
    },
    {
      find: `this.#column.lineStart = -1;`,
      replace: ``,
    },
  ]),
  ...faultsIn("src/searcher/cut.ts", [LINES], [
    { find: `line.length - limit));`, replace: `line.length - limit + 1));` },
  ]),
  ...faultsIn("src/searcher/search_sink.ts", [STDIN, QUERY], [
    {
      find: `this.#state.phase === "stop" || this.#isCountingOver;`,
      replace: `this.#isCountingOver;`,
      tests: ["tests/search/abort.test.ts"],
      filter: "all of the disk",
      why: "matching pauses every few milliseconds, and whoever goes on with it looks at the phase",
    },
    {
      find: `if (this.#isFed && this.#isCountingOver) this.#isIncomplete = true;`,
      replace: ``,
      tests: ["tests/search/totals.test.ts"],
    },
    {
      find: `this.#job.withoutMatch ? this.count === 0 && !this.#isIncomplete : this.count > 0;`,
      replace: `this.count > 0;`,
    },
    {
      find: `searcher.deadline = job.deadline - performance.timeOrigin;`,
      tests: ["tests/cli/time_limit.test.ts"],
      replace: `searcher.deadline = Infinity;`,
      hangs: true,
      why: "matching pauses, and whoever goes on with it looks at the same limit",
    },
  ]),
  ...faultsIn("src/searcher/context_lines.ts", [LINES, "tests/searcher/line_searcher.test.ts"], [
    {
      find:
        `for (const { after: has } of this.#pending) has!.push(...lines.slice(0, after - has!.length));`,
      replace: `for (const { after: has } of this.#pending) has!.push(...lines);`,
    },
  ]),
  ...faultsIn("src/searcher/line_searcher.ts", [
    LINES,
    STDIN,
    "tests/searcher/line_searcher.test.ts",
  ], [
    {
      find: `from += text.codePointAt(from)! > 0xffff ? 2 : 1;`,
      replace: `from += 1;`,
      tests: ["tests/searcher/line_searcher_oracle.test.ts"],
      hangs: true,
    },
    {
      find: `if (this.#chars > MAX_HELD_CHARS) this.isTruncated = true;`,
      replace: ``,
      tests: ["tests/hostile/floods.test.ts"],
    },
    {
      find: `      from = line.end + 1;`,
      replace: `      from = line.end + 2;`,
      tests: ["tests/searcher/line_searcher.test.ts"],
    },
    {
      find: `if (this.#taken + this.#entries.length >= this.entryLimit) return false;`,
      replace: ``,
    },
    {
      find:
        `if (previous?.start !== start || previous.end !== line.end || this.#options.onlyMatching) {`,
      replace: `if (true) {`,
    },
  ]),
  ...faultsIn("src/searcher/byte_source.ts", [LARGE, STDIN], [
    {
      find: `if (!this.#isSpecial && filled % BLOCK_BYTES !== 0) break;`,
      replace: `if (filled % BLOCK_BYTES !== 0) break;`,
      why:
        "disks give all that is asked for up to the end; a device that gives less is not at hand",
    },
    { find: `this.isAtEnd = filled < buffer.length;`, replace: `this.isAtEnd = true;` },
  ]),
  ...faultsIn("src/searcher/read_buffer.ts", [BUFFERS], [
    { find: `free.pop() ?? new ReadBuffer()`, replace: `(free[0] ??= new ReadBuffer())` },
    { find: `if (!this.#isTaken) return;`, replace: `` },
  ]),
  ...faultsIn("src/searcher/byte_feeder.ts", [QUERY, LINES, LARGE], [
    { find: `if (!kind.isUtf8) return { state: "not_utf8", bytes };`, replace: `` },
    { find: `if (hasNul) return { state: "binary", bytes: offset + filled };`, replace: `` },
    { find: `return start + length > end ? start : end;`, replace: `return end;` },
    { find: `if (kind.hasNul) return { state: "binary", bytes };`, replace: `` },
    {
      find: `if (last || sink.isStopped || source.isEndless && sink.isDone) break;\n      held`,
      replace: `if (last || sink.isStopped) break;\n      held`,
      tests: ["tests/searcher/endless_input.test.ts"],
      hangs: true,
    },
  ]),
  ...faultsIn("src/searcher/file_reader.ts", [QUERY, LINES], [
    {
      find: `      this.enter(...entered);\n`,
      replace: ``,
      tests: [BUFFERS],
    },
    {
      find: `/ \\(os error \\d+\\)/.test(error.message)`,
      replace: `false`,
      tests: ["tests/hostile/exchanged_answers.test.ts"],
      filter: "socket",
    },
    {
      find: `const isTooLarge = size > maxFileSize &&`,
      replace: `const isTooLarge = size >= maxFileSize &&`,
    },
    {
      find: `const isTold = outcome.state !== "read" || sink.isHit`,
      replace: `const isTold = sink.isHit`,
      tests: ["tests/hostile/exchanges.test.ts"],
    },
    {
      find:
        `if (outcome !== undefined && (outcome.state !== "read" || !sink.isHit)) return outcome;`,
      replace: `if (outcome !== undefined) return outcome;`,
      tests: ["tests/cache/tree_watch.test.ts"],
    },
  ]),
  ...faultsIn("src/regex/literals.ts", PATTERN, [
    {
      find: `return node.negated || node.behind ? undefined : required(node.item, textOf);`,
      replace: `return node.negated ? undefined : required(node.item, textOf);`,
    },
    {
      find: `return node.min > 0 ? required(node.item, textOf) : undefined;`,
      replace: `return required(node.item, textOf);`,
    },
    {
      find: `if (texts === undefined) return undefined;`,
      replace: `if (texts === undefined) continue;`,
    },
  ]),
  ...faultsIn("src/regex/plan.ts", [QUERY, ...PATTERN], [
    {
      find: "RegExp(`\\\\0(?:${source})`",
      replace: "RegExp(`(?:${source})`",
      tests: ["tests/regex/overshoot.test.ts"],
      filter: "planning",
    },
    {
      find: `if (compileCost(tree) > MAX_COMPILE_COST) return false;`,
      replace: ``,
      tests: ["tests/regex/parser.test.ts"],
    },
    {
      find: `size <= MAX_SIZE && classesCost(tree) <= MAX_CLASSES_COST;`,
      replace: `size <= MAX_SIZE;`,
      tests: ["tests/regex/parser.test.ts"],
    },
    {
      find: `Math.min(MAX_EXPANSION, expansion * Math.max(1, node.max));`,
      replace: `expansion * Math.max(1, node.max);`,
      tests: ["tests/regex/parser.test.ts"],
    },
    {
      find: "known.set(`${node.negated} ${node.fold} ${node.items}`, node)",
      replace: "known.set(`${known.size}`, node)",
      tests: ["tests/regex/parser.test.ts"],
    },
    {
      find: `if (isMixed(tree) && foldingCost(tree) > MAX_FOLDING_COST) return false;`,
      replace: ``,
      tests: ["tests/regex/parser.test.ts"],
    },
    {
      find: `if (options.smartCase && !fold && !parsed.some((one) => one.hasUpperCase)) {`,
      replace: `if (options.smartCase && !fold && !parsed.every((one) => one.hasUpperCase)) {`,
    },
    {
      find: `if (!options.invert) plan.prefilter`,
      replace: `plan.prefilter`,
      tests: [LINES],
    },
  ]),
  ...faultsIn("src/regex/pattern_set.ts", [SEVERAL, ORACLE], [
    { find: `if (start < to) found.push(index);`, replace: `if (start <= to) found.push(index);` },
    { find: `known !== undefined && known >= from`, replace: `known !== undefined` },
    { find: `this.#mayBeEmpty || match.start < match.end`, replace: `true` },
    {
      find: `if (this.#deadline.count(STEPS_PER_PATTERN + chars / CHARS_PER_STEP)) return PAUSED;`,
      replace: ``,
      why: "a matcher counts its own steps; this one bounds what plain texts take",
    },
  ]),
  ...faultsIn("src/searcher/pattern_tally.ts", [SEVERAL, ORACLE], [
    {
      find: `invert ? [] : [...each.keys()]`,
      replace: `[...each.keys()]`,
      why: "no pattern matches a line of an inverted search: it only saves asking",
    },
    { find: `this.#isByFile && found.length > 0`, replace: `false` },
    { find: `end: line.end + 1`, replace: `end: line.end` },
  ]),
  ...faultsIn("src/regex/timed_regexp.ts", [SEVERAL, ORACLE], [
    { find: `from >= this.#end;`, replace: `true;` },
  ]),
  ...faultsIn("src/regex/folded_class.ts", ["tests/regex/letter_case.test.ts"], [
    { find: `without(exact, folded)`, replace: `[]` },
    {
      find: `if (exact.length + added.length === folded.length) return more;`,
      replace: `return more;`,
    },
    { find: `knownChars > MAX_KNOWN`, replace: `false`, why: "it only bounds memory" },
  ]),
  ...faultsIn("src/regex/char_set.ts", ["tests/regex/letter_case.test.ts"], [
    { find: `items.length <= MAX_ITEMS`, replace: `true`, filter: "planned soon" },
  ]),
  ...faultsIn("src/regex/printer.ts", ["tests/regex/letter_case.test.ts"], [
    {
      find: `isMixed && node.fold ? FOLDED_ANCHORS[node.kind]`,
      replace: `false ? FOLDED_ANCHORS[node.kind]`,
    },
    {
      find: `this.#style.isMixed && fold ? foldedClass(source)`,
      replace: `false ? foldedClass(source)`,
    },
    { find: `if (!setsFlags) return`, replace: `if (true) return` },
    {
      find: "setsFlags ? `[${source}]` : source",
      replace: `source`,
      why: "V8 asks for the flags where it writes letters, but no pattern was found that shows it",
    },
    { find: `&& some(node.item, mayBeCased)`, replace: `` },
    { find: `node.beyond || (node.ascii`, replace: `(node.ascii` },
    { find: `(node.ascii & LETTER_BITS) !== 0n`, replace: `false` },
    { find: `const MAX_FLAGGED_DEPTH = 100;`, replace: `const MAX_FLAGGED_DEPTH = 600;` },
  ]),
  ...faultsIn("src/regex/char_reader.ts", ["tests/regex/parser.test.ts"], [
    {
      find: `if (OPERATION_ON_CLASS.test(this.#text.source)) this.#noteOperation();`,
      replace: ``,
    },
    { find: `if (OPERATION_ON_CLASS.test(this.#text.source)) this`, replace: `this` },
    { find: `if (this.#text.position > at + opening.length) this`, replace: `this` },
  ]),
  ...faultsIn("src/regex/matcher_engines.ts", ["tests/regex/overshoot.test.ts"], [
    { find: `if (this.#form.isSlowToCompile) this.#deadline.look();`, replace: `` },
  ]),
  ...faultsIn("src/regex/printer.ts", ["tests/regex/overshoot.test.ts"], [
    { find: `const MANY_CLASSES = 5;`, replace: `const MANY_CLASSES = 500;`, filter: "in a row" },
    {
      find: `anchor + noLookAhead : anchor`,
      replace: `anchor : anchor`,
      filter: "in a row",
    },
    { find: `"(?:\\\\1)"`, replace: `"\\\\1"`, tests: ["tests/regex/letter_case.test.ts"] },
    { find: `"(?:(?!)|)"`, replace: `""`, filter: "lookarounds" },
  ]),
  ...faultsIn("src/regex/simplify.ts", PATTERN, [
    { find: `if (some(tree, (node) => node.type === "backreference")) return tree;`, replace: `` },
  ]),
  ...faultsIn("src/regex/literals.ts", [
    LINES,
    "tests/searcher/byte_search.test.ts",
  ], [
    {
      find: `const allOf = isByLine ? singlesOf(others) : [];`,
      replace: `const allOf = singlesOf(others);`,
    },
    {
      find:
        `const isForAscii = eitherCase && [...anyOf, ...allOf].some((text) => /[ks]/.test(text));`,
      replace: `const isForAscii = false;`,
    },
  ]),
  ...faultsIn("src/parallel/search_worker.ts", [EXCHANGES, "tests/parallel/threads.test.ts"], [
    {
      find: `if (!isVerified(found, this.#job.walk)) return false;`,
      replace: ``,
      tests: [EXCHANGES, "tests/hostile/races.test.ts"],
    },
    {
      find: `this.#provisional.add({ ...found, reject: () => this.#work.add(fileItem(path)) });`,
      replace: `found.accept();`,
      tests: [EXCHANGES, "tests/hostile/races.test.ts"],
    },
    {
      find: `if (!isHit || this.#isCutOff(path)) return;`,
      replace: `if (!isHit) return;`,
      why: "the collector leaves out what lies after its cutoff: it saves copying only",
    },
    {
      find: `if (!this.#isStopped()) throw thrown;`,
      replace: `throw thrown;`,
      tests: ["tests/parallel/threads.test.ts"],
      filter: "match ignore rules",
    },
    {
      find: `    this.#searcher.limit.pauseAt = until;\n`,
      replace: ``,
      tests: ["tests/search/abort.test.ts"],
      filter: "all of the disk",
      hangs: true,
    },
    {
      find: `if (state === "binary" && !named && !this.#job.wantsStats) return undefined;`,
      replace: `if (state === "binary") return undefined;`,
      tests: ["tests/search/query.test.ts", "tests/contract/search_rules.test.ts"],
    },
    {
      find: `if (named || reason !== "binary") addSkippedPath`,
      replace: `addSkippedPath`,
      tests: ["tests/engines/truncated_notes.test.ts"],
    },
    {
      find: `if (named) this.#report.notSearched.push({ path, reason });`,
      replace: ``,
      tests: ["tests/search/query.test.ts", "tests/contract/search_rules.test.ts"],
    },
  ]),
  ...faultsIn("src/parallel/worker_pool.ts", [RESPONSIVE, "tests/parallel/threads.test.ts"], [
    {
      find: `{ name: "read", path }).state === "granted";`,
      replace: `{ name: "read", path }).state !== "";`,
      filter: "fifty calls are answered, slow ones among them, with rights to the workspace",
      hangs: true,
    },
  ]),
  ...faultsIn("src/util/slices.ts", [TURNS], [
    {
      find: `const isQuick = quick.length > 0 && (credit > 0 || slow.length === 0);`,
      replace: `const isQuick = quick.length > 0;`,
    },
    {
      find: `const isQuick = quick.length > 0 && (credit > 0 || slow.length === 0);`,
      replace: `const isQuick = quick.length > 0 && slow.length === 0;`,
    },
    {
      find: `credit = isQuick ? credit - took : took;`,
      replace: `credit = isQuick ? credit : took;`,
    },
    { find: `this.#isSlow = performance.now() - started > SLOW_MS;`, replace: `` },
    {
      find: `if (took > SLOW_MS) await new Promise((resolve) => setTimeout(resolve, REST_MS));`,
      replace: ``,
    },
    { find: `reject(thrown);`, replace: `resolve(thrown as T);` },
  ]),
  ...faultsIn("src/regex/deadline.ts", [PAUSE, HANG], [
    {
      find: `if (this.isStopped()) throw new PathgrepError("cancelled", "cancelled");`,
      replace: ``,
      filter: "ends soon after its limit",
    },
    {
      find: `if (this.left < 0) this.fail();`,
      replace: ``,
      hangs: true,
      filter: "ends soon after its limit",
    },
    {
      find: `if (this.#steps >= STEPS_PER_LOOK) this`,
      replace: `if (this.#steps >= STEPS_PER_LOOK * 1e4) this`,
      filter: "ends soon after its limit",
      hangs: true,
    },
    {
      find: `this.#isPauseDue = this.shouldPause;`,
      replace: ``,
      filter: "depend on where matching pauses",
    },
    {
      find: `    this.#limit = until === Infinity ? PIECE_LIMIT : limit;\n    this.check();`,
      replace: `    this.#limit = until === Infinity ? PIECE_LIMIT : limit;`,
      tests: [HANG],
      filter: "has passed",
    },
  ]),
  ...faultsIn("src/regex/timed_regexp.ts", [
    HANG,
    PAUSE,
    "tests/searcher/line_searcher_oracle.test.ts",
  ], [
    {
      find: `        this.#deadline.look();\n        if (job.isStepwise)`,
      replace: `        if (job.isStepwise)`,
      hangs: true,
      tests: [PAUSE],
      filter: "ends soon after its limit",
    },
    {
      find: `if (now() > job.until) for (;;);`,
      replace: ``,
      tests: ["tests/regex/timed_regexp.test.ts"],
      why: "it takes a script that ends in the very moment in which Deno stops it",
    },
    {
      find: `runInContext(this.#context, { timeout: length + MARGIN })`,
      replace: `runInContext(this.#context, { timeout: 1e6 })`,
      tests: [PAUSE],
      filter: "ends soon after its limit",
      hangs: true,
    },
    {
      find:
        `if (job.failure === undefined && job.found.length === 0 && this.#deadline.shouldPause) {`,
      replace: `if (false) {`,
      tests: [PAUSE],
      filter: "only V8",
    },
    {
      find: `        job.isStepwise = true;\n`,
      replace: ``,
      hangs: true,
      tests: [PAUSE],
      filter: "only V8",
    },
    {
      find: `const isNext = job?.text === text && job.byLine === byLine && from > this.#asked &&`,
      replace: `const isNext = job?.byLine === byLine && from > this.#asked &&`,
      tests: [SEVERAL],
    },
    { find: `from > this.#asked &&`, replace: `from >= 0 &&` },
    {
      find: `job.at = end + 1;\n        continue;`,
      replace: `start = match.index;`,
      tests: [
        "tests/searcher/line_searcher_oracle.test.ts",
        "tests/searcher/line_searcher.test.ts",
        PAUSE,
      ],
    },
  ]),
  ...faultsIn("src/regex/matcher.ts", [PAUSE], [
    {
      find: `const MAX_STEPS = 1 << 24;`,
      replace: `const MAX_STEPS = 2 ** 40;`,
      filter: "ends soon after its limit",
    },
    {
      find: `const isHarmless = lines.length <= this.#windowSize &&`,
      replace: `const isHarmless = true &&`,
      filter: "ends soon after its limit",
    },
    {
      find: `this.#plan.find.cost === "quadratic" && linesAreShort(lines));`,
      replace: `this.#plan.find.cost === "quadratic");`,
      filter: "ends soon after its limit",
      why: "what V8 may take at once bounds it: a pause comes later by a second at worst",
    },
    {
      find: `length * perUnit <= MAX_STEPS ?`,
      replace: `true ?`,
      filter: "ends soon after its limit",
    },
    {
      find: `cost === "quadratic" && (multiline || length <= SHORT_LINE)) {`,
      replace: `cost === "quadratic") {`,
      why:
        "what is quadratic on a long line takes more steps than may be taken at once, and is not tried",
    },
    {
      find: `return paused?.from === from && paused.text === text ? paused.at : from;`,
      replace: `return paused?.from === from ? paused.at : from;`,
      filter: "other arguments",
      why: "where the text changes, what was paused is forgotten",
    },
    {
      find: `return !required.some((one) => text.includes(one));`,
      replace: `return !required.every((one) => text.includes(one));`,
      tests: ["tests/searcher/line_searcher.test.ts", SEVERAL],
    },
  ]),
  ...faultsIn("src/regex/matcher_engines.ts", [PAUSE], [
    {
      find:
        `const isSame = paused?.from === from && paused.byLine === byLine && paused.text === text;`,
      replace: `const isSame = paused?.from === from && paused.text === text;`,
      filter: "a call for a match",
    },
    {
      find: `if (thrown instanceof RangeError) return undefined;`,
      replace: ``,
      tests: [HANG],
      filter: "neither overflows",
    },
    {
      find: `for (let end; isInPair(text, end = expression.lastIndex);) {`,
      replace: `for (let end = 0; false;) {`,
      tests: [
        "tests/searcher/line_searcher_oracle.test.ts",
        "tests/searcher/line_searcher.test.ts",
      ],
    },
  ]),
  ...faultsIn("src/regex/backtracking.ts", [HANG], [
    {
      find: `const MAX_LINEAR_FACTOR = 40;`,
      replace: `const MAX_LINEAR_FACTOR = 4000;`,
      filter: "told apart",
    },
    {
      find: `const MAX_QUADRATIC_FACTOR = 8;`,
      replace: `const MAX_QUADRATIC_FACTOR = 800;`,
      filter: "told apart",
      tests: [HANG, PAUSE],
    },
    {
      find: `if (!looksAround && perPair === 0) return [0, once + perCharacter, 0];`,
      replace: `return [0, once + perCharacter, 0];`,
      filter: "told apart",
    },
    {
      find: `if (!looksAround && perPair === 0) return [0, once + perCharacter, 0];`,
      replace: `if (!looksAround && perPair === 0) return EACH;`,
      tests: [ESTIMATE],
    },
    {
      find: `return perCharacter > 0 ? HOPELESS : product(EACH, body);`,
      replace: `return perCharacter > 0 ? HOPELESS : EACH;`,
      tests: [ESTIMATE],
    },
    {
      find: `? [perStart + more[0], more[1], 0]`,
      replace: `? [more[0], more[1], 0]`,
      tests: [ESTIMATE],
    },
    {
      find: `perPair + perCharacter / SHORT_REPEAT`,
      replace: `perPair`,
      tests: [ESTIMATE],
    },
    {
      find: `isTooMuch ? HOPELESS : [a * x, a * y + b * x, a * z + b * y + c * x]`,
      replace: `isTooMuch ? HOPELESS : [0, a * y + b * x, a * z + b * y + c * x]`,
      tests: [ESTIMATE],
    },
    {
      find: `if (isNested && isLong && (!isSimple || isNullable(item))) {`,
      replace: `if (isNested && isLong && !isSimple) {`,
      filter: "",
      why: "the ways through such a repeat have no bound in any case",
    },
    {
      find: `if (isNested && isLong && (!isSimple || isNullable(item))) {`,
      replace: `if (false) {`,
      filter: "told apart",
      why: "the ways through such a repeat have no bound in any case",
    },
    {
      find: `return opening.every((first) => !areDisjoint(stretch, first));`,
      replace: `return false;`,
      filter: "told apart",
    },
    {
      find: `node.kind === "lineStart" && !multiline;`,
      replace: `node.kind === "lineStart";`,
      filter: "told apart",
    },
  ]),
  ...faultsIn("src/regex/lazy_dfa.ts", [LINEAR], [
    { find: `if (this.#table.isFull) this.#table`, replace: `if (false) this.#table` },
    {
      find: `return this.#count(steps);`,
      replace: `return this.#count(0);`,
      tests: [PAUSE],
      filter: "ends soon after its limit",
    },
    {
      find: `if (this.#countSteps(offset - start)) yield;`,
      replace: `this.#countSteps(offset - start);`,
      filter: "can pause on it",
    },
    {
      find: `    } else if (charClass >= this.#table.stride) {`,
      replace: `    } else if (false) {`,
    },
    {
      find: `if (table === this.#table) table.set(from, charClass, state);`,
      replace: `table.set(from, charClass, state);`,
      why: "a table that was given up is not read any more",
    },
    { find: `before: this.#looksBehind ? before : EDGE };`, replace: `before: EDGE };` },
    { find: `return kind !== "lineEnd" && kind !== "textEnd";`, replace: `return false;` },
  ]),
  ...faultsIn("src/regex/pike_vm.ts", [LINEAR], [
    {
      find: `if (marks[attempt.at] === offset) continue;`,
      replace: ``,
      hangs: true,
      filter: "can pause on it",
    },
    {
      find: `if (found === undefined) stack.unshift({ at: start, start: offset });`,
      replace: `stack.unshift({ at: start, start: offset });`,
    },
    {
      find: `if (isPauseDue) yield;`,
      replace: ``,
      filter: "can pause on it",
    },
    {
      find: `if (generation !== classes.generation) {`,
      replace: `if (false) {`,
      why:
        "all classes are forgotten only at 2 ** 28 bits, for which a pattern must tell tens of thousands of letters apart",
    },
  ]),
  ...faultsIn("src/regex/nfa.ts", [LINEAR, "tests/searcher/line_searcher_oracle.test.ts"], [
    {
      find: `const body = this.compile(node.item, loop, FAIL);`,
      replace: `const body = this.compile(node.item, loop);`,
    },
    { find: `split[node.lazy ? "other" : "next"] = body;`, replace: `split.next = body;` },
    {
      find: `return node.type === "look" && node.item.type !== "set" && node.item.type !== "char";`,
      replace: `return false;`,
    },
    {
      find: `const after = isNullable(node) ? unmoved : next;`,
      replace: `const after = next;`,
    },
  ]),
];
