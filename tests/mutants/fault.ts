/**
 * What a fault is: a small change to the source that a test has to notice.
 *
 * @module
 */

/** One change of one place, and the tests that have to notice it. */
export interface Fault {
  /** The source file, from the root of the checkout. */
  readonly file: string;
  /** The text to replace, which stands in the file exactly once. */
  readonly find: string;
  /** What replaces it. */
  readonly replace: string;
  /** The test files or folders that are run with the fault in place, up to the one that notices it. */
  readonly tests: readonly string[];
  /** What the names of the tests contain that are run. @default all tests are */
  readonly filter?: string;
  /** Why the fault is harmless: no caller can tell the difference. */
  readonly why?: string;
  /** Whether the fault may make a test hang: then running out of time counts as noticed. */
  readonly hangs?: true;
}

/** A {@linkcode Fault} without what it shares with the other faults of its file. */
type FaultIn = Omit<Fault, "file" | "tests"> & Partial<Pick<Fault, "tests">>;

/**
 * The faults of one file.
 *
 * @param file the source file, from the root of the checkout
 * @param tests the tests that are run for each fault that names none of its own
 * @param faults the faults
 */
export function faultsIn(
  file: string,
  tests: readonly string[],
  faults: readonly FaultIn[],
): Fault[] {
  return faults.map((fault) => ({ tests, ...fault, file }));
}
