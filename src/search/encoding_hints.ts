/**
 * In which encoding files that were skipped are likely to be.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { type EngineReport, STDIN } from "../searcher/job.ts";
import { fileEvidence } from "../walk/provisional.ts";
import { type AllowedRoots, isVerified } from "../workspace/verification.ts";
import { likelyEncoding } from "./likely_encoding.ts";

/** Bytes of a file that are looked at. */
const MAX_BYTES = 1 << 17;
/** Named files that are looked at. */
const MAX_FILES = 5;

/**
 * Labels of the Encoding Standard by path: for the first of the files that are not UTF-8 and for those
 * that were named, where their bytes make it plain. They are read once more, so that it makes no
 * difference what was kept of them.
 */
export function encodingHints(
  { firstSkipped, notSearched }: EngineReport,
  roots: AllowedRoots,
): ReadonlyMap<string, string> {
  const named = notSearched.filter(({ path, reason }) =>
    reason === "not_utf8" && path !== STDIN.file
  );
  const paths = named.slice(0, MAX_FILES).map(({ path }) => path);
  if (firstSkipped.not_utf8 !== undefined) paths.push(firstSkipped.not_utf8);
  const hints = new Map<string, string>();
  for (const path of paths) {
    const label = likelyEncodingOf(path, roots);
    if (label !== undefined) hints.set(path, label);
  }
  return hints;
}

/**
 * Which encoding a file is likely to be in; nothing if that is not clear or the file is elsewhere.
 */
export function likelyEncodingOf(path: string, roots: AllowedRoots): string | undefined {
  try {
    if (!Deno.lstatSync(path).isFile) return undefined;
    using file = Deno.openSync(path);
    const info = file.statSync();
    const buffer = new Uint8Array(MAX_BYTES);
    const bytes = buffer.subarray(0, file.readSync(buffer) ?? 0);
    const evidence = fileEvidence(path, platform.dirname(path), info);
    return isVerified(evidence, roots) ? likelyEncoding(bytes) : undefined;
  } catch {
    return undefined;
  }
}
