/**
 * What is shown of a tree in which directories are exchanged while it is looked at. `EXCHANGE_CALLS`
 * says how many calls are made for each kind of exchange.
 *
 * @module
 */

import assert from "node:assert/strict";
import { testNeeding } from "../support/needs.ts";
import { exchange, type ExchangeReport, EXCHANGES, SUBJECT_NAMES } from "./exchanges.ts";

const test = testNeeding("linux", "perl");

const CALLS = Number(Deno.env.get("EXCHANGE_CALLS") ?? 200);
/** Of what is exchanged above the root, checking by path can miss that much. */
const MOST_ABOVE = 1 / 1000;
const MANY_CALLS = 4000;

for (
  const [kind, subject] of EXCHANGES.flatMap((kind) =>
    SUBJECT_NAMES.map((name) => [kind, name] as const)
  )
) {
  test.slow(`nothing from outside is in ${subject} while another process exchanges ${kind}`, async () => {
    const isAbove = kind === "above the root";
    const isWithin = ({ calls, leaks }: ExchangeReport) =>
      leaks.length <= (isAbove ? calls * MOST_ABOVE : 0);
    let report = await exchange(kind, CALLS, subject);
    // One leak in few calls says nothing of a share.
    if (isAbove && !isWithin(report)) {
      report = sum(report, await exchange(kind, MANY_CALLS, subject));
    }
    const { calls, found, leaks } = report;
    const said = `${leaks.length} leaks in ${calls} calls`;
    console.error(`${kind}, ${subject}: ${said}, ${found} with an answer`);
    assert.ok(found > calls / 20, `${found} with an answer`);
    assert.ok(isWithin(report), `${said}:\n${leaks.slice(0, 3).join("\n")}`);
  });
}

function sum(one: ExchangeReport, other: ExchangeReport): ExchangeReport {
  return {
    calls: one.calls + other.calls,
    found: one.found + other.found,
    leaks: [...one.leaks, ...other.leaks],
  };
}
