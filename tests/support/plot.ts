/**
 * Plots as SVG, in the colours of the reader's theme: dots on a logarithmic axis with their figures beside
 * them, and panels of lines.
 *
 * @module
 */

/** The form of a mark: filled circles and diamonds, the same hollow, and bars. */
export type Mark = "dot" | "ring" | "diamond" | "lozenge" | "bar";

/** What a plot says of itself: to a screen reader, and below its axis. */
export interface About {
  title: string;
  description: string;
  /** What was measured on, below the plot. */
  source: string;
}

/** A row: its cells stand beside it, and those of columns with a mark are drawn at their values. */
export interface DotRow {
  name: string;
  values: readonly (number | undefined)[];
  /** The lowest and the highest value behind the first. */
  range?: readonly [number, number];
}

/** A column of figures. */
export interface Column {
  name: string;
  mark?: Mark;
  format: (value: number) => string;
}

/** Rows of marks on one axis. */
export interface DotPlot extends About {
  axis: string;
  /** A value that others are compared with, and its name. */
  reference?: readonly [value: number, name: string];
  columns: readonly Column[];
  groups: readonly { name: string; rows: readonly DotRow[] }[];
}

/** Points from left to right. */
export type Points = readonly (readonly [x: number, y: number])[];

/** Lines over one quantity; the units of both axes. */
export interface Panel {
  name: string;
  x: string;
  y: string;
  lines: readonly { name?: string; points: Points }[];
}

const WIDTH = 720;
const ROW = 24;
/** The height of the names of columns. */
const HEAD = 48;
/** The width of the figures on the right, and the most that a column of them has. */
const FIGURES = { width: 300, column: 68 };
/** Where the names of rows end and the axis begins. */
const LEFT = 186;

/** Draws a row of marks for each name, and the figures on the right. */
export function dotPlot({ axis, reference, columns, groups, ...about }: DotPlot): string {
  const columnWidth = Math.min(FIGURES.column, FIGURES.width / columns.length);
  const right = WIDTH - columnWidth * columns.length - 12;
  const ends = columns.map((_, index) => right + 12 + columnWidth * (index + 1));
  const marked = columns.map(({ mark }, index) => [index, mark] as const)
    .filter((each): each is readonly [number, Mark] => each[1] !== undefined);
  const drawn = groups.flatMap(({ rows }) => rows).flatMap(({ values, range = [] }) => [
    ...marked.flatMap(([index]) => values[index] ?? []),
    ...range,
  ]);
  const [low, high] = [Math.min(...drawn) / 1.1, Math.max(...drawn) * 1.1] as const;
  const at = (value: number) =>
    LEFT + Math.log(value / low) / Math.log(high / low) * (right - LEFT);

  const body = columns.flatMap(({ name, mark }, index) => {
    const lines = name.split("\n");
    return [
      ...lines.map((line, row) =>
        text(ends[index]!, 45 + 15 * (row - lines.length + 1), line, "note end")
      ),
      mark === undefined ? "" : markAt(mark, ends[index]! - 8, 11),
    ];
  });
  let y = HEAD;
  for (const { name, rows } of groups) {
    if (name !== "") body.push(text(0, (y += ROW) - 6, name, "name"));
    const top = y;
    y += ROW * rows.length;
    for (const tick of logTicks(low, high)) {
      body.push(line(at(tick), top, at(tick), y, tick === reference?.[0] ? "reference" : "grid"));
    }
    for (const [index, { name, values, range }] of rows.entries()) {
      const [middle, baseline] = [top + ROW * index + ROW / 2 + 2, top + ROW * (index + 1) - 6];
      body.push(text(LEFT - 14, baseline, name, "end"));
      if (range) body.push(line(at(range[0]), middle, at(range[1]), middle, "range"));
      // The first column is drawn above the others.
      for (const [column, mark] of marked.toReversed()) {
        const value = values[column];
        if (value !== undefined) body.push(markAt(mark, at(value), middle));
      }
      for (const [column, { format }] of columns.entries()) {
        const value = values[column];
        if (value !== undefined) body.push(text(ends[column]!, baseline, format(value), "end"));
      }
    }
  }
  body.push(
    ...logTicks(low, high).map((tick) =>
      text(at(tick), y + 16, tick.toLocaleString("en"), "note middle")
    ),
    text((LEFT + right) / 2, y + 36, axis, "note middle"),
  );
  if (reference) body.push(text(at(reference[0]), HEAD + ROW - 6, reference[1], "note middle"));
  return svg(about, y + 66, body);
}

const PANEL = { gap: 20, left: 42, right: 40, top: 62, height: 150 };

