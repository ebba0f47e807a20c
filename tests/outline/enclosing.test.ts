/**
 * What encloses a match: in each language, by files whose lines say it, and by their own text in answers.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type ContentResult, search, Workspace } from "../../mod.ts";
import { tempTree } from "../support/tree.ts";

const TESTDATA = new URL("../../testdata/enclosing/", import.meta.url);

/** A line with what encloses it, a part of each line, outermost first: `return 1; «class A, b()»`. */
const MARKED = /^(.*?) ?«(.*)»$/;

interface Sample {
  name: string;
  /** The file without marks. */
  text: string;
  /** The parts of lines by the number of the line that they enclose. */
  expected: Map<number, string[]>;
}

function sample(file: string): Sample {
  const expected = new Map<number, string[]>();
  const lines = Deno.readTextFileSync(new URL(file, TESTDATA)).split("\n").map((line, index) => {
    const [, text, parts] = MARKED.exec(line) ?? [];
    if (text === undefined) return line;
    expected.set(index + 1, parts === "" ? [] : parts!.split(", "));
    return text;
  });
  return { name: file.replace(/\.txt$/, ""), text: lines.join("\n"), expected };
}

for (const { name } of [...Deno.readDirSync(TESTDATA)].sort((a, b) => a.name < b.name ? -1 : 1)) {
  Deno.test(`each line of ${name.replace(/\.txt$/, "")} is enclosed by what it stands in`, async () => {
    const { name: file, text, expected } = sample(name);
    await using tree = await tempTree({ [file]: text });
    const workspace = await Workspace.open(tree.root);
    const query = { pattern: "^", showFunction: "always", maxResults: 0 } as const;
    const { matches } = await search(query, { workspace }) as ContentResult;
    const lines = text.split("\n");
    assert.ok(expected.size > 5);
    for (const [number, parts] of expected) {
      const { enclosing = [] } = matches[number - 1]!;
      const found = enclosing.map(({ line }) => line);
      const about = `${file}:${number}: ${lines[number - 1]}\n${found.join("\n")}`;
      const last = parts.slice(-3);
      assert.equal(found.length, last.length, about);
      last.forEach((part, index) => assert.ok(found[index]!.includes(part), `${part}: ${about}`));
      for (const { line_number, line } of enclosing) {
        assert.equal(lines[line_number - 1], line);
        assert.ok(line_number < number, about);
      }
    }
  });
}
