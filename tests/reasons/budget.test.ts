/**
 * The time that the look for reasons has where tests do not give it more.
 *
 * @module
 */

import assert from "node:assert/strict";
import { spawn } from "../support/spawn.ts";

Deno.test("reasons have 150 to 500 ms, 100 in a process that stays and 150 beside matches in a hook", async () => {
  const budget = new URL("../../src/reasons/empty_search.ts", import.meta.url).href;
  const code = `import { BUDGET } from ${
    JSON.stringify(budget)
  }; console.log(JSON.stringify(BUDGET));`;
  const { stdout } = await spawn(Deno.execPath(), ["eval", "--no-config", code]);
  assert.deepEqual(JSON.parse(stdout), {
    ...{ least: 150, most: 500, kept: 100, quick: 200 },
    ...{ hook: 150, hookReasons: 1000, hookEnd: 1600 },
  });
});
