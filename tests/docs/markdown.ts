/**
 * The code blocks of a Markdown file.
 *
 * @module
 */

import assert from "node:assert/strict";

/** A fenced block. */
export interface Block {
  /** What follows the fence. */
  language: string;
  text: string;
  /** Where it begins, as `README.md:12`. */
  place: string;
  /** Whether its page or section says that it is at a terminal. */
  terminal?: boolean;
}

/** What is run, and what is shown as its output: the block of output after it in the same section. */
export interface Example extends Block {
  output?: Block;
}

const OUTPUT = ["json", "text"];

/** The blocks that are run, with their outputs, and the blocks of output that belong to none. */
export function examples(markdown: string, file: string): { run: Example[]; alone: Block[] } {
  const run: Example[] = [];
  const alone: Block[] = [];
  let last: Example | undefined;
  const headings = ["", ""];
  for (const match of markdown.matchAll(/^```(\w+)\n(.*?)^```$|^#+ .*?$/gms)) {
    const [heading, language, text] = match;
    const line = markdown.slice(0, match.index).split("\n").length;
    if (language === undefined || text === undefined) {
      last = undefined;
      const level = heading.indexOf(" ");
      if (level <= 2) headings.splice(level - 1, 2, heading);
      continue;
    }
    const terminal = headings.some((heading) => /\bat (?:a|the) terminal\b/i.test(heading));
    const block = { language, text, place: `${file}:${line}`, terminal };
    if (!OUTPUT.includes(language)) run.push(last = block);
    else if (last !== undefined && last.output === undefined) last.output = block;
    else alone.push(block);
  }
  const fences = markdown.match(/^```/gm) ?? [];
  const found = run.length + run.filter(({ output }) => output).length + alone.length;
  assert.equal(fences.length, found * 2, `${file}: every block names its language`);
  return { run, alone };
}

/** An item of a list that explains terms. */
export interface ListItem {
  /** What is in backquotes before the colon. */
  terms: string[];
  text: string;
}

/** The items of lists that begin with terms in backquotes and a colon, each as one line. */
export function listItems(markdown: string): ListItem[] {
  const items = markdown.matchAll(/^- ((?:`[^`]+`,\s+)*`[^`]+`):\s+(.*(?:\n {2}\S.*)*)/gm);
  return Array.from(items, ([, terms, text]) => ({
    terms: Array.from(terms!.matchAll(/`([^`]+)`/g), ([, term]) => term!),
    text: text!.replaceAll(/\n {2}/g, " "),
  }));
}

/** The cells of tables that are longer than a reader can take in beside others, each with its place. */
export function longCells(markdown: string, file: string, most: number): string[] {
  return markdown.split("\n").flatMap((line, index) =>
    line.startsWith("|")
      ? line.split(/(?<!\\)\|/).map((cell) => cell.trim())
        .filter((cell) => cell.length > most && !/^:?-+:?$/.test(cell))
        .map((cell) => `${file}:${index + 1}: ${cell.slice(0, 40)}…`)
      : []
  );
}
