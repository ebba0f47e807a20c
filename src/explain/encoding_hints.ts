/**
 * Guesses the encoding of skipped files.
 *
 * @module
 */

import { literalsBeyondAscii } from "../regex/literals.ts";
import type { PatternPlan } from "../regex/pattern_plan.ts";
import { isUtf16 } from "../scan/decoder.ts";
import { type EngineReport, type SearchJob, STDIN } from "../scan/job.ts";
import { type AllowedRoots, isInWorkspace, isNamed } from "../paths/verification.ts";
import { type LikelyEncoding, likelyEncoding, likelyUtf16 } from "./likely_encoding.ts";
import type { Probe } from "./probe.ts";
import { lstat, openFile } from "../system/files.ts";

/** Bytes of a file that are read, and those for UTF-16. */
const MAX_BYTES = 1 << 17;
const MAX_UTF16_BYTES = 1 << 12;
/** Binary files that are looked at before others get their turn. */
const FILES_PER_TURN = 64;
/** Named files that are looked at. */
const MAX_FILES = 5;

/** If nothing is known about a file's encoding, at least its ASCII text can be read. */
const ASCII_SUPERSET: LikelyEncoding = { label: "windows-1252", isSure: false };

/** The literals of a search that reveal an encoding. */
function tellingLiterals({ locate: { tree }, invert }: PatternPlan): string[] {
  return invert ? [] : literalsBeyondAscii(tree);
}

/**
 * Labels of the Encoding Standard by path: for the first of the files that are not UTF-8 and for named
 * files, if their bytes leave no doubt. Files are read again, even if they are cached.
 */
export function encodingHints(
  { firstSkipped, notSearched }: EngineReport,
  roots: AllowedRoots,
  plan: PatternPlan,
): ReadonlyMap<string, string> {
  const literals = tellingLiterals(plan);
  const hints = new Map<string, string>();
  const look = (path: string) => {
    const found = likelyEncodingOf(path, roots, literals);
    if (found?.isSure) hints.set(path, found.label);
  };
  const named = notSearched.filter(({ path, reason }) =>
    (reason === "not_utf8" || reason === "binary") && path !== STDIN.file
  );
  for (const { path, reason } of named.slice(0, MAX_FILES)) {
    look(path);
    // A file with a NUL is read in no other encoding.
    if (reason === "binary" && !isUtf16(hints.get(path) ?? "")) hints.delete(path);
  }
  if (firstSkipped.not_utf8 !== undefined) look(firstSkipped.not_utf8);
  return hints;
}

type EncodingGroup = LikelyEncoding & { files: string[] };

/**
 * Groups files that are not UTF-8 by the encoding to read them in, as many as there is time for.
 *
 * @param binary files with a NUL, which may be UTF-16
 */
export async function filesByEncoding(
  paths: readonly string[],
  binary: readonly string[],
  probe: Probe,
  { plan, walk }: SearchJob,
): Promise<readonly EncodingGroup[]> {
  const literals = tellingLiterals(plan);
  const groups = new Map<string, EncodingGroup>();
  const add = (path: string, likely: LikelyEncoding) => {
    const key = `${likely.label} ${likely.isSure}`;
    groups.getOrInsertComputed(key, () => ({ ...likely, files: [] })).files.push(path);
  };
  for (const path of paths) {
    const look = () => likelyEncodingOf(path, walk, literals) ?? ASCII_SUPERSET;
    const likely = await probe.inTurn(look);
    if (likely === undefined) break;
    add(path, likely);
  }
  for (let from = 0; from < binary.length && probe.hasTime; from += FILES_PER_TURN) {
    await probe.inTurn(() => {
      for (const path of binary.slice(from, from + FILES_PER_TURN)) {
        const label = tellingOf(path, walk, MAX_UTF16_BYTES, likelyUtf16);
        if (label !== undefined) add(path, { label, isSure: true });
      }
    });
  }
  return [...groups.values()];
}

function likelyEncodingOf(path: string, roots: AllowedRoots, literals: readonly string[]) {
  return tellingOf(path, roots, MAX_BYTES, (bytes) => likelyEncoding(bytes, literals));
}

/** Inspects the first bytes of a file; nothing if it cannot be read or is elsewhere. */
function tellingOf<T>(
  path: string,
  roots: AllowedRoots,
  length: number,
  tell: (bytes: Uint8Array) => T | undefined,
): T | undefined {
  try {
    if (!lstat(path).isFile) return undefined;
    using file = openFile(path);
    const buffer = new Uint8Array(length);
    const found = tell(buffer.subarray(0, file.readSync(buffer) ?? 0));
    if (found === undefined) return undefined; // most binary files: the proof costs more than the look
    const info = file.statSync();
    return isInWorkspace(path, roots, () => isNamed(info, path)) ? found : undefined;
  } catch {
    return undefined;
  }
}
