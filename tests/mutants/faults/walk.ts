/**
 * Faults in the walk.
 *
 * @module
 */

import { type Fault, faultsIn } from "../fault.ts";

const ALLOWED_ROOTS = "tests/walk/allowed_roots.test.ts";
const OVERLAP = "tests/search/overlap.test.ts";
const CACHE = "tests/cache/cache.test.ts";
const CALLERS = "tests/cache/callers.test.ts";
const LISTINGS = "tests/cache/listing_cache.test.ts";
const FOLLOW = "tests/walk/follow.test.ts";
const EXCLUSIONS = "tests/guard/exclusions.test.ts";
const WATCH = "tests/cache/tree_watch.test.ts";
const TWINS = "tests/hostile/blocked_twins.test.ts";
const EXCHANGED = "tests/hostile/exchanged_caches.test.ts";

/** Faults in `src/walk/`. */
export const WALK_FAULTS: readonly Fault[] = [
  ...faultsIn("src/walk/walker.ts", [ALLOWED_ROOTS], [
    { find: `found[reason] - counted[reason]`, replace: `found[reason]`, tests: [OVERLAP] },
    { find: `counted[reason] += more;`, replace: `counted[reason] = Infinity;`, tests: [OVERLAP] },
    {
      find: `this.#told.add(keyOf(entry));`,
      replace: `keyOf(entry);`,
      tests: [OVERLAP],
    },
    {
      find: `if (!this.#options.bases.includes(directory.path)) skips.worktrees++;`,
      replace: `skips.worktrees++;`,
      tests: [OVERLAP],
    },
    {
      find: `const isNamed = names.opens(prefix, entry);`,
      replace: `const isNamed = true;`,
      tests: ["tests/hostile/undecodable_names.test.ts"],
      filter: "directory outside",
    },
    {
      find: `this.#policy.blocksEntry(prefix, name, this.#lookWhileMatching);`,
      replace: `false;`,
    },
    {
      find: `isBlocked ? { ...rules, isExcluded: true } : rules;`,
      replace: `rules;`,
      tests: ["tests/guard/policy.test.ts"],
    },
    {
      find: `entry.isDirectory && this.#policy.mayLiftIn(prefix, name))`,
      replace: `false)`,
      tests: ["tests/guard/policy.test.ts"],
    },
    {
      find:
        `if (!this.#options.allowedRoots.some((root) => isWithin(root, found.path))) return undefined;`,
      replace: ``,
      why: "what lies outside is dropped again when it is verified: it would be read in vain",
    },
    {
      find: `if (before !== undefined && (before <= depth || !mayGoDeeper)) return false;`,
      replace: ``,
      tests: ["tests/walk/follow.test.ts"],
      hangs: true,
    },
    {
      find: `if (before !== undefined && (before <= depth || !mayGoDeeper)) return false;`,
      replace: `if (before !== undefined) return false;`,
      tests: ["tests/walk/follow.test.ts"],
    },
    {
      find: `if (isWithin(target, from) && isWithin(top, target)) return true;`,
      replace: ``,
      tests: ["tests/walk/follow.test.ts"],
      hangs: true,
    },
    {
      find: `isWithin(target, from) && isWithin(top, target)`,
      replace: `isWithin(target, from)`,
      tests: ["tests/walk/follow.test.ts"],
    },
    {
      find: `const way = this.#filter.isOfPaths ? linkedBelow : "";`,
      replace: `const way = "";`,
      tests: ["tests/walk/follow.test.ts"],
    },
    {
      find: `      skips.unreadable++;\n      return false;\n    }\n    ways`,
      replace: `      return false;\n    }\n    ways`,
      tests: ["tests/walk/follow.test.ts"],
    },
    {
      find: `const deeper = directory.depth + 1 < this.#options.maxDepth;`,
      replace: `const deeper = directory.depth < this.#options.maxDepth;`,
    },
    {
      find: `if (!isDirectory && !isFile) continue;`,
      replace: ``,
      hangs: true,
    },
    {
      find: `if (isTop && KERNEL_DIRECTORIES.includes(prefix + name)) {`,
      replace: `if (false) {`,
      tests: ["tests/search/limits.test.ts"],
      hangs: true,
    },
    {
      find: `if (remembers && this.#isRepeated(target ?? prefix + name)) continue;`,
      replace: ``,
    },
    {
      find: `if (this.#nested.size > 0 && this.#nested.has(prefix + name)) continue;`,
      replace: ``,
    },
    {
      find:
        `const isSame = taken?.key === this.#key && taken.rules === rules && taken.base === base &&`,
      replace: `const isSame = taken?.rules === rules && taken.base === base &&`,
      tests: [LISTINGS, CACHE, WATCH],
    },
    {
      find: `directory.linkedBelow ?? `,
      replace: ``,
      tests: [FOLLOW],
    },
    {
      find: `taken.depth === depth;`,
      replace: `true;`,
      tests: [LISTINGS, CACHE, WATCH],
      why:
        "the ways to a base's directories have one depth each, and the bases are part of the key",
    },
  ]),
  ...faultsIn("src/walk/walk_rules.ts", [ALLOWED_ROOTS], [
    {
      find: `const lower = name.toLowerCase();`,
      replace: `const lower = name;`,
      why: "the file system that the tests mount on Linux lists all names in lower case",
    },
    {
      find: `return !isExcluded || this.#policy.liftsPath(platform.resolve(directory, name));`,
      replace: `return true;`,
      tests: [TWINS],
    },
    {
      find:
        `this.excludes(rules, below, name, path, false) ||\n      this.excludes(rules, below, name, path, true);`,
      replace: `this.excludes(rules, below, name, path, true) && false;`,
      tests: [TWINS],
    },
    {
      find: `!this.#isRepository(repository)`,
      replace: `false`,
      tests: ["tests/hostile/blocked_twins.test.ts"],
      filter: "is no rule",
    },
    {
      find: `isIgnored ? IgnoreRules.NONE : rules.ignore.sparing(prefixBelow(root, top));`,
      replace: `isIgnored ? IgnoreRules.NONE : rules.ignore;`,
    },
    {
      find: `if (isSame && found.isTrusted && ruled.epoch === epoch) return ruled.rules;`,
      replace: `if (isSame && found.isTrusted) return ruled.rules;`,
      tests: [WATCH],
    },
    {
      find: `const rules = isSame && ruled.texts === texts`,
      replace: `const rules = isSame`,
      tests: [LISTINGS, CACHE],
    },
    {
      find: `return !isSymlink && (nlink ?? 1) < 2;`,
      replace: `return !isSymlink;`,
      tests: [WATCH],
    },
    {
      find: `skips.ignore_files += rules.ignore.unread - counted.ignore.unread;`,
      replace: `skips.ignore_files += rules.ignore.unread;`,
    },
    {
      find: `isIgnored ||= rules.ignore.ignores(`,
      replace: `isIgnored &&= rules.ignore.ignores(`,
      tests: ["tests/walk/named_directory.test.ts"],
    },
    {
      find: `JSON.stringify([allowedRoots, policy, ignore])`,
      replace: `JSON.stringify([allowedRoots, policy])`,
      tests: [LISTINGS],
    },
    {
      find: `JSON.stringify([allowedRoots, policy, ignore])`,
      replace: `JSON.stringify([allowedRoots, ignore])`,
      tests: [CALLERS],
    },
    {
      find: `\`\${this.#contextOfAll} \${this.#roots[base]}\``,
      replace: `\`\${this.#roots[base]}\``,
      tests: [CALLERS],
    },
    {
      find: `JSON.stringify([this.#context(base), above])`,
      replace: `JSON.stringify([above])`,
      tests: [CALLERS],
    },
    {
      find: `Deno.lstatSync(platform.dirname(file)).isSymlink) return false;`,
      replace: `false) return false;`,
      tests: [CALLERS],
    },
    {
      find: `return !isSymlink && (nlink ?? 1) < 2;`,
      replace: `return (nlink ?? 1) < 2;`,
      tests: [EXCLUSIONS],
    },
    {
      find: `rules = this.#entering(rules, next);`,
      replace: ``,
      why: "what is excluded is not walked, so that nothing above a base is",
      tests: [EXCLUSIONS],
    },
    {
      find: `if (isExcluded) return !this.#policy.liftsPath(path);`,
      replace: `if (isExcluded) return true;`,
      tests: [EXCLUSIONS],
    },
    {
      find: `if (!isWithin(base, path)) {`,
      replace: `if (false) {`,
      tests: [FOLLOW, EXCLUSIONS],
    },
    {
      find: `this.#options.allowedRoots.find((other) => isWithin(other, path))`,
      replace: `undefined`,
      tests: [FOLLOW],
    },
  ]),
  ...faultsIn("src/workspace/worktree.ts", ["tests/walk/worktrees.test.ts"], [
    {
      find: `if (segments.indexOf("modules", repository + 1) >= 0) return undefined;`,
      replace: ``,
    },
    {
      find: `segments.indexOf("modules", repository + 1) >= 0`,
      replace: `segments.includes("modules")`,
    },
    {
      find: `const gitDirectory = platform.resolve(directory, written);`,
      replace: `const gitDirectory = written;`,
    },
  ]),
  ...faultsIn("src/workspace/rule_file.ts", [ALLOWED_ROOTS], [
    {
      find: `isMarked ? BYTE_ORDER_MARK.length : 0`,
      replace: `0`,
      tests: ["tests/walk/ignore_oracle.test.ts"],
      filter: "not UTF-8 match bytes",
    },
    {
      find: `if (!info.isFile) return undefined;`,
      replace: ``,
      hangs: true,
    },
    {
      find: `if (info.size > MAX_RULE_CHARS) return null;`,
      why: "the length of its text is asked again: it bounds memory only",
      replace: ``,
    },
    {
      find: `lines.push(escapedLine(line));`,
      replace: `lines.push("");`,
      tests: ["tests/walk/ignore_oracle.test.ts"],
    },
    { find: `mark === 0xfffe ? `, replace: `false ? `, tests: [EXCLUSIONS] },
    { find: `mark === 0xfeff ? `, replace: `false ? `, tests: [EXCLUSIONS] },
    { find: `text.includes("\\0") ? null : text`, replace: `text`, tests: [EXCLUSIONS] },
    {
      find: `root === undefined || isSensitive(relativePath(root, path)) || isBlocked(path)`,
      replace: `root !== undefined && (isSensitive(relativePath(root, path)) || isBlocked(path))`,
      tests: [EXCLUSIONS, TWINS],
    },
    {
      find: `if (isSymlink && !isExclusion) return undefined;`,
      replace: ``,
      tests: ["tests/walk/named_directory.test.ts"],
    },
    {
      find: `isSensitive(relativePath(root, path)) || isBlocked(path)`,
      replace: `isBlocked(path)`,
      tests: [EXCLUSIONS, TWINS],
    },
    {
      find: `isSensitive(relativePath(root, path)) || isBlocked(path)`,
      replace: `isSensitive(relativePath(root, path))`,
      tests: [TWINS],
    },
    {
      find: `canonicalPath(file, roots, isWithheld)`,
      replace: `canonicalPath(file, roots)`,
      tests: [TWINS],
    },
    {
      find: `return found.exists && !isWithheld(found.path) ? found.path : undefined;`,
      replace: `return found.exists ? found.path : undefined;`,
      tests: [TWINS],
    },
  ]),
  ...faultsIn("src/walk/file_filter.ts", ["tests/walk/filter.test.ts", ALLOWED_ROOTS], [
    {
      find: `this.#needsMatch = rules.some((rule) => !rule.negated);`,
      replace: `this.#needsMatch = rules.every((rule) => !rule.negated);`,
    },
    {
      find: 'rules.push(RuleSet.parse(`${rule.byName ? "**/" : ""}${glob}**`, "include"));',
      replace: "",
    },
    { find: `start.endsWith("\\\\ ") ? start : start.trimEnd()`, replace: `start.trimEnd()` },
    {
      find: `if (this.#globs.last(relativePath, name, true, look)?.negated) return true;`,
      replace: ``,
    },
  ]),
  ...faultsIn("src/glob/rule_set.ts", [
    ALLOWED_ROOTS,
    "tests/walk/filter.test.ts",
    "tests/walk/ignore.test.ts",
  ], [
    {
      find: `return rules[Math.max(byName, byPath)];`,
      replace: `return rules[byName >= 0 ? byName : byPath];`,
    },
  ]),
  ...faultsIn("src/glob/ignore_rules.ts", [
    ALLOWED_ROOTS,
    "tests/walk/ignore.test.ts",
    "tests/walk/named_directory.test.ts",
    "tests/walk/ignore_limit.test.ts",
  ], [
    {
      find: `if (text === null || chars + text.length > MAX_RULE_CHARS) {`,
      replace: `if (text === null || text.length > MAX_RULE_CHARS) {`,
    },
    { find: `chars += text.length;`, replace: `chars = text.length;` },
    { find: `].sort((a, b) => a.kind - b.kind);`, replace: `];` },
    {
      find: `if (!rule.negated || !areIndependent) return rule;`,
      replace: `if (!rule.negated) return rule;`,
    },
    {
      find: `if (!rule.negated || !areIndependent) return rule;`,
      replace: `return rule;`,
      tests: [EXCLUSIONS],
    },
    {
      find: `matchesBytes && BEYOND_ASCII.test(path) ? bytesOf : asItIs;`,
      replace: `asItIs;`,
    },
    {
      find: `matchesBytes && BEYOND_ASCII.test(line) ? bytesOf(line) : line;`,
      replace: `line;`,
    },
    {
      find: `if (kind === settled) continue;`,
      replace: ``,
      tests: [EXCLUSIONS],
    },
    { find: `if (line.endsWith("\\r")) line = line.slice(0, -1);`, replace: `` },
  ]),
  ...faultsIn("src/cache/fingerprint.ts", [CACHE], [
    {
      find: `this.#dev === info.dev && this.#ino === info.ino &&`,
      replace: `this.#dev === info.dev &&`,
      filter: "only a directory above",
    },
    {
      find: `&& this.#ctime === info.ctime?.getTime();`,
      replace: `;`,
      filter: "answer is stale",
    },
    { find: `&& this.#ctime + 1020 < time;`, replace: `;`, filter: "answer is stale" },
    {
      find: `&& this.#size === info.size &&`,
      replace: `&&`,
      filter: "answer is stale",
      why: "what changes the size changes the time of change, which counts",
    },
  ]),
  ...faultsIn("src/cache/listing_cache.ts", [LISTINGS, CACHE, WATCH], [
    {
      find: `if (kept?.isProven && kept.identity.isSame(info)) {`,
      replace: `if (kept?.isProven) {`,
    },
    {
      find: `if (kept?.isProven && kept.identity.isSame(info)) {`,
      replace: `if (kept?.identity.isSame(info)) {`,
      tests: ["tests/cache/worker_cache.test.ts"],
    },
    {
      find: `&& !kept.isProven) this.#delete(path);`,
      replace: `&& !kept.isProven) kept.isProven = true;`,
      tests: ["tests/cache/worker_cache.test.ts", EXCHANGED],
    },
    {
      find: `kept.found.isTrusted = trust.epoch !== 0 && kept.epoch === trust.epoch;`,
      replace: `kept.found.isTrusted = kept.epoch === trust.epoch;`,
    },
    {
      find: `if (known?.texts === texts) return known.rules;`,
      replace: `if (known !== undefined) return known.rules;`,
    },
    { find: `this.#delete(platform.dirname(path));`, replace: `` },
    {
      find: `if (path.endsWith(EXCLUDE)) this.#delete(path.slice(0, -EXCLUDE.length));`,
      replace: ``,
    },
    { find: `|| !identity.isStable(now) || total`, replace: `|| total` },
    { find: ` || total > this.#maxBytes)`, replace: `)`, why: "it bounds memory only" },
  ]),
  ...faultsIn("src/cache/worker_cache.ts", ["tests/cache/worker_cache.test.ts"], [
    {
      find: `this.#applied !== applied) this.#isCalm = false;`,
      replace: `this.#applied !== applied);`,
    },
    { find: `findings.settle();`, replace: `` },
    {
      find: `const gained = () => this.#isCalm ? epoch : 0;`,
      replace: `const gained = () => this.#epoch;`,
    },
    {
      find: `listings: this.listings.seenBy(own),`,
      replace: `listings: this.listings.seenBy({ ...own, epoch: this.#epoch }),`,
    },
  ]),
  ...faultsIn("src/cache/watched_directories.ts", [WATCH], [
    {
      find: `if (entry.isDirectory && names.opens(path + platform.sep, entry)) {`,
      replace: `if (entry.isDirectory) {`,
      tests: ["tests/hostile/undecodable_names.test.ts"],
      filter: "keep what they have read",
      why: "what is watched besides tells of changes in vain: nothing of it is read",
    },
    { find: `return looks > MAX_LOOKS;`, replace: `return false;`, filter: "deep", hangs: true },
  ]),
  ...faultsIn("src/cache/file_systems.ts", [WATCH], [
    { find: `for (const mount of [...inside, ...(`, replace: `for (const mount of [...(` },
    {
      find: `a.place.length - b.place.length).at(-1);`,
      replace: `a.place.length - b.place.length).at(0);`,
    },
  ]),
  ...faultsIn("src/cache/tree_watch.ts", [WATCH], [
    {
      find: `...this.#roots, ...directories, "/"]`,
      replace: `...this.#roots, ...directories]`,
      filter: "a link that leads out is seen",
    },
    {
      find: `if (left >= REPORT_MS) TreeWatch.#isSilent = true;`,
      replace: `if (left >= REPORT_MS) this.#isOutgrown = true;`,
      why: "before a watch begins anew it is asked again whether anything is reported",
      tests: ["tests/mcp/watch.test.ts"],
      filter: "a pipe",
      hangs: true,
    },
    {
      find: `return this.#heard - before <= MAX_CALM && await`,
      replace: `return await`,
      filter: "exchanged",
      hangs: true,
    },
    {
      find: `if (kind === "modify" && info?.isDirectory) this.#forget();`,
      replace: ``,
      filter: "barred",
    },
    {
      find: `if (!allowedRoots.every((path) => this.#isInRoot(path))) return undefined;`,
      replace: ``,
    },
    {
      find: `if (scratch !== undefined && this.#isInRoot(platform.resolve(scratch))) {`,
      replace: `if (false) {`,
    },
    { find: `if (this.#isInRoot(marker.path)) {`, replace: `if (false) {` },
    { find: `this.#changes.push(...paths);`, replace: `` },
    { find: `if (!areReported || this.#unseen.size > 0) this.#forget();`, replace: `` },
    { find: `if (!paths.every(isOurs)) this.#forget();`, replace: `` },
    {
      find: `if (info?.isDirectory && (kind !== "modify" || !this.#watched.has(first))) {`,
      replace: `if (false) {`,
    },
    {
      find: `if (isReplaced || info?.isFile && (info.nlink ?? 2) > 1) this.#forget();`,
      replace: `if (isReplaced) this.#forget();`,
    },
    { find: `      marker.unlink();\n`, replace: `` },
    {
      find: `if (signal.aborted) return undefined;`,
      replace: ``,
      why: "the search looks at the signal next",
    },
    {
      find: `if (flag === "rescan" || ++this.#burst + this.#lastBurst > MAX_BURST) this.#forget();`,
      replace: ``,
    },
  ]),
];
