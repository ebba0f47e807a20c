/**
 * How the answers of two checkouts differ, gathered by what differs.
 *
 * @module
 */

import type { Recorded } from "./answers.ts";

/** Keys whose values depend on the machine, the moment or the version. */
const CHANCE = new Set(["elapsed_ms", "threads", "version", "duration_ms"]);

const ELAPSED = /"(?:elapsed_ms|threads)":\d+/g;

/** What differs between two answers, by its place: `matches[].line`, `notes: searched N files`. */
export function differencesOf(before: Recorded, after: Recorded): string[] {
  const places = new Set<string>();
  if (before.exit !== after.exit) places.add(`exit status: ${before.exit} → ${after.exit}`);
  compare(parsed(before.stdout), parsed(after.stdout), "", places);
  const [said, nowSaid] = [before, after].map(({ stderr = "" }) => stderr.replace(ELAPSED, ""));
  compareLines(said!, nowSaid!, "stderr", places);
  return [...places].sort();
}

/** JSON, rows of JSON, or the text as it is. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const lines = text.split("\n").filter((line) => line !== "");
    try {
      return lines.map((line) => JSON.parse(line));
    } catch {
      return text;
    }
  }
}

function compare(a: unknown, b: unknown, place: string, places: Set<string>): void {
  if (a === b || CHANCE.has(place.slice(place.lastIndexOf(".") + 1))) return;
  if (/(?:^|\.)(?:notes|hint)$/.test(place)) {
    return compareLines(linesIn(a), linesIn(b), place, places);
  }
  if (isObject(a) && isObject(b)) {
    if (Array.isArray(a) && Array.isArray(b) && a.length !== b.length) {
      places.add(`${place}[] has more or fewer`);
      return;
    }
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const inside = Array.isArray(a) ? `${place}[]` : place === "" ? key : `${place}.${key}`;
      compare(a[key], b[key], inside, places);
    }
    const [keysOfA, keysOfB] = [a, b].map((one) => Object.keys(one).join());
    if (keysOfA !== keysOfB && !Array.isArray(a)) places.add(`${place || "answer"}: keys`);
    return;
  }
  if (typeof a === "string" && typeof b === "string" && (a + b).includes("\n")) {
    return compareLines(a, b, place || "text", places);
  }
  places.add(place || "answer");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function linesIn(value: unknown): string {
  return Array.isArray(value) ? value.join("\n") : String(value ?? "");
}

/** Lines that one of the texts lacks, without the numbers and names that differ from case to case. */
function compareLines(a: string, b: string, place: string, places: Set<string>): void {
  const [inA, inB] = [a.split("\n"), b.split("\n")];
  const gone = inA.filter((line) => !inB.includes(line));
  const come = inB.filter((line) => !inA.includes(line));
  if (gone.length + come.length === 0) {
    if (a !== b) places.add(`${place}: order of lines`);
    return;
  }
  for (const line of gone) places.add(`${place} - ${shapeOf(line)}`);
  for (const line of come) places.add(`${place} + ${shapeOf(line)}`);
}

/** A sentence without what is quoted, counted or named in it; of a matching line, that it is one. */
function shapeOf(line: string): string {
  if (/^\d+[:=-]/.test(line)) return "a line of a file";
  return line.replace(/\d[\d,]*(?: ms)?/g, "N").replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, "“”")
    .replace(/[\w.@~-]*\/[\p{L}\d_./@~[\]-]*|[\p{L}\d_-]+\.\w{1,4}(?!\w)/gu, "PATH").slice(0, 160);
}
