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
  for (const match of markdown.matchAll(/^```(\w+)\n(.*?)^```$|^#/gms)) {
    const [, language, text] = match;
    const line = markdown.slice(0, match.index).split("\n").length;
    if (language === undefined || text === undefined) {
      last = undefined; // a heading
      continue;
    }
    const block = { language, text, place: `${file}:${line}` };
    if (!OUTPUT.includes(language)) run.push(last = block);
    else if (last !== undefined && last.output === undefined) last.output = block;
    else alone.push(block);
  }
  const fences = markdown.match(/^```/gm) ?? [];
  const found = run.length + run.filter(({ output }) => output).length + alone.length;
  assert.equal(fences.length, found * 2, `${file}: every block names its language`);
  return { run, alone };
}
