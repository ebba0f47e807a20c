/**
 * Globs, matched in linear time: the one matcher behind include and exclude filters, ignore rules
 * and the guard's lists.
 *
 * No glob can make a match slow: the cost is at most the length of the glob times the length of the
 * path, and as a rule one table look-up per character.
 *
 * @module
 */

import { PathgrepError } from "./util/errors.ts";
import { Automaton, type State } from "./glob/glob_matcher.ts";
import { fold, NOTHING, parseGlob, type Sequence, splitGlobs } from "./glob/glob_parser.ts";

/** How a glob is written. */
export interface GlobOptions {
  /**
   * `include`: braces hold alternatives, and a malformed glob is an error. `gitignore`: git's rules,
   * where a brace is an ordinary character and a malformed glob matches nothing. @default "include"
   */
  dialect?: "include" | "gitignore";
  /** Letters match in either case. @default false */
  caseInsensitive?: boolean;
}

/**
 * A glob.
 *
 * `?`, `*` and classes match Unicode code points other than `/`. `**` as a whole path segment
 * matches any number of segments, elsewhere it is `*`. A backslash makes the next character
 * ordinary. Braces nest, and an alternative may be empty.
 */
export class Glob {
  readonly #tree: Sequence;
  readonly #fold: boolean;
  #automaton: Automaton | undefined;

  private constructor(tree: Sequence, fold: boolean) {
    this.#tree = tree;
    this.#fold = fold;
  }

  /**
   * Reads a glob.
   *
   * @param source the glob
   * @param options how it is written
   * @throws {PathgrepError} `invalid_input` when it is malformed, in the `include` dialect only
   */
  static parse(source: string, options: GlobOptions = {}): Glob {
    const fold = options.caseInsensitive ?? false;
    if (options.dialect !== "gitignore") return new Glob(parseGlob(source, true, fold), fold);
    try {
      return new Glob(parseGlob(source, false, fold), fold);
    } catch (error) {
      if (error instanceof PathgrepError) return new Glob(NOTHING, fold);
      throw error;
    }
  }

  /**
   * The globs in a list separated by commas; a comma in braces or in a class, or after a
   * backslash, does not separate.
   *
   * @throws {PathgrepError} `invalid_input` when a class is not closed
   */
  static split(list: string): string[] {
    return splitGlobs(list);
  }

  /**
   * Several globs as one matcher, which goes over a text once however many they are.
   *
   * @param globs the globs, none of them case-insensitive
   * @returns a function from a path to the index of the last glob that matches it; -1: none does
   */
  static lastOf(globs: readonly Glob[]): (path: string) => number {
    if (globs.length === 0) return () => -1;
    const automaton = new Automaton(globs.map((glob) => glob.#tree));
    return (path) => automaton.run(path).rank;
  }

  /** Whether the glob matches the whole of a `/`-separated path, or of a name. */
  matches(path: string): boolean {
    return this.#run(path).rank >= 0;
  }

  /**
   * Which paths below a directory the glob can match: `none` and `all` are certain, `some` is
   * anything else.
   *
   * @param directory a `/`-separated path without a slash at its end; `""` is the top
   */
  below(directory: string): "none" | "some" | "all" {
    const state = this.#run(directory === "" ? "" : `${directory}/`);
    if (state.acceptsAll) return "all";
    return state.points.length === 0 ? "none" : "some";
  }

  #run(path: string): State {
    this.#automaton ??= new Automaton([this.#tree]);
    return this.#automaton.run(this.#fold ? fold(path) : path);
  }
}
