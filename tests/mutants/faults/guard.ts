/**
 * Faults in the guard.
 *
 * @module
 */

import { type Fault, faultsIn } from "../fault.ts";

const NAMES = "tests/guard/policy.test.ts";
const ASKING = "tests/guard/requester.test.ts";
const GUARD = "tests/contract/guard.test.ts";
const ANSWERED = "tests/hostile/exchanged_answers.test.ts";
const PERMISSION = "tests/tools/permission.test.ts";

/** Faults in `src/guard/`. */
export const GUARD_FAULTS: readonly Fault[] = [
  ...faultsIn("src/guard/guard.ts", [NAMES, ASKING, PERMISSION, GUARD], [
    {
      find: `path.toWellFormed()`,
      replace: `path`,
      tests: ["tests/hostile/undecodable_names.test.ts"],
    },
    {
      find: `if (location.isBlocked && (isGranted || requester !== undefined)) {`,
      replace: `if (location.isBlocked && isGranted) {`,
    },
    {
      find: `if (location.isBlocked && (isGranted || requester !== undefined)) {`,
      replace: `if (location.isBlocked && requester !== undefined) {`,
    },
    {
      find: `now.state === "outside" && now.path === path &&`,
      replace: `now.path === path &&`,
      tests: [ANSWERED],
      why: "what is still at the same path outside is neither blocked nor inside",
    },
    {
      find: `const now = locate(this.#workspace, given, isBlocked);`,
      replace: `const now = location;`,
      tests: [ANSWERED],
      why: "its identity tells another directory wherever it may be looked at before the question",
    },
    {
      find: `return location.state !== "outside" || await this.#isGrantedOutside(location.path)`,
      replace: `return location.state === "found" || await this.#isGrantedOutside(location.path)`,
    },
    { find: `if (location.state === "blocked") return "denied";`, replace: `` },
    {
      find: `roots: options.workspace.ceiling,`,
      replace: `roots: options.workspace.roots,`,
      tests: [GUARD, "tests/mcp/workspace.test.ts", "tests/workspace/roots.test.ts"],
    },
    {
      find: `      admission.findByEnding,\n      isBlocked,\n`,
      replace: `      admission.findByEnding,\n`,
    },
    { find: `resolvedPath: location.path,`, replace: `resolvedPath: given,` },
    {
      find: `const isForSession = await askFor(`,
      replace: `const isForSession = true; grantForSession(path); await askFor(`,
      tests: ["tests/hostile/exchanged_answers.test.ts"],
    },
    {
      find: `return isGrantedForSession(canonical);`,
      replace: `return false;`,
    },
    {
      find: `(asked === undefined || asked === identityOf(info));`,
      replace: `true;`,
      tests: [ANSWERED],
    },
  ]),
  ...faultsIn("src/guard/policy.ts", [NAMES, GUARD], [
    {
      find: `: this.#isWithheld(base, below);`,
      replace: `: below === relative && this.#isWithheld(base, below);`,
    },
    { find: `if (isGitInternal(segment)) return true;`, replace: `` },
    {
      find: `? base === "" || !this.#liftsPath(base, below)`,
      replace: `? true`,
    },
    {
      find: `? base === "" || !this.#liftsPath(base, below)`,
      replace: `? !this.#liftsPath(base, below)`,
    },
    {
      find: `return base !== undefined && !this.#isDenied(base, this.#relative(absolute)) &&`,
      replace: `return base !== undefined &&`,
    },
    {
      find: `this.#allow.length === 0 || isGitInternal(name)) return false;`,
      replace: `this.#allow.length === 0) return false;`,
    },
    {
      find: `if (this.#deny.some((rule) => rule.matchesOnTheWay(base, segments))) return true;`,
      replace: `if (this.#deny.some((rule) => rule.matches(relative, absolute))) return true;`,
    },
    {
      find: `if (this.#deny.length === 0 && !mayBeSensitive(name)) return false;`,
      replace: `if (!mayBeSensitive(name)) return false;`,
    },
    {
      find: `if (!isSensitive(name!) && !isSensitiveSegment(name!, parent)) return false;`,
      replace: `if (!isSensitive(name!)) return false;`,
    },
    {
      find: `if (!isSensitive(name!) && !isSensitiveSegment(name!, parent)) return false;`,
      replace: `if (!isSensitiveSegment(name!, parent)) return false;`,
    },
    {
      find: `if (base === "" || isGitInternal(name!)) return true;`,
      replace: `if (base === "") return true;`,
    },
    {
      find: `this.#roots.find((root) => isWithin(root, absolute))`,
      replace: `this.#roots.find((root) => absolute.startsWith(root))`,
    },
    {
      find: `.replace(/^\\.\\//u, "").replace(`,
      replace: `.replace(`,
    },
    {
      find: `source.replace(/\\/(?:\\.?\\/)+/gu, "/")`,
      replace: `source`,
    },
    { find: `rule.names(root) && `, replace: `` },
    { find: `rule.names(root) && this.#rootOf(root) === root`, replace: `false` },
    { find: `["", "."].includes(canonicalGlob(glob))`, replace: `false` },
    { find: `new Rule(glob, ALLOWS_EITHER_CASE)`, replace: `new Rule(glob, true)` },
    { find: `new Rule(glob, true)`, replace: `new Rule(glob, false)` },
    { find: `if (!this.#isAbsolute) return false;`, replace: `` },
    {
      find: `return this.#hasSlash && this.matches(relative, absolute);`,
      replace: `return this.matches(relative, absolute);`,
    },
  ]),
  ...faultsIn("src/guard/requester.ts", [ASKING, PERMISSION], [
    {
      find: `if (isWithin(grant, canonical)) return true;`,
      replace: `if (isWithin(canonical, grant)) return true;`,
    },
    {
      find: `const key = JSON.stringify([request.tool, request.resolvedPath, identity]);`,
      replace: `const key = request.resolvedPath;`,
    },
    {
      find: `JSON.stringify([request.tool, request.resolvedPath, identity])`,
      replace: `JSON.stringify([request.tool, request.resolvedPath])`,
      tests: ["tests/hostile/exchanged_answers.test.ts"],
    },
    { find: `if (questions.get(key) === question) questions.delete(key);`, replace: `` },
    { find: `if (--question.askers === 0 || !isAborted) close();`, replace: `close();` },
    { find: `if (question.askers === 0) question.controller.abort();`, replace: `` },
    {
      find: `if (request.signal?.aborted) throw new PathgrepError("cancelled", "cancelled");`,
      replace: ``,
    },
    {
      find: `return given === "allow-session";`,
      replace: `return true;`,
    },
    {
      find: `if (given !== "allow" && given !== "allow-session") {`,
      replace: `if (given === "deny") {`,
    },
  ]),
  ...faultsIn("src/guard/timed_requester.ts", [ASKING, PERMISSION], [
    { find: `resolve("deny");`, replace: `resolve("allow");` },
    { find: `controller.abort(); // takes`, replace: `// takes` },
    { find: `AbortSignal.any([request.signal, controller.signal])`, replace: `controller.signal` },
  ]),
];
