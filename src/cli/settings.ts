/**
 * What the options of one command line add up to.
 *
 * @module
 */
import type { SearchQuery } from "../search/query.ts";
import type { DefinitionFormat } from "../tools/format_names.ts";

/** How an answer is written. */
export type Format = "json" | "jsonl" | "text";

/** A query under construction: everything that may be given several times is a list. */
export interface CliQuery extends SearchQuery {
  pattern: string[];
  path: string[];
  include: string[];
  exclude: string[];
  type: string[];
  typeNot: string[];
  allow: string[];
  deny: string[];
}

/** The options of one command line, read and checked. */
export interface Settings {
  query: CliQuery;
  /** Workspace roots as given; none is the current directory. */
  workspace: string[];
  format: Format;
  /** Whether text names each file once, above its lines. */
  heading: boolean;
  /** Whether file names on a terminal are links. */
  hyperlinks: "auto" | "never";
  /** Whether a person may be asked for a permission. */
  prompt: "auto" | "never";
  /** Only the exit status counts. */
  quiet: boolean;
  help: boolean;
  version: boolean;
  /** List the file types instead of searching. */
  typeList: boolean;
  /** `resolve`: what the path is for. */
  as: "search" | "file" | "dir" | "project";
  /** `resolve`: what messages call the path. */
  field: string;
  /** `tools`: whose definitions. */
  definitions: DefinitionFormat;
  /** What was read differently than given, for the caller. */
  notes: string[];
}

/** The settings of a command line without options. */
export function defaultSettings(): Settings {
  return {
    query: {
      pattern: [],
      path: [],
      include: [],
      exclude: [],
      type: [],
      typeNot: [],
      allow: [],
      deny: [],
    },
    workspace: [],
    format: "json",
    heading: false,
    hyperlinks: "auto",
    prompt: "auto",
    quiet: false,
    help: false,
    version: false,
    typeList: false,
    as: "search",
    field: "path",
    definitions: "json-schema",
    notes: [],
  };
}
