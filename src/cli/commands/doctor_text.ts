/**
 * The report of `pathgrep doctor` for a person.
 *
 * @module
 */
import { escapedLines } from "../../util/escape.ts";
import type { EngineStatus } from "./engine_probe.ts";

/** The parts with a layout of their own; every other part is shown by its keys. */
interface ReportParts {
  versions: object;
  engines: Readonly<Record<string, EngineStatus>>;
  permissions: object;
}

/** Writes each part of a report on a line, or on indented lines of its own. */
export function reportText(report: ReportParts): string {
  const engines = Object.entries(report.engines).map((
    [name, status],
  ) => [name, engineText(status)]);
  const shown = {
    ...report,
    versions: inOneLine(report.versions),
    engines: Object.fromEntries(engines),
    permissions: inOneLine(report.permissions),
  };
  return escapedLines(reportLines(shown)).map((line) => `${line}\n`).join("");
}

function engineText({ available, version, path, source, hint }: EngineStatus): string {
  if (!available) return `not available: ${hint}`;
  const what = version ?? (source === undefined ? "available" : `fetched from ${source}`);
  return path === undefined ? what : `${what} (${path})`;
}

function inOneLine(values: object): string {
  return Object.entries(values).map(([name, value]) => `${name} ${value}`).join(", ");
}

function reportLines(part: object): string[] {
  return Object.entries(part).flatMap(([key, value]) => {
    const name = Array.isArray(part) ? "-" : `${key}:`;
    if (Object(value) !== value) return [`${name} ${value}`];
    return [name, ...reportLines(value as object).map((line) => `  ${line}`)];
  });
}
