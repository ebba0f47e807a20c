/**
 * Faults in a search from query to answer.
 *
 * @module
 */

import { type Fault, faultsIn } from "../fault.ts";

const ORDER = "tests/search/order.test.ts";
const QUERY = "tests/search/query.test.ts";
const STDIN = "tests/searcher/endless_input.test.ts";
const EXCHANGES = "tests/hostile/exchanges.test.ts";
const PROVISIONAL = "tests/walk/provisional.test.ts";
const LIBRARY = "tests/contract/library.test.ts";
const EXPLAIN = "tests/search/explain.test.ts";
const BUDGET = "tests/tools/budget.test.ts";
const SEVERAL = "tests/search/several_patterns.test.ts";

/** Faults in `src/search/`. */
export const SEARCH_FAULTS: readonly Fault[] = [
  ...faultsIn("src/search/collector.ts", [ORDER, QUERY, STDIN], [
    {
      find: `const room = Math.min(maxResults - this.#streamed, entries - skip);`,
      replace: `const room = Math.min(maxResults, entries - skip);`,
    },
    {
      find: `while (end < this.#hits.length && entries <= room && chars <= MAX_HELD_CHARS) {`,
      why: "what is kept fills the answer, which is known to be cut",
      replace: `while (end < this.#hits.length && entries < room && chars <= MAX_HELD_CHARS) {`,
    },
    {
      find: `for (let hit; room > 0 && (hit = hits.pop()) !== undefined;) {`,
      replace: `for (let hit; (hit = hits.pop()) !== undefined;) {`,
    },
    { find: `return hasPage ? "keep" : "count";`, replace: `return "count";` },
    {
      find: `if (this.#isCountCut) return hasPage ? "finish" : "stop";`,
      replace: `if (this.#isCountCut) return "stop";`,
    },
    {
      find: `return Math.min(maxResults, maxOutputChars);`,
      replace: `return maxResults;`,
    },
  ]),
  ...faultsIn("src/search/cause_notes.ts", [EXPLAIN], [
    {
      find: `if (files > 1) return globs.map`,
      replace: `if (files > 2) return globs.map`,
      tests: ["tests/search/explain_advice.test.ts"],
    },
    {
      find: `[above, anyCase(above)]`,
      replace: `[above]`,
      tests: ["tests/search/explain_advice.test.ts"],
    },
    {
      find: `if (isElsewhere && !needsPath) return`,
      replace: `if (isElsewhere) return`,
      tests: ["tests/search/explain_advice.test.ts"],
    },
    {
      find: `  if (files > 1 || !isGlobbed) return [];`,
      replace: `  return [];`,
      tests: ["tests/search/explain_advice.test.ts"],
    },
    { find: `!isProven || isBlocked && !isOfRepository`, replace: `!isProven` },
    { find: `return isBlocked\n    ? \`a rule`, replace: `return false\n    ? \`a rule` },
  ]),
  ...faultsIn("src/search/explain.ts", [EXPLAIN], [
    {
      find: `new Guard({ workspace, allow, deny }).openRoots()`,
      replace: `workspace.roots`,
      tests: ["tests/walk/allowed_roots.test.ts"],
    },
    {
      find: `const label = await this.#probe.inTurn(look);`,
      replace: `const label = look();`,
      filter: "in turns",
    },
    {
      find: `reason === "blocked" && basename(path) !== ".git" &&`,
      replace: `reason === "blocked" &&`,
    },
    { find: `paths.of(path, isDirectory).length === 0`, replace: `true` },
    { find: `      if (this.#mayNarrow) {`, replace: `      if (false) {` },
    {
      find: `return !isListing && !settings.invert && !settings.filesWithoutMatch;`,
      replace: `return !isListing;`,
    },
    { find: `        tellsLeftOut: true,`, replace: `        tellsLeftOut: false,` },
  ]),
  ...faultsIn("src/search/causes.ts", [EXPLAIN], [
    { find: `if (!some.isSubsetOf(these)) return false;`, replace: `return false;` },
    { find: `if (compareByBytes(path, group.first) < 0) {`, replace: `if (false) {` },
    { find: `group.isCut ||= isCut;`, replace: `` },
    { find: `group.files++;`, replace: `` },
    { find: `if (names.length > maxDepth)`, replace: `if (names.length >= maxDepth)` },
  ]),
  ...faultsIn("src/search/probe.ts", [EXPLAIN], [
    {
      find: `Math.min(Date.now() + this.budget, job.deadline)`,
      replace: `Date.now() + this.budget`,
    },
    {
      find: `      if (signal.aborted) throw PathgrepError.from(signal.reason);\n      // It`,
      replace: `      // It`,
      why: "the next pass asks the signal as well, and after the last nobody waits for the answer",
    },
  ]),
  ...faultsIn("src/search/scope.ts", ["tests/search/explain_advice.test.ts"], [
    { find: `else if (isWorktree) causes.push`, replace: `else if (false) causes.push` },
    {
      find: `files: isFile ? [target] : [],`,
      replace: `files: isDirectory ? [] : [target],`,
      hangs: true,
    },
  ]),
  ...faultsIn("src/search/budget.ts", [BUDGET], [
    {
      find: `{ ...frame, engineNotes: [] }, settings, budget);`,
      replace: `frame, settings, budget);`,
      tests: ["tests/engines/conformance.test.ts"],
    },
    {
      find: `<= budget.chars ? noted : result;`,
      replace: `> 0 ? noted : result;`,
      tests: ["tests/engines/conformance.test.ts"],
    },
    { find: `if (!mayShorten) throw tooLong`, replace: `if (false) throw tooLong` },
    { find: `if (room >= 0) end = index + 1;`, replace: `if (room >= -100) end = index + 1;` },
    {
      find: `if (room >= 0) end = index + 1;`,
      replace: `if (room < 0) break;\n      end = index + 1;`,
    },
    { find: `["context", withoutContext],`, replace: `` },
    {
      find: `truncated: isTruncated || end < held.length };`,
      replace: `truncated: isTruncated };`,
    },
    { find: `if (left > 0) notes.push`, replace: `if (false) notes.push` },
  ]),
  ...faultsIn("src/search/partial.ts", ["tests/search/partial.test.ts"], [
    { find: `mayShorten: true, measure`, replace: `mayShorten: false, measure` },
    { find: `onEntry === undefined ? partial : withoutEntries(partial)`, replace: `partial` },
    { find: `measure?.shape?.(found) ?? found`, replace: `found` },
  ]),
  ...faultsIn("src/search/pattern_counts.ts", [SEVERAL, "tests/search/partial.test.ts"], [
    { find: `hit.entries.slice(0, shown)`, replace: `hit.entries` },
    { find: `shown -= hit.entries.length;`, replace: `` },
    { find: `(to[index] ?? 0) + count`, replace: `count` },
  ]),
  ...faultsIn("src/search/filter_problem.ts", [EXPLAIN], [
    {
      find: `if (await hasAny(job.walk.filter) || !await hasAny({})) return undefined;`,
      replace: ``,
    },
  ]),
  ...faultsIn("src/search/search.ts", [QUERY, ORDER, STDIN, LIBRARY], [
    {
      find: `  workspace.checkRoots();\n`,
      replace: ``,
      tests: ["tests/workspace/verification.test.ts"],
    },
    {
      find: `if (options.signal?.aborted) throw cancelled();`,
      why: "whoever asks the user or reads asks the signal as well",
      replace: ``,
    },
    {
      find: `if (options.signal?.aborted) cancel();`,
      replace: ``,
      why:
        "the signal was asked just before, with nothing awaited in between but the guard, which asks it too",
      tests: ["tests/contract/library.test.ts", "tests/tools/permission.test.ts"],
    },
    {
      find: `const isStreamed = onEntry !== undefined && maxOutputChars === Infinity;`,
      replace: `const isStreamed = onEntry !== undefined;`,
    },
    {
      find: `if (collector.isTooLong && hits.length === 0 && streamed.entries === 0) {`,
      replace: `if (false) {`,
    },
    {
      find: `if (truncated) result.next_offset = settings.offset + streamed.entries;`,
      replace: `if (truncated) result.next_offset = streamed.entries;`,
    },
    {
      find: `Math.max(0, Math.min(job.deadline - Date.now(), MAX_TIMER_MS)),`,
      replace: `job.deadline - Date.now(),`,
    },
    {
      find: `if (collector.isTooBroad && error.code === "search_timed_out") {`,
      replace: `if (false) {`,
    },
  ]),
  ...faultsIn("src/search/search_job.ts", [QUERY, ORDER, STDIN, LIBRARY], [
    {
      find: `const entryLimit = settings.offset + roomFor(settings) + 1;`,
      replace: `const entryLimit = roomFor(settings) + 1;`,
    },
    {
      find: `before: Math.min(settings.before, MAX_CONTEXT),`,
      replace: `before: settings.before,`,
      tests: ["tests/search/context.test.ts"],
    },
  ]),
  ...faultsIn("src/search/query_parser.ts", [QUERY, LIBRARY], [
    { find: `Array.from(value) : [value]`, replace: `value : [value]` },
    {
      find: `if (!Object.hasOwn(QUERY_OPTIONS, key)) {`,
      replace: `if (!(key in QUERY_OPTIONS)) {`,
    },
    {
      find: `Number.isSafeInteger(value) && value as number >= option.min`,
      replace: `Number.isSafeInteger(value)`,
    },
    {
      find: `const empty = pattern.indexOf("");`,
      replace: `const empty = pattern[0] === "" ? 0 : -1;`,
    },
    {
      find: `onOverflow: query.offset === undefined ? values.onOverflow : "truncate",`,
      replace: `onOverflow: values.onOverflow,`,
    },
    {
      find: `.every((glob) => /^!?(?:\\*\\*\\/)?[^/]*$/.test(glob));`,
      replace: `.every(() => true);`,
      tests: [QUERY, "tests/search/overlap.test.ts"],
    },
    {
      find: `return values.every((item) => typeof item === "string")`,
      replace: `return values.some((item) => typeof item === "string")`,
    },
  ]),
  ...faultsIn("src/search/targets.ts", [QUERY, STDIN, "tests/guard/requester.test.ts"], [
    {
      find: `if (!open.includes(root)) {`,
      replace: `if (false) {`,
      tests: ["tests/walk/allowed_roots.test.ts"],
    },
    {
      find: `if (denial !== undefined) throw denial;`,
      replace: ``,
      why: "the question takes the place of the answer, which would be of the other paths alone",
      tests: ["tests/mcp/permission.test.ts"],
    },
    {
      find:
        `mayRepeat: follow || !isPathFree(settings) && nestedIn(targets.directories).length > 0,`,
      replace: `mayRepeat: follow,`,
      tests: ["tests/search/overlap.test.ts"],
    },
    {
      find: `if (path === STDIN.path && context.hasStdin) {`,
      replace: `if (path === STDIN.path) {`,
    },
    {
      find:
        `if (!workspace.contains(found) && !confined.has(found)) confined.set(found, identity);`,
      replace: ``,
      tests: ["tests/guard/requester.test.ts"],
    },
  ]),
  ...faultsIn("src/search/result_builder.ts", [QUERY], [
    {
      find: `return truncated && !total.isLeast ? total.patternCounts : patternCounts!(shown);`,
      replace: `return patternCounts!(shown);`,
      tests: ["tests/search/several_patterns.test.ts"],
    },
    {
      find: `next_offset: settings.offset + (frame.shown`,
      replace: `next_offset: (frame.shown`,
    },
    {
      find: `return isLeast ? { total_at_least: count } :`,
      replace: `return`,
      tests: ["tests/search/totals.test.ts"],
    },
  ]),
  ...faultsIn("src/search/facets.ts", [QUERY], [
    { find: `.slice(0, MAX_GROUPS);`, replace: `;` },
  ]),
  ...faultsIn("src/search/too_broad.ts", [QUERY, STDIN], [
    {
      find: `const isKnown = !total.isLeast && settings.onOverflow === "error";`,
      replace: `const isKnown = settings.onOverflow === "error";`,
    },
  ]),
  ...faultsIn("src/search/skip_notes.ts", [QUERY, STDIN], [
    { find: `compareByBytes(path, end) <= 0;`, replace: `compareByBytes(path, end) < 0;` },
    {
      find: `isPart: before.length === MAX_SKIPPED_PATHS`,
      tests: ["tests/engines/truncated_notes.test.ts"],
      replace: `isPart: false`,
    },
  ]),
  ...faultsIn("src/searcher/job.ts", [QUERY], [
    {
      find: `report.skippedPaths = firstSkippedPaths(report.skippedPaths);`,
      replace: ``,
      why: "it bounds memory only",
    },
    {
      find: `a.path, b.path)).slice(0, MAX_SKIPPED_PATHS);`,
      replace: `a.path, b.path));`,
      why: "the notes are about all that was skipped then, which bounds nothing but memory",
    },
    {
      find: `into.threads += from.threads;`,
      replace: ``,
      tests: ["tests/parallel/threads.test.ts"],
    },
  ]),
  ...faultsIn("src/searcher/standard_input.ts", [STDIN], [
    {
      find: `while (!source.hasNul && !source.isAtEnd && await read());`,
      replace: ``,
    },
    {
      find: `return await untilAborted(next, signal);`,
      replace: `return await next;`,
      hangs: true,
    },
    { find: `if (sink.phase === "stop") return report;`, replace: ``, hangs: true },
  ]),
  ...faultsIn("src/search/searcher.ts", [QUERY, LIBRARY], [
    { find: `this.#ender.abort();`, replace: `` },
    { find: `AbortSignal.any([this.#ender.signal, options.signal])`, replace: `options.signal` },
  ]),
  ...faultsIn("src/search/query_options.ts", ["tests/search/query_options.test.ts"], [
    { find: `default: 30_000,`, replace: `default: 0,` },
    {
      find: `kind: "bytes",\n    min: 0,\n    default: 1_048_576,`,
      replace: `kind: "bytes",\n    min: 0,\n    default: 0,`,
    },
  ]),
  ...faultsIn("src/walk/provisional.ts", [PROVISIONAL, EXCHANGES], [
    {
      find: `const directory = isDenied ? platform.dirname(path) : path;`,
      replace: `const directory = path;`,
      tests: ["tests/cli/permissions.test.ts"],
    },
    {
      find: `      this.#since,\n      this.#allowedRoots,`,
      replace: `      Date.now(),\n      this.#allowedRoots,`,
      tests: ["tests/hostile/exchanged_links.test.ts"],
    },
    { find: `for (const finding of unproven) finding.reject();`, replace: `` },
    { find: `isSame: () => isNamed(id, path) };`, replace: `isSame: () => true };` },
    { find: `isSame: () => idOf(path) === undefined };`, replace: `isSame: () => true };` },
    { find: `return listed?.next().done === true;`, replace: `return true;` },
    { find: `return entries === undefined;`, replace: `return true;` },
    {
      find: `known?.name !== name || known.isFile !== isFile || known.isDirectory !== isDirectory`,
      replace: `known?.name !== name`,
    },
    {
      find: `if (noted > 0) return true;`,
      replace: ``,
    },
  ]),
];
