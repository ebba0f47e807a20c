/**
 * The figures that `deno task bench` measures: their record, and the plots of them.
 *
 * @module
 */

import { CHECKOUT } from "../../tests/support/run.ts";
import { dotPlot, type DotRow, linePanels, type Points } from "../../tests/support/plot.ts";

/** Searches of one kind beside ripgrep's. */
export interface BenchRow {
  files: number;
  /** The average size of a file. */
  kilobytes: number;
  /** Our wall time to ripgrep's: the median over the patterns of the medians of pairs. */
  ratio: number;
  /** The lowest and the highest of all pairs. */
  spread: [number, number];
  /** The wall time of a program that only reads the files to ripgrep's. */
  bare?: number;
  /** Our wall time in milliseconds. */
  ms: number;
  /** Our wall time less that of a search in one file, to ripgrep's. */
  beyondStart?: number;
  /** The wall time of ripgrep in milliseconds. */
  theirMs?: number;
  /** Peak memory in megabytes; of a server, what it holds at rest. */
  peak?: number;
  theirPeak?: number;
}

/** What `figures.json` holds. */
export interface Figures {
  machine: string;
  rows: Record<string, BenchRow>;
  growth: {
    /** Milliseconds by files: of a command, and of a search in a watched workspace. */
    command: Points;
    watched: Points;
    /** Milliseconds by megabytes in one file. */
    file: Points;
    /** Times of one pattern's time, by patterns. */
    patterns: Points;
  };
}

const RECORD = `${CHECKOUT}dev/bench/figures.json`;

/** Reads the record. */
export async function readFigures(): Promise<Figures> {
  return JSON.parse(await Deno.readTextFile(RECORD));
}

/** Writes the record and draws the plots. */
export async function publishFigures(figures: Figures): Promise<void> {
  await Deno.writeTextFile(RECORD, JSON.stringify(figures));
  await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", RECORD] }).output();
  for (const [path, picture] of Object.entries(pictures(figures))) {
    await Deno.writeTextFile(CHECKOUT + path, picture);
  }
}

/** The plots by their paths. */
export function pictures(figures: Figures): Record<string, string> {
  return { "docs/speed.svg": drawSpeed(figures), "docs/growth.svg": drawGrowth(figures) };
}

/** The rows of the plot, in groups. */
const GROUPS: readonly (readonly [name: string, ...rows: string[]])[] = [
  ["A command", "tiny", "small", "large", "huge", "generated", "log"],
  ["A command in a git repository", "git_350", "git_1000", "git_3000", "git_10000"],
  ["files in it, beside rg --files", "files_350", "files_1000", "files_3000", "files_10000"],
  ["A command in Node.js", "node_tiny", "node_small", "node_large", "node_huge"],
  [
    "A command that pathgrep serve answers",
    "serve_medium",
    "serve_large",
    "serve_huge",
    "serve_generated",
  ],
  ["A search in one process, beside spawning rg", "warm", "verified", "watched"],
];
/** What is cached in a process that searches again and again. */
const CACHES: Record<string, string> = {
  warm: 'cache: "none"',
  verified: 'cache: "verified"',
  watched: 'cache: "watched"',
};

function drawSpeed({ machine, rows }: Figures): string {
  const row = (key: string): DotRow => {
    const { files, kilobytes, ratio, spread, bare, ms, peak, theirPeak } = rows[key]!;
    const name = files === 1
      ? `one file of ${kilobytes / 1000} MB`
      : `${files.toLocaleString("en")} files of ${kilobytes} KB`;
    const values = [ratio, bare, ms, peak, theirPeak];
    return { name: CACHES[key] ?? name, range: spread, values };
  };
  const whole = (value: number) => value.toLocaleString("en");
  const times = (value: number) => `${value.toFixed(2)}×`;
  return dotPlot({
    title: "Time beside ripgrep, by tree size",
    description:
      "Wall time of pathgrep as a multiple of ripgrep's. A command takes longer than ripgrep, the " +
      "less so the larger the tree; with pathgrep serve or a cache it takes less.",
    source: machine,
    axis: "time as a multiple of ripgrep's (logarithmic); the line is the spread of all pairs",
    reference: [1, "ripgrep"],
    columns: [
      { name: "time", mark: "dot", format: times },
      { name: "reading\nonly", mark: "bar", format: times },
      { name: "ms", format: whole },
      { name: "MB of\nmemory", format: whole },
      { name: "MB of\nripgrep", format: whole },
    ],
    groups: GROUPS.map(([name, ...keys]) => ({
      name,
      rows: keys.filter((key) => key in rows).map(row), // some may never have been measured
    })).filter(({ rows }) => rows.length > 0),
  });
}

function drawGrowth({ machine, growth: { command, watched, file, patterns } }: Figures): string {
  return linePanels([
    {
      name: "Small files",
      x: "files",
      y: "ms",
      lines: [{ name: "a command", points: command }, { name: "watched", points: watched }],
    },
    { name: "One large file", x: "MB", y: "ms of a command", lines: [{ points: file }] },
    {
      name: "Several patterns",
      x: "patterns in one command",
      y: "times as long as one pattern",
      lines: [{ points: patterns }],
    },
  ], {
    title: "How the time of a search grows",
    description:
      "Time grows by less than the number of files, the size of a file, and the number " +
      "of patterns.",
    source: machine,
  });
}
