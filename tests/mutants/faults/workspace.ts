/**
 * Faults in the workspace.
 *
 * @module
 */

import { type Fault, faultsIn } from "../fault.ts";

const REACH = "tests/workspace/reach.test.ts";
const LEXICAL = "tests/workspace/paths.test.ts";
const POLICY = "tests/guard/policy.test.ts";
const VERIFICATION = "tests/workspace/verification.test.ts";
const ANSWERED = "tests/hostile/exchanged_answers.test.ts";
const UNDECODABLE = "tests/hostile/undecodable_names.test.ts";
const LABELS = "tests/workspace/root_labels.test.ts";
const TWINS = "tests/hostile/blocked_twins.test.ts";

/** Faults in `src/workspace/`. */
export const WORKSPACE_FAULTS: readonly Fault[] = [
  ...faultsIn("src/workspace/paths.ts", [LEXICAL, REACH], [
    {
      find: `if (path[root.length] === rules.sep && path.startsWith(root)`,
      replace: `if (path.startsWith(root)`,
    },
    {
      find: `|| (url.hostname !== "" && url.hostname !== "localhost")`,
      replace: ``,
    },
    {
      find: `if (path.includes("\\0")) return undefined;`,
      replace: ``,
      why: "wherever such a path is used it is refused, as what no path can be",
    },
    {
      find: `unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit`,
      tests: ["tests/search/order.test.ts"],
      replace: `unit`,
    },
  ]),
  ...faultsIn("src/workspace/spelling.ts", ["tests/workspace/spelling.test.ts"], [
    { find: `if (listing.names.has(name)) return name;`, replace: `` },
    { find: `!SHORT_NAME.test(name) && `, replace: `` },
    {
      find: `if (!mayRead(directory)) return [];`,
      replace: ``,
      tests: ["tests/cli/terminal.test.ts"],
      filter: "Deno asks nothing",
    },
    { find: `listing.likeIt(name).find(isEntry) ?? `, replace: `` },
    { find: `?? listing.identifiedBy(identity) `, replace: `` },
    {
      find: `this.#listings.getOrInsertComputed(directory, listingOf);`,
      replace: `listingOf(directory);`,
      why: "it only saves time",
    },
    { find: `if (known?.isCurrent()) return known;`, replace: `` },
    {
      find: `this.#version !== undefined && this.#version === versionOf(this.#directory)`,
      replace: `true`,
    },
    { find: `changed + CHANGE_PRECISION_MS > since`, replace: `false` },
    {
      find: `if (keptNames > MAX_KEPT_NAMES) {`,
      replace: `if (keptNames > 2 ** 40 * MAX_KEPT_NAMES) {`,
      why: "it bounds memory",
    },
    { find: `, ...inOtherCase(name)]`, replace: `]` },
    { find: `if (alphabet !== undefined) return`, replace: `if (alphabet === undefined) return` },
    {
      find: `ALPHABETS.find((letters) =>`,
      replace: `ALPHABETS.slice(0, 1).find((letters) =>`,
      why: "each letter by itself finds the same, more slowly",
    },
    {
      find: `[/[A-Za-z]/g, `,
      replace: `[/[A-Za-zß]/g, `,
    },
  ]),
  ...faultsIn("src/workspace/canonical.ts", [REACH, LEXICAL, "tests/workspace/canonical.test.ts"], [
    {
      find: `if (inside && info !== undefined) {`,
      replace: `if (inside && info !== undefined && links === 0) {`,
      tests: ["tests/workspace/spelling.test.ts"],
    },
    { find: `if (isInside && !inside && !isAncestor) outside ??= next;`, replace: `` },
    { find: `isInside ||= inside;`, replace: `` },
    { find: `if (++links > MAX_LINKS) return`, replace: `if (++links < 0) return` },
    { find: `if (++steps > MAX_STEPS) return`, replace: `if (++steps < 0) return` },
    {
      find: `return links > 0 && isTrusted(place) && isBarred(place);`,
      replace: `return links > 0 && isBarred(place);`,
      why: "what leads outside is answered in one way, wherever it ends",
      tests: [TWINS],
    },
    { find: `if (isShutTo(current)) return`, replace: `if (false) return`, tests: [TWINS] },
    {
      find: `if ((info === undefined || info.isSymlink) && isShutTo(next)) {`,
      replace: `if (info?.isSymlink && isShutTo(next)) {`,
      tests: [TWINS],
    },
    {
      find: `if ((info === undefined || info.isSymlink) && isShutTo(next)) {`,
      replace: `if (info === undefined && isShutTo(next)) {`,
      tests: [TWINS],
    },
    {
      find: `const isAncestor = !inside && trusted.some((root) => isWithin(next, root));`,
      replace: `const isAncestor = false;`,
    },
    { find: `return outside !== undefined && isTrusted(canonical.path)`, replace: `return false` },
    { find: `if (!pending.includes("..")) return confirmed`, replace: `return confirmed` },
    {
      find: `if (!isTrusted(place) || outside !== undefined) {`,
      replace: `if (outside !== undefined) {`,
    },
  ]),
  ...faultsIn("src/workspace/locate.ts", [REACH, POLICY], [
    {
      find: `if (blocked) return blockedAt(absolute, blocked);`,
      replace: ``,
    },
    { find: `if (isReached) return blockedAt(path, isReached);`, replace: `` },
    {
      find:
        `if (!workspace.contains(path)) return { state: "outside", path, isBlocked: Boolean(isReached) };`,
      replace: ``,
    },
    {
      find: `isBlocked: Boolean(isReached)`,
      replace: `isBlocked: false`,
      tests: ["tests/guard/requester.test.ts"],
    },
    {
      find: `use === "dir" || roots.length === 1`,
      replace: `roots.length === 1`,
    },
    {
      find: `roots.filter((root) => isBlocked(root) === false)`,
      replace: `roots`,
      tests: ["tests/workspace/roots.test.ts"],
    },
    {
      find: `if (location.state === "found" || location.state === "blocked") return location;`,
      replace: `if (location.state === "found") return location;`,
    },
    {
      find: `innermost(workspace.ceiling, path)`,
      why: "where it is asked about a part of a workspace, the guard is asked as well",
      replace: `innermost(workspace.roots, path)`,
      tests: ["tests/mcp/workspace.test.ts", "tests/workspace/roots.test.ts"],
    },
  ]),
  ...faultsIn("src/workspace/workspace.ts", [REACH, POLICY, "tests/contract/library.test.ts"], [
    { find: `if (!raw.isWellFormed()) {`, replace: `if (false) {`, tests: [UNDECODABLE] },
    {
      find: `if (failure.code === "path_access_denied") throw failure;`,
      replace: ``,
      tests: ["tests/contract/errors.test.ts"],
    },
    {
      find: `if (root !== undefined) checkReadable(root);`,
      replace: ``,
      tests: ["tests/contract/errors.test.ts"],
    },
    {
      find: `if (found === undefined || found === identities[index]) continue;`,
      replace: `continue;`,
      tests: [VERIFICATION],
    },
    {
      find: `return found.exists && found.path === root ? identityOf(found.info) : NOWHERE;`,
      replace: `return found.exists ? identityOf(found.info) : undefined;`,
      why: "the roots are checked first, and none but the one that was found passes either way",
      tests: [VERIFICATION],
    },
    {
      find: `return verify([evidence], since, this.allowedRoots).proven.length > 0;`,
      replace: `return true;`,
      tests: ["tests/hostile/exchanges.test.ts"],
    },
    {
      find: `if (path.length > MAX_PATH_CHARS) {`,
      tests: ["tests/search/limits.test.ts"],
      replace: `if (path.length > MAX_PATH_CHARS * 1e6) {`,
      hangs: true,
    },
    { find: `if (raw.includes("\\0")) {`, replace: `if (false) {` },
    {
      find: `&& directory.length > (found?.length ?? -1)) found`,
      replace: `) found`,
    },
    {
      find: `return new Workspace(new Map(identities), this.#names, this.ceiling);`,
      replace: `return new Workspace(new Map(identities), this.#names);`,
      tests: ["tests/mcp/workspace.test.ts", "tests/workspace/roots.test.ts"],
    },
    { find: `if (name !== root) names.set(name, root);`, replace: `` },
    {
      find: `if (Deno.lstatSync(at).isSymlink) return true;`,
      replace: `Deno.lstatSync(at);`,
      tests: [TWINS],
    },
    {
      find: `isSensitive(relativePath(ceiling, at)) || exclusions`,
      replace: `exclusions`,
      tests: [TWINS],
    },
    {
      find: ` || exclusions.ruleFor(at) !== undefined) {`,
      replace: `) {`,
      tests: [TWINS],
    },
    {
      find: `return platform.join(root, platform.relative(name, path));`,
      replace: `return root;`,
    },
  ]),
  ...faultsIn("src/workspace/repairs.ts", [REACH], [
    {
      find: `rest === undefined || platform.normalize(\`/\${rest}\`) === platform.sep`,
      replace: `rest === undefined`,
    },
    {
      find: `if (other === "" || seen.has(other)) continue;`,
      replace: `if (other === "") continue;`,
      why: "a reading that comes twice is followed twice, to the same answer",
    },
  ]),
  ...faultsIn("src/workspace/missing_path.ts", [REACH], [
    {
      find: `const location = locate(workspace, reading.path, isBlocked, use);`,
      replace: `const location = locate(workspace, reading.path, undefined, use);`,
    },
    {
      find: `if (location.state !== "found" && location.state !== "blocked") continue;`,
      replace: `if (location.state !== "found") continue;`,
    },
  ]),
  ...faultsIn("src/workspace/search_target.ts", [REACH], [
    { find: `if (info.isFile) {`, replace: `if (!info.isDirectory) {`, hangs: true },
  ]),
  ...faultsIn("src/workspace/suggestions.ts", [REACH, "tests/workspace/suggestions.test.ts"], [
    {
      find: `if (!names.opens(directory + platform.sep, item)) continue;`,
      replace: ``,
      why:
        "what is suggested is followed anew, which leads to nothing else: it reads names in vain",
      tests: [UNDECODABLE],
      filter: "directory outside",
    },
    {
      find: `if (!suits(info, use) || !isThere(workspace, path, info)) continue;`,
      replace: `if (!suits(info, use)) continue;`,
      tests: ["tests/hostile/exchanges.test.ts", ANSWERED],
    },
    { find: `if (isBlocked(path, items)) continue;`, replace: `` },
    { find: `if (relative !== relative.trim()) continue;`, replace: `` },
    {
      find: `if (left-- <= 0 || performance.now() > until) return;`,
      why: "it bounds time only: more is suggested, later",
      replace: ``,
    },
    {
      find: `if (text.length > MAX_TEXT) return [];`,
      replace: ``,
    },
    {
      find: `.slice(-MAX_SEGMENTS);`,
      why: "it bounds time only: systems take no path that long",
      replace: `;`,
    },
    {
      find: `.flatMap((text) => trailingPart(workspace, text, { use, isBlocked }));`,
      replace:
        `.flatMap((text) => trailingPart(workspace, text, { use, isBlocked: () => false }));`,
    },
    {
      find: `follow(workspace, relative, isBlocked, use)?.path`,
      replace: `follow(workspace, relative, undefined, use)?.path`,
      tests: [TWINS],
    },
  ]),
  ...faultsIn("src/workspace/working_directory.ts", [REACH], [
    {
      find: `const location = locate(workspace, given, isBlocked, "dir");`,
      replace: `const location = locate(workspace, given, undefined, "dir");`,
    },
    {
      find: `if (location.state === "found" && location.info.isDirectory) {`,
      replace: `if (location.state === "found") {`,
    },
  ]),
  ...faultsIn("src/workspace/project_path.ts", [REACH, "tests/tools/wrapped_executor.test.ts"], [
    {
      find: `if (location.state === "found" || location.state === "missing") return location;`,
      replace: `if (location.state !== "blocked") return location as never;`,
    },
  ]),
  ...faultsIn("src/workspace/verification.ts", [VERIFICATION, ANSWERED], [
    { find: `if (Deno.realPathSync(path) !== path) return false;`, replace: `` },
    {
      find:
        `root.identity === undefined || identityOf(Deno.lstatSync(root.path)) === root.identity;`,
      replace: `true;`,
    },
    {
      find: `return !named.isSymlink && id.dev === named.dev && id.ino === named.ino;`,
      replace: `return !named.isSymlink && id.dev === named.dev;`,
    },
    { find: `const named = Deno.lstatSync(path);`, replace: `const named = Deno.statSync(path);` },
    {
      find: "`${dev}:${ino}:${birthtime?.getTime()}`",
      replace: "`${dev}:${ino}`",
    },
    {
      find: `    }\n  }\n  return isInPlace(path, root);`,
      replace: `    }\n  }\n  return true;`,
    },
    {
      find:
        `for (let check = below(2); check >= 0; check--) if (!isInPlace(path, root)) return false;`,
      replace: ``,
    },
    {
      find: `{ upTo: Infinity, rounds: 1, stride: 32 },`,
      replace: `{ upTo: Infinity, rounds: 1, stride: 3200 },`,
    },
    { find: `{ upTo: 3, rounds: 8, stride: 2 },`, replace: `{ upTo: 3, rounds: 1, stride: 2 },` },
    {
      find: `if (root === undefined) {\n      unproven.push(item);`,
      replace: `if (root === undefined) {\n      proven.push(item);`,
    },
    {
      find: `(holdInRounds(items, path, root, hasTime) ? proven : unproven).push(...items);`,
      replace: `proven.push(...items);`,
    },
    {
      find: `ctime.getTime() + CHANGE_PRECISION_MS <= this.#since;`,
      replace: `ctime.getTime() <= this.#since;`,
    },
    {
      find: `if (!info.isDirectory || identity !== undefined && identity !== identityOf(info)) {`,
      replace: `if (!info.isDirectory) {`,
    },
    {
      find: `const info = Deno.lstatSync(path);\n      const index`,
      replace: `const info = Deno.statSync(path);\n      const index`,
    },
    {
      find: `return this.isRootInPlace(root) ? undefined : root;`,
      replace: `return undefined;`,
    },
    {
      find: `if (isInPlace || !this.#isHeld(path)) break;`,
      replace: `if (isInPlace) break;`,
    },
    {
      find: `this.#isHeld(directory) && this.#isInPlace(platform.dirname(directory), root));`,
      replace: `this.#isHeld(directory));`,
    },
    { find: `if (path === root && !canLookAbove) break;`, replace: `if (path === root) break;` },
  ]),
  ...faultsIn("src/workspace/listed.ts", [UNDECODABLE], [
    {
      find: `if (this.#taken?.has(path) || !isOfType(path, entry)) return false;`,
      replace: `if (this.#taken?.has(path)) return false;`,
      filter: "outside",
    },
    {
      find: `if (this.#taken?.has(path) || !isOfType(path, entry)) return false;`,
      replace: `if (!isOfType(path, entry)) return false;`,
      filter: "alike",
    },
    {
      find: `const info = Deno.lstatSync(path);`,
      replace: `const info = Deno.statSync(path);`,
      filter: "outside",
    },
    {
      find:
        `return info.isFile === isFile && info.isDirectory === isDirectory &&\n      info.isSymlink === isSymlink;`,
      replace: `return info.isSymlink === isSymlink;`,
      filter: "a file where",
    },
  ]),
  ...faultsIn("src/workspace/exclusions.ts", ["tests/guard/exclusions.test.ts"], [
    {
      find: `return this.#lifted?.liftsPath(platform.join(root, path)) ? undefined : found;`,
      replace: `return found;`,
    },
    { find: `return { line: 0 };`, replace: `return undefined;` },
    {
      find: `source === undefined || this.#lifted?.lifts(absolute)`,
      replace: `source === undefined`,
    },
    { find: `kindOf(absolute) === "file") source`, replace: `true) source` },
  ]),
  ...faultsIn("src/workspace/worktree.ts", ["tests/walk/worktrees.test.ts"], [
    { find: `if (segments.at(-2) !== "worktrees") return undefined;`, replace: `` },
    { find: `if (segments.indexOf("modules", repository + 1) >= 0)`, replace: `if (false)` },
    { find: `platform.resolve(directory, written)`, replace: `platform.normalize(written)` },
  ]),
  ...faultsIn("src/workspace/root_labels.ts", [LABELS], [
    {
      find: `return rivals.length > 0 || isMisread || isInRoot(label) ?`,
      replace: `return rivals.length > 0 || isMisread ?`,
    },
    {
      find: `return rivals.length > 0 || isMisread || isInRoot(label) ?`,
      replace: `return rivals.length > 0 || isInRoot(label) ?`,
    },
    {
      find: `platform.join(root, label.text) !== label.root && isTaken(root, label.text)`,
      replace: `isTaken(root, label.text)`,
    },
    {
      find: "return this.text === other || this.text.startsWith(`${other}/`);",
      replace: `return this.text === other;`,
    },
    {
      find: `label.extend() ? [label] : rivals.filter((rival) => rival.extend());`,
      replace: `label.extend() ? [label] : [];`,
    },
  ]),
];
