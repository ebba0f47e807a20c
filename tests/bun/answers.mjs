/**
 * Answers searches with the package, in the runtime that runs this: `answers.mjs LIBRARY CASES DIRECTORY`. The cases
 * are a JSON array of `{ query, text }`; on standard output, there is one answer a line.
 *
 * @module
 */

import { readFileSync, writeFileSync, writeSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [library, cases, directory] = process.argv.slice(2);
const { Searcher, Workspace } = await import(pathToFileURL(library).href);
const workspace = await Workspace.open(directory);
const searcher = new Searcher({ workspace });
const names = new Map();

for (const { query, text, repeated = 1 } of JSON.parse(readFileSync(cases, "utf-8"))) {
  const key = `${text}\0${repeated}`;
  let path = names.get(key);
  if (path === undefined) {
    names.set(key, path = `${names.size}.txt`);
    writeFileSync(
      `${directory}/${path}`,
      repeated === 1 ? text : text.replace("%", "%".repeat(repeated)),
    );
  }
  const answer = await searcher.search({ ...query, path, maxResults: 0 }).then(
    ({ matches, count, notes }) => ({
      count,
      notes,
      found: matches.map(({ line_number, line }) => [
        line_number,
        line.length > 1000 ? line.length : line,
      ]),
    }),
    ({ code, message, details: { hint } }) => ({ code, message, hint }),
  );
  writeSync(1, JSON.stringify(answer) + "\n");
}
await searcher[Symbol.asyncDispose]();
