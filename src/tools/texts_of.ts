/**
 * The texts in an input that is not checked.
 *
 * @module
 */

/** An input's values that are texts, by key; none when it cannot be read. Never throws. */
export function textsOf(input: unknown): Partial<Record<string, string>> {
  if (typeof input !== "object" || input === null) return {};
  try {
    return Object.fromEntries(
      Object.entries(input).filter(([, value]) => typeof value === "string"),
    );
  } catch {
    return {}; // a getter that throws
  }
}