/** Draws panels side by side, each with its own axes that begin at 0. */
export function linePanels(panels: readonly Panel[], about: About): string {
  const width = (WIDTH - PANEL.gap * (panels.length - 1)) / panels.length;
  const bottom = PANEL.top + PANEL.height;
  const body = panels.flatMap(({ name, x, y, lines }, index) => {
    const [left, right] = [PANEL.left, width - PANEL.right].map((side) =>
      side + index * (width + PANEL.gap)
    ) as [number, number];
    const points = lines.flatMap(({ points }) => points);
    const [xTicks, yTicks] = [0, 1].map((axis) =>
      linearTicks(Math.max(...points.map((point) => point[axis]!)))
    ) as [number[], number[]];
    const xMax = Math.max(...points.map(([x]) => x));
    const yMax = yTicks.at(-1)!;
    const atX = (value: number) => left + value / xMax * (right - left);
    const atY = (value: number) => bottom - value / yMax * PANEL.height;
    return [
      text(left - PANEL.left, 18, name, "name"),
      text(left - PANEL.left, 40, y, "note"),
      ...yTicks.flatMap((value) => [
        line(left, atY(value), right, atY(value), "grid"),
        text(left - 6, atY(value) + 4, value.toLocaleString("en"), "note end"),
      ]),
      ...xTicks.filter((value) => value <= xMax).map((value) =>
        text(atX(value), bottom + 18, short(value), "note middle")
      ),
      text((left + right) / 2, bottom + 38, x, "note middle"),
      ...lines.flatMap(({ name = "", points }) => {
        const [lastX, lastY] = points.at(-1)!;
        const path = points.map(([x, y]) => `${round(atX(x))} ${round(atY(y))}`).join("L");
        return [
          `<path class="line" d="M${path}"/>`,
          ...points.map(([x, y]) => markAt("dot", atX(x), atY(y))),
          text(atX(lastX) - 4, atY(lastY) - 10, name, "end"),
          text(atX(lastX) + 8, atY(lastY) + 5, lastY.toLocaleString("en"), ""),
        ];
      }),
    ];
  });
  return svg(about, bottom + 68, body);
}

/** Steps of 1, 2 or 5 from 0 to the first that is not below a value. */
function linearTicks(max: number): number[] {
  const power = 10 ** Math.floor(Math.log10(max));
  const step = [0.2, 0.5, 1, 2].map((part) => part * power).find((step) => max / step <= 5)!;
  return Array.from({ length: Math.ceil(max / step) + 1 }, (_, index) => round(index * step));
}

/** Powers of ten, and over a short range also twice and five times as much. */
function logTicks(from: number, to: number): number[] {
  const parts = to / from > 1000 ? [1] : [1, 2, 5];
  const powers = Array.from({ length: 13 }, (_, index) => index - 6);
  return powers.flatMap((power) => parts.map((part) => Number(`${part}e${power}`)))
    .filter((value) => value >= from && value <= to);
}

function short(value: number): string {
  return value >= 1000 ? `${value / 1000}k` : String(value);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function text(x: number, y: number, content: string, name: string): string {
  return content === ""
    ? ""
    : `<text class="${name}" x="${round(x)}" y="${round(y)}">${escaped(content)}</text>`;
}

function line(x: number, y: number, toX: number, toY: number, name: string): string {
  return `<path class="${name}" d="M${round(x)} ${round(y)}L${round(toX)} ${round(toY)}"/>`;
}

function markAt(mark: Mark, atX: number, atY: number): string {
  const [x, y] = [round(atX), round(atY)];
  if (mark === "dot") return `<circle class="dot" cx="${x}" cy="${y}" r="5"/>`;
  if (mark === "ring") return `<circle class="ring" cx="${x}" cy="${y}" r="6.5"/>`;
  if (mark === "bar") return `<path class="bar" d="M${x} ${y - 7}v14"/>`;
  const size = mark === "diamond" ? 6 : 7;
  return `<path class="${mark}" d="M${x} ${
    y - size
  }l${size} ${size}-${size} ${size}-${size}-${size}z"/>`;
}

function svg({ title, description, source }: About, height: number, body: string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title description">
<title id="title">${escaped(title)}</title>
<desc id="description">${escaped(description)}</desc>
<style>
  text { font: 14px system-ui, sans-serif; fill: #1f2328; font-variant-numeric: tabular-nums; }
  .name { font-weight: 600; }
  .note { font-size: 12.5px; fill: #59636e; }
  .end { text-anchor: end; }
  .middle { text-anchor: middle; }
  path { fill: none; stroke-width: 1; }
  .grid { stroke: #d1d9e0; }
  .reference { stroke: #59636e; stroke-width: 1.5; }
  .range { stroke: #0969da; stroke-opacity: .45; stroke-width: 3; }
  .line { stroke: #0969da; stroke-width: 2; }
  .dot { fill: #0969da; }
  .diamond { fill: #bc4c00; }
  .ring { fill: none; stroke: #0969da; stroke-width: 1.5; }
  .lozenge { stroke: #bc4c00; stroke-width: 1.5; }
  .bar { stroke: #bc4c00; stroke-width: 3; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; }
    .note { fill: #9198a1; }
    .grid { stroke: #3d444d; }
    .reference { stroke: #9198a1; }
    .range, .line, .ring { stroke: #4493f8; }
    .dot { fill: #4493f8; }
    .diamond { fill: #f0883e; }
    .lozenge, .bar { stroke: #f0883e; }
  }
</style>
${body.filter((part) => part !== "").join("\n")}
${text(WIDTH, height - 6, source, "note end")}
</svg>
`;
}

/** Text as it is written in a document of XML. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
