/**
 * The picture of `docs/architecture.md`: the floors of the source, and which imports from which. It is drawn
 * from the imports themselves, so that it cannot be wrong.
 *
 * @module
 */

import { escaped } from "../../tests/support/plot.ts";
import { type Floor, floorOf, type ImportGraph } from "../../tests/docs/imports.ts";

const WIDTH = 960;
const TOP = 16;
const ROW = 60;
const BOX = { left: 16, width: 640, height: 48 };
/** How much farther to the right an arc reaches for each floor that it passes. */
const REACH = 20;

/**
 * Draws the floors from top to bottom, and an arc to each floor that one imports from, unless another of
 * those leads there anyway.
 *
 * @param steps the files that a query passes, in order
 */
export function drawFloors(
  graph: ImportGraph,
  floors: readonly Floor[],
  steps: readonly string[],
): string {
  const drawn = floors.filter(({ places }) => places.some(isSource));
  const below = drawn.map(() => new Set<number>());
  for (const [file, targets] of graph) {
    const from = floorOf(file, drawn);
    for (const target of targets) {
      const to = floorOf(target, drawn);
      if (to !== from) below[from]!.add(to);
    }
  }
  const leadsTo = (from: number, to: number): boolean =>
    below[from]!.has(to) || [...below[from]!].some((next) => next < to && leadsTo(next, to));
  const arcs = below.flatMap((floors, from) =>
    [...floors].filter((to) => ![...floors].some((next) => next < to && leadsTo(next, to)))
      .map((to) => arc(from, to))
  );
  const stepsOn = (floor: number) =>
    steps.flatMap((file, index) =>
      floorOf(file, drawn) === floor ? [`${index + 1} ${file.split("/").at(-1)}`] : []
    );
  const boxes = drawn.map((floor, row) => box(floor, row, stepsOn(row)));
  const height = TOP * 2 + ROW * drawn.length;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="The floors of pathgrep's source, from the command line at the top to the tools of every floor at the bottom. Each imports only from those below it.">
<style>
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .steps { font: 12px ui-monospace, monospace; fill: #0969da; }
  .name { font: 600 13px ui-monospace, monospace; }
  rect { fill: #f6f8fa; stroke: #d1d9e0; }
  path { fill: none; stroke: #0969da; stroke-opacity: .55; }
  .head { fill: #0969da; stroke: none; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; }
    .steps { fill: #4493f8; }
    rect { fill: #151b23; stroke: #3d444d; }
    path { stroke: #4493f8; }
    .head { fill: #4493f8; }
  }
</style>
<defs><marker id="head" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto"><path class="head" d="M0 0 6 3 0 6z"/></marker></defs>
${boxes.join("\n")}
${arcs.join("\n")}
</svg>
`;
}

function isSource(place: string): boolean {
  return place.startsWith("src/") || place.endsWith(".ts");
}

function box({ places, purpose }: Floor, row: number, steps: readonly string[]): string {
  const y = TOP + row * ROW;
  const name = places.map((place) => place.replace(/^src\//, "")).join(" ");
  const [first = ""] = purpose.replaceAll("`", "").split(/[:;]|\. /);
  const texts = [
    `<text class="name" x="${BOX.left + 12}" y="${y + 21}">${escaped(shortened(name))}</text>`,
    `<text x="${BOX.left + 200}" y="${y + 21}">${escaped(first)}</text>`,
    `<text class="steps" x="${BOX.left + 200}" y="${y + 38}">${escaped(steps.join("   "))}</text>`,
  ];
  const size = `width="${BOX.width}" height="${BOX.height}"`;
  return `<rect x="${BOX.left}" y="${y}" ${size} rx="6"/>${texts.join("")}`;
}

function arc(from: number, to: number): string {
  const right = BOX.left + BOX.width;
  const [start, end] = [from, to].map((row) => TOP + row * ROW + BOX.height / 2);
  const reach = right + 24 + (to - from) * REACH;
  // Where several arcs meet at a box, those that go down leave below those that come in.
  const [y, into] = [start! + 6, end! - 4];
  return `<path d="M${right} ${y}C${reach} ${y} ${reach} ${into} ${right} ${into}" marker-end="url(#head)"/>`;
}

function shortened(name: string): string {
  return name.length > 24 ? `${name.slice(0, 23)}…` : name;
}
