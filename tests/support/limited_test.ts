/**
 * V8's own answer as an oracle, under a time limit: a random pattern may keep it busy for ever.
 *
 * @module
 */

import vm from "node:vm";

const globals: { expression: RegExp; text: string } = { expression: /(?:)/, text: "" };
const context = vm.createContext(globals);
const script = new vm.Script("expression.test(text)");

/**
 * Whether an expression matches a text.
 *
 * @param expression without the flags `g` and `y`
 * @returns nothing when V8 could not tell within a second
 */
export function testWithin(expression: RegExp, text: string): boolean | undefined {
  Object.assign(globals, { expression, text });
  try {
    return script.runInContext(context, { timeout: 1000 });
  } catch (error) {
    if ((error as { code?: string }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
    throw error;
  }
}
