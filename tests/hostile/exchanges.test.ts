/**
 * What is shown of a tree in which directories are exchanged while it is looked at. `EXCHANGE_CALLS`
 * says how many calls are made for each kind of exchange.
 *
 * @module
 */

import assert from "node:assert/strict";
import { testNeeding } from "../support/needs.ts";
import { exchange, EXCHANGES } from "./exchanges.ts";

const test = testNeeding("linux", "perl");

const CALLS = Number(Deno.env.get("EXCHANGE_CALLS") ?? 200);
/** Of what is exchanged above the root, checking by path can miss that much. */
const MOST_ABOVE = 1 / 1000;
const MANY_CALLS = 4000;

for (const kind of EXCHANGES) {
  test.slow(`nothing from outside is shown while another process exchanges ${kind}`, async () => {
    let { calls, found, leaks } = await exchange(kind, CALLS);
    const isAbove = kind === "above the root";
    if (isAbove && leaks.length > calls * MOST_ABOVE) {
      // One leak in few calls says nothing of a share.
      const more = await exchange(kind, MANY_CALLS);
      calls += more.calls;
      found += more.found;
      leaks = [...leaks, ...more.leaks];
    }
    console.error(`${kind}: ${calls} calls, ${found} with an answer, ${leaks.length} leaks`);
    assert.ok(
      leaks.length <= (isAbove ? calls * MOST_ABOVE : 0),
      `${leaks.length} of ${calls}:\n${leaks.slice(0, 3).join("\n")}`,
    );
  });
}
