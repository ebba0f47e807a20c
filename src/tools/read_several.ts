/**
 * The answer of `read_file` for several paths: each read as it would be alone, in one budget.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import { written } from "../search/result_builder.ts";
import { bytesOfText, weigherFor } from "./answer_size.ts";
import { type FileAnswer, fileText } from "./plain_text.ts";

/** Characters of an answer besides those of its files, and between these. */
const FRAME_CHARS = 100;
const SEPARATOR_CHARS = 2;
/** With less, not even why there is no answer has room. */
const MIN_SHARE = 200;
/** An answer that leaves less of its share than this many characters, or this part, may have been cut to it. */
const SLACK_CHARS = 500;
const SLACK = 0.1;

/**
 * Reads several paths. Each has the same share of the budget; what some do not need, the others have.
 *
 * @param read reads one of them within a number of characters; never throws
 * @param isText whether answers are text
 */
export async function readSeveral(
  paths: readonly string[],
  read: (path: string, budget: number) => Promise<FileAnswer>,
  { budget, isText }: { budget: number; isText: boolean },
): Promise<FileAnswer[]> {
  const weigh = weigherFor(budget, isText ? bytesOfText : undefined);
  const sizeOf = (answer: FileAnswer) =>
    weigh(isText ? fileText(answer) : written(answer)) + SEPARATOR_CHARS;
  const room = budget - FRAME_CHARS;
  const share = Math.floor(room / paths.length) - SEPARATOR_CHARS;
  if (share < MIN_SHARE) {
    throw new PathgrepError(
      "search_too_broad",
      `${paths.length} paths need more than ${budget} characters`,
      { hint: "raise max_output_chars, or send fewer paths" },
    );
  }
  const slack = Math.max(SLACK_CHARS, share * SLACK);
  const answers: FileAnswer[] = [];
  for (const path of paths) answers.push(await read(path, share));
  const cut = answers.keys().filter((at) => sizeOf(answers[at]!) > share - slack).toArray();
  let left = room - answers.reduce((sum: number, answer) => sum + sizeOf(answer), 0);
  for (const [done, at] of cut.entries()) {
    const more = Math.floor(left / (cut.length - done));
    if (more <= 0) break;
    const before = sizeOf(answers[at]!);
    answers[at] = await read(paths[at]!, share + more);
    left -= sizeOf(answers[at]!) - before;
  }
  return fitting(paths, answers, sizeOf, room, budget);
}

/** The answers that there is room for: an error may need more than its share. */
function fitting(
  paths: readonly string[],
  answers: readonly FileAnswer[],
  sizeOf: (answer: FileAnswer) => number,
  room: number,
  budget: number,
): FileAnswer[] {
  return answers.map((answer, at) => {
    const size = sizeOf(answer);
    if ((room -= size) >= 0) return answer;
    room += size;
    const path = paths[at]!;
    const error = new PathgrepError("search_too_broad", `answer exceeds ${budget} characters`, {
      path,
      hint: "read this path in a call of its own",
    }).toJSON();
    room -= sizeOf(error);
    return error;
  });
}
