/**
 * The texts in an unchecked input.
 *
 * @module
 */

import type { ToolDefinition } from "./tool_definition.ts";
import { normalizeInput } from "./input_normalizer.ts";

/**
 * An input's values that are texts or lists of them, by key, each as a list; none when it cannot be read.
 * Never throws.
 */
export function textsOf(
  { name, fields }: ToolDefinition,
  given: unknown,
): Partial<Record<string, readonly string[]>> {
  try {
    const { input } = normalizeInput(name, fields, given);
    if (typeof input !== "object" || input === null) return {};
    const lists = Object.entries(input).map(([key, value]) => [key, [value].flat()] as const);
    return Object.fromEntries(
      lists.filter(([, values]) =>
        values.length > 0 && values.every((value) => typeof value === "string")
      ),
    );
  } catch {
    return {}; // a getter that throws
  }
}
