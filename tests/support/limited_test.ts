/**
 * V8's own answer as an oracle, under a time limit: a random pattern may keep it busy for ever.
 *
 * @module
 */

import vm from "node:vm";

const globals = { expression: /(?:)/, text: "", until: 0, now: () => performance.now() };
const context = vm.createContext(globals);
// A script that ends as its time runs out would stop the test instead: see matcher_engines.ts.
const script = new vm.Script(
  "{ const matches = expression.test(text); if (now() > until) for (;;); matches }",
);

/**
 * Whether an expression matches a text.
 *
 * @param expression a sticky one is tried at its `lastIndex`, which then says where the match ends
 * @returns nothing when V8 could not tell within a second
 */
export function testWithin(expression: RegExp, text: string): boolean | undefined {
  Object.assign(globals, { expression, text, until: performance.now() + 975 });
  try {
    return script.runInContext(context, { timeout: 1000 });
  } catch (error) {
    if ((error as { code?: string }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
    throw error;
  }
}
