/**
 * The README's picture of a terminal: a session that is run, and drawn from what the commands print.
 *
 * @module
 */

import { escaped } from "../../tests/support/plot.ts";
import { CLI } from "../../tests/support/run.ts";
import { spawn } from "../../tests/support/spawn.ts";
import { tempTree } from "../../tests/support/tree.ts";

/** What is typed. */
const SESSION = [
  "pathgrep -C 1 'fn \\w+' src",
  "pathgrep TODO Lib.rs",
  "pathgrep -l Answer",
];
const FILES = { "src/lib.rs": "//! TODO: describe\npub fn answer() -> u32 {\n    42\n}\n" };
/** What the picture shows for the directory of the session. */
const HOME = "/home/you/project";

const COLUMNS = 88;
const LINE = 20;
const MARGIN = 18;
const BAR = 30;
/** A character's width beside its height of 14, in the fonts named below, at most. */
const ADVANCE = 8.5;

/** A run of characters of one look. */
interface Span {
  text: string;
  /** The parameters of the escape sequence before it. */
  look: string;
}

/** Draws the picture. */
export async function drawPicture(): Promise<string> {
  const lines: Span[][] = [];
  await using tree = await tempTree(FILES);
  for (const command of SESSION) {
    lines.push([{ text: "$ ", look: "prompt" }, { text: command, look: "typed" }]);
    // A terminal is coloured without being told to.
    const script = `pathgrep() { '${Deno.execPath()}' run -A '${CLI}' "$@" --color always; }\n` +
      `exec 2>&1\n${command}`;
    const { stdout } = await spawn("sh", ["-c", script], { cwd: tree.root });
    for (const line of stdout.replaceAll(tree.root, HOME).trimEnd().split("\n")) {
      lines.push(...wrapped(spansOf(line)));
    }
    lines.push([]);
  }
  return picture(lines.slice(0, -1));
}

/** A line's text by its colours. */
function spansOf(line: string): Span[] {
  const spans: Span[] = [];
  let look = "";
  // deno-lint-ignore no-control-regex -- colours are control sequences
  for (const [part, parameters] of line.matchAll(/\x1b\[([\d;]*)m|[^\x1b]+/g)) {
    if (parameters === undefined) spans.push({ text: part, look });
    else look = parameters === "0" ? "" : parameters;
  }
  return spans;
}

/** The rows that a line takes up, as a terminal breaks it. */
function wrapped(spans: readonly Span[]): Span[][] {
  const rows: Span[][] = [[]];
  let room = COLUMNS;
  for (const { text, look } of spans) {
    for (let at = 0; at < text.length;) {
      if (room === 0) {
        rows.push([]);
        room = COLUMNS;
      }
      const part = text.slice(at, at + room);
      rows.at(-1)!.push({ text: part, look });
      at += part.length;
      room -= part.length;
    }
  }
  return rows;
}

/** Colours by the parameters that the printers write. */
const CLASSES: Record<string, string> = {
  prompt: "p",
  typed: "t",
  "35": "f",
  "36": "m",
  "32": "n",
  "1;31": "h",
};

function picture(lines: readonly Span[][]): string {
  const width = Math.ceil(COLUMNS * ADVANCE + 2 * MARGIN);
  const height = BAR + lines.length * LINE + MARGIN;
  const rows = lines.map((spans, index) => {
    const parts = spans.map(({ text, look }) => {
      const name = CLASSES[look];
      const inside = escaped(text);
      return name === undefined ? inside : `<tspan class="${name}">${inside}</tspan>`;
    });
    return `  <text x="${MARGIN}" y="${BAR + (index + 1) * LINE}">${parts.join("")}</text>`;
  }).filter((row) => !row.endsWith('"></text>'));
  const dots = ["#ff5f57", "#febc2e", "#28c840"].map((colour, index) =>
    `  <circle cx="${MARGIN + 6 + index * 20}" cy="18" r="6" fill="${colour}"/>`
  );
  return `${
    [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" xml:space="preserve" aria-label="pathgrep at a terminal">`,
      "  <style>",
      "    text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #c9d1d9 }",
      "    .p { fill: #7ee787 } .t { fill: #ffffff; font-weight: bold }",
      "    .f { fill: #d2a8ff } .m { fill: #56d4dd } .n { fill: #7ee787 } .h { fill: #ff7b72; font-weight: bold }",
      "  </style>",
      `  <rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
      ...dots,
      ...rows,
      "</svg>",
    ].join("\n")
  }\n`;
}
