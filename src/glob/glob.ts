/**
 * Globs, matched in linear time, for include and exclude filters, ignore rules and the guard's lists.
 *
 * No glob can make a match slow: it costs at most the length of the glob times the length of the path,
 * and usually one table lookup per character. `glob_parser.ts` turns a glob into a tree,
 * `glob_matcher.ts` compiles trees into one automaton.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import type { Pulse } from "../util/pulse.ts";
import { GlobMatcher, type GlobState } from "./glob_matcher.ts";
import { foldCase, type GlobOptions, NOTHING, parseGlob, type Sequence } from "./glob_parser.ts";

/**
 * `?`, `*` and classes match Unicode code points other than `/`. `**` as a whole path segment
 * matches any number of segments, elsewhere it is `*`. A backslash makes the next character
 * ordinary. Braces nest, and an alternative may be empty; without a comma they are ordinary, as in
 * the names of templates.
 */
export class Glob {
  readonly #tree: Sequence;
  readonly #fold: boolean;
  #matcher: GlobMatcher | undefined;

  private constructor(tree: Sequence, fold: boolean) {
    this.#tree = tree;
    this.#fold = fold;
  }

  /** @throws {PathgrepError} `invalid_input` if it is malformed, in the `include` dialect only */
  static parse(source: string, options: GlobOptions = {}): Glob {
    const { dialect = "include", caseInsensitive = false } = options;
    try {
      return new Glob(parseGlob(source, { dialect, caseInsensitive }), caseInsensitive);
    } catch (error) {
      if (dialect === "include" || !(error instanceof PathgrepError)) throw error;
      return new Glob(NOTHING, caseInsensitive);
    }
  }

  /**
   * Compiles several globs into one matcher, which reads a path once however many they are.
   *
   * @param globs none of them case-insensitive
   * @returns a function from a path to the index of the last glob that matches it, or -1. Now and then
   * it beats the pulse; what that throws ends the match
   */
  static lastOf(globs: readonly Glob[]): (path: string, pulse?: Pulse) => number {
    if (globs.length === 0) return () => -1;
    const matcher = new GlobMatcher(globs.map((glob) => glob.#tree));
    return (path, pulse) => matcher.run(path, pulse).rank;
  }

  /** Whether the glob matches the whole of a `/`-separated path, or of a name. */
  matches(path: string, pulse?: Pulse): boolean {
    return this.#run(path, pulse).rank >= 0;
  }

  /**
   * Whether the glob matches a directory on the way from a start to a path, or the path. Costs no more than to
   * match the path alone.
   *
   * @param start `""`, or a `/`-separated path with a slash at its end
   */
  matchesOnTheWay(start: string, segments: readonly string[]): boolean {
    let state = this.#run(start);
    return segments.some((segment, index) => {
      state = this.#run(index === 0 ? segment : `/${segment}`, undefined, state);
      return state.rank >= 0;
    });
  }

  /**
   * Which paths below a directory the glob can match: `none` and `all` are certain, `some` is
   * anything else.
   *
   * @param directory a `/`-separated path without a slash at its end; `""` is the top
   */
  below(directory: string, pulse?: Pulse): "none" | "some" | "all" {
    const state = this.#run(directory === "" ? "" : `${directory}/`, pulse);
    if (state.acceptsAll) return "all";
    return state.points.length === 0 ? "none" : "some";
  }

  #run(path: string, pulse?: Pulse, from?: GlobState): GlobState {
    this.#matcher ??= new GlobMatcher([this.#tree]);
    return this.#matcher.run(this.#fold ? foldCase(path) : path, pulse, from);
  }
}
