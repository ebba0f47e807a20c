/**
 * The plots of the guide to performance show the figures that were recorded.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CHECKOUT } from "../support/run.ts";
import { pictures, readFigures } from "./figures.ts";

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
