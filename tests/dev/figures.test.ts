/**
 * The plots of the guide to performance show the figures that were recorded.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CHECKOUT } from "../support/run.ts";
import { pictures, readFigures } from "../../dev/bench/figures.ts";

Deno.test("the plots of speed and growth are drawn from the recorded figures", async () => {
  const figures = await readFigures();
  const drawn = pictures(figures);
  for (const [path, picture] of Object.entries(drawn)) {
    assert.equal(await Deno.readTextFile(CHECKOUT + path), picture, "`deno task bench` draws it");
  }
  const { "docs/speed.svg": speed = "" } = drawn;
  for (const [name, { ratio, ms, peak }] of Object.entries(figures.rows)) {
    const cells = [
      `${ratio.toFixed(2)}×`,
      ...[ms, peak ?? ms].map((each) => each.toLocaleString("en")),
    ];
    for (const cell of cells) assert.ok(speed.includes(`>${cell}</text>`), `${name}: ${cell}`);
  }
});

Deno.test("the plot has a group for Node.js once a row of it is measured", async () => {
  const { rows: { tiny, ...rows }, ...figures } = await readFigures();
  const group = "A command in Node.js";
  for (const [name, isDrawn] of [["tiny", false], ["node_tiny", true]] as const) {
    const others = Object.entries(rows).filter(([key]) => !key.startsWith("node_"));
    const measured = { ...Object.fromEntries(others), [name]: tiny! };
    const { "docs/speed.svg": speed = "" } = pictures({ ...figures, rows: measured });
    assert.equal(speed.includes(group), isDrawn, name);
  }
});
