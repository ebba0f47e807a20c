/**
 * The file types as the caller asked for them.
 *
 * @module
 */
import { fileTypes, typeList } from "../../scan/file_types.ts";
import type { Format } from "../options/settings.ts";
import type { Output } from "../output.ts";
import { jsonLine } from "./answer_printer.ts";

/** Writes ripgrep's list unless JSON was asked for: what reads `rg --type-list` reads this, too. */
export function printTypes(format: Format | "auto", stdout: Output): void {
  if (format === "auto" || format === "text") return stdout.write(typeList());
  const types = [...fileTypes()].map(([name, globs]) => ({ name, globs }));
  if (format === "json") return stdout.write(jsonLine({ types, count: types.length }));
  stdout.write(types.map((type) => jsonLine({ type: "file_type", ...type })).join(""));
}
