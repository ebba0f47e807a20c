/**
 * `pathgrep doctor`: engines, permissions held and needed, workspace and versions.
 *
 * Permissions are queried and never requested: the report is the same with and without a terminal.
 *
 * @module
 */

import manifest from "../../../deno.json" with { type: "json" };
import { sentences } from "../../notes/words.ts";
import { PathgrepError } from "../../util/errors.ts";
import {
  Exclusions,
  isBarredAbove,
  type RulesAbove,
  rulesAbove,
} from "../../exclusions/exclusions.ts";
import { dirname, join, pathOfFileUrl, resolve } from "../../util/path.ts";
import { WorkerPool } from "../../run/worker_pool.ts";
import { controlResident, NOT_RUNNING } from "../ask_resident.ts";
import { jsonLine } from "../printers/answer_printer.ts";
import type { Settings } from "../options/settings.ts";
import { type Host, refuseOperands, type RunCommand } from "../host.ts";
import {
  IS_COMPILED,
  IS_DENO,
  isGranted,
  mainModule,
  permissionStatus,
  VERSIONS,
} from "../../system/platform.ts";
import type { Permission, PermissionState } from "../../system/types.ts";
import { escapedLines, shellWord } from "../../util/text.ts";
import type { EngineName } from "../../query/query.ts";
import { grantable } from "../../paths/canonical.ts";
import { EXCLUSION_FILES, IGNORE_FILES, type RuleTexts } from "../../glob/ignore_rules.ts";
import { RuleSourceReader } from "../../walk/rule_sources.ts";
import { type FilterProgram, locateProgram, PROGRAMS, runProgram } from "../../run/programs.ts";

const PERMISSIONS = ["read", "write", "run", "env", "net", "sys", "ffi", "import"] as const;

/** Writes the report: one JSON object or, in text, a line for each part. */
export const run: RunCommand = async (settings, operands, host) => {
  refuseOperands("doctor", operands);
  const roots = await rootsOf(settings, host);
  const { engine = "auto" } = settings.query;
  const pool = new WorkerPool();
  const engines = await probeEngines(roots);
  const least = leastFlags(roots, engine, engines[engine]);
  const warnings = excessOf(roots, least);
  const above = rulesAbove(roots);
  const starts = new Set(above.map(({ levels }) => levels[0]!.directory));
  const report = {
    versions: { pathgrep: manifest.version, ...VERSIONS },
    engines,
    // Threads that a long search may use beside the main one.
    workers: pool.canStart ? pool.size : 0,
    resident: JSON.parse(await controlResident("status", settings) ?? NOT_RUNNING),
    // What is granted in part reads "prompt".
    permissions: Object.fromEntries(PERMISSIONS.map((name) => [name, stateOf({ name })])),
    workspace: {
      roots,
      readable: roots.every((path) => stateOf({ name: "read", path }) === "granted"),
      ...(starts.size === 0 ? {} : { repositories_above: [...starts] }),
    },
    // Above the roots and in them; those of the directories in them count, too.
    rule_files: [
      ...ruleFilesAbove(above),
      ...roots.flatMap((root) => ruleFilesIn(root, roots)),
    ],
    // For a search of this workspace with the engine asked for; the search's arguments follow.
    ...(IS_DENO
      ? {
        least_privilege: ["deno run --no-config --no-prompt", ...least, programName()].join(" "),
      }
      : {}),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(isBarredAbove(roots)
      ? { notes: sentences([{ reason: "rules_above_unread", values: {} }]) }
      : {}),
  };
  if (settings.format === "text") {
    host.stdout.write(reportText(report));
  } else {
    host.stdout.write(jsonLine(report));
  }
  return 0;
};

/** The roots, as given where they cannot be read, which the report is to show. */
async function rootsOf(settings: Settings, host: Host): Promise<readonly string[]> {
  try {
    return (await host.openWorkspace(settings)).roots;
  } catch (thrown) {
    if (PathgrepError.from(thrown).code !== "path_access_denied") throw thrown;
    const given = settings.workspace.length > 0 ? settings.workspace : ["."];
    return given.map((root) => resolve(root));
  }
}

function stateOf(permission: Permission): PermissionState {
  return permissionStatus(permission).state;
}

/**
 * The permission flags that a search needs: for reading, for running, for the environment.
 *
 * @param roots canonical
 * @param status of the engine, unless that is `auto`, which searches with `js`
 */
function leastFlags(
  roots: readonly string[],
  engine: EngineName | "auto",
  status?: EngineStatus,
): string[] {
  if (status?.source === "npm") return ["--allow-read", "--allow-run", "--allow-env"];
  const flags = [`--allow-read=${roots.map((root) => shellWord(grantable(root))).join(",")}`];
  if (engine === "auto" || engine === "js") return flags;
  // Without PATH, Deno also runs a program of the workspace.
  return [...flags, `--allow-run=${engine}`, "--allow-env=PATH"];
}

/** pathgrep as JSR has it. */
const PUBLISHED = "jsr:@x/pathgrep/cli";
/** Where this module is in the program's sources. */
const SOURCE = "/src/cli/commands/doctor_command.ts";

/** The running program as `deno run` takes it; of a compiled one, which has its permissions, the published. */
function programName(): string {
  const { url } = import.meta;
  if (IS_COMPILED || /^https?:\/\/[^/]+\/@x\/pathgrep\//.test(url)) return PUBLISHED;
  // A bundle has no such sources.
  const main = url.endsWith(SOURCE) ? `${url.slice(0, -SOURCE.length)}/cli.ts` : mainModule();
  return shellWord(pathOfFileUrl(main) ?? main);
}

/** The permissions of `-A` that concern pathgrep. */
const ALL = (["read", "write", "run", "env", "net", "sys", "ffi"] as const)
  .map((name) => ({ name }));

/** The uses of permissions that no search by itself needs. */
const USES = {
  write: "only `serve`, its clients and the watch of `mcp` use it",
  net: "only `serve` and its clients use it, for their socket",
  ffi: "nothing uses it",
  sys: "only `serve` and its clients (uid) and links on a terminal (hostname) use it",
} as const;

/**
 * Warnings about what is granted beyond the {@linkcode leastFlags}; none for a compiled program, which
 * carries its permissions, nor for the bundle of the npm package, whose launcher decides them.
 */
function excessOf(roots: readonly string[], least: readonly string[]): string[] {
  if (!IS_DENO || IS_COMPILED || !import.meta.url.endsWith(SOURCE)) return [];
  if (isGranted(...ALL)) {
    return ["Deno grants everything (-A); a search needs no more than least_privilege grants"];
  }
  const warnings: string[] = [];
  for (const [name, use] of Object.entries(USES)) {
    if (isGranted({ name } as Permission)) {
      warnings.push(`--allow-${name} is granted for everything; ${use}`);
    }
  }
  const [read, run, env] = least;
  if (isGranted({ name: "read" })) {
    if (read !== "--allow-read") {
      warnings.push(`--allow-read is granted for every path; ${read} is enough`);
    }
  } else if (roots.some((path) => isGranted({ name: "read", path: dirname(path) }))) {
    warnings.push(`--allow-read is granted for more than the workspace; ${read} is enough`);
  }
  if (isGranted({ name: "run" }) && run !== "--allow-run") {
    const enough = run === undefined ? "the engine js runs none" : `${run} is enough`;
    warnings.push(`--allow-run is granted for every program; ${enough}`);
  }
  if (env !== "--allow-env" && isGranted({ name: "env" })) {
    warnings.push(
      "--allow-env is granted for every variable; a search by itself reads PATH and TERM at most, to " +
        "find a program and to know a terminal (--allow-env=PATH,TERM)",
    );
  }
  return warnings;
}

/** A rule file that counts, or why it does not. */
interface RuleFile {
  path: string;
  /** Whether its rules are for ignoring, or for the guard. */
  kind: "ignore" | "guard";
  problem?: string;
}

const FILES = [...IGNORE_FILES, ...EXCLUSION_FILES];

/** @param roots canonical directories, from which rule files count */
function ruleFilesIn(directory: string, roots: readonly string[]): RuleFile[] {
  const exclusions = new Exclusions({ roots });
  const options = { allowedRoots: roots, exclusionRoots: roots, files: FILES };
  const isWithheld = (path: string) => exclusions.withholds(path);
  const reader = new RuleSourceReader(
    { ...options, ignore: true, ignoresTracked: true },
    isWithheld,
  );
  return rowsOf(directory, reader.read(directory, FILES).texts);
}

/** Those of the directories above roots. */
function ruleFilesAbove(above: readonly RulesAbove[]): RuleFile[] {
  const rows = above.flatMap(({ levels }) => levels)
    .flatMap(({ directory, texts }) => rowsOf(directory, texts));
  return [...new Map(rows.map((row) => [row.path, row])).values()];
}

function rowsOf(directory: string, texts: RuleTexts): RuleFile[] {
  return Object.entries(texts).flatMap(([name, text]) => {
    if (text === undefined) return [];
    const kind = EXCLUSION_FILES.includes(name) ? "guard" : "ignore";
    const bad = text === null
      ? "it is too large, is not text, or cannot be read"
      : typeof text === "string"
      ? undefined
      : problemIn(text.filter(({ pattern }) => pattern === ""), name);
    return [{ path: resolve(join(directory, name)), kind, ...(bad && { problem: bad }) }];
  });
}

function problemIn(unheeded: readonly { line: number }[], name: string): string | undefined {
  if (unheeded.length === 0) return undefined;
  return name.endsWith(".json")
    ? "it is not JSON"
    : `line ${unheeded[0]!.line} does not include a file of the workspace that is not blocked`;
}

/** The parts with a layout of their own; every other part is shown by its keys. */
interface ReportParts {
  versions: object;
  engines: Readonly<Record<string, EngineStatus>>;
  permissions: object;
}

/** Writes each part of a report on a line, or on indented lines of its own. */
function reportText(report: ReportParts): string {
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

export interface EngineStatus {
  available: boolean;
  /** The first line of `--version`. */
  version?: string;
  /** Absent where Deno does not let it be read. */
  path?: string;
  /** Where a search fetches it from, when it is not installed. */
  source?: "npm";
  needs: string;
  /** Why it is not available. */
  hint?: string;
}

/** Milliseconds that a program may take to print its version. */
const PROBE_MS = 5000;

/**
 * Looks for every engine as a search would, but fetches nothing, and runs a program only where that is
 * permitted already.
 *
 * @param roots canonical: no program in them is run
 */
async function probeEngines(
  roots: readonly string[],
): Promise<Record<string, EngineStatus>> {
  return {
    js: { available: true, needs: "--allow-read for the workspace" },
    rg: await probe(PROGRAMS.rg, roots),
    git: await probe(PROGRAMS.git, roots),
    grep: await probe(PROGRAMS.grep, roots),
  };
}

async function probe(program: FilterProgram, roots: readonly string[]): Promise<EngineStatus> {
  const { name, install, env } = program;
  const needs = `--allow-read for the workspace, --allow-run=${name} and --allow-env=PATH`;
  try {
    const command = await locateProgram({ name, install }, roots);
    const { code, stdout } = await runProgram(command, {
      args: ["--version"],
      env,
      maxOutput: 1 << 20,
      signal: AbortSignal.timeout(PROBE_MS),
    });
    const [version = ""] = new TextDecoder().decode(stdout).split("\n");
    if (code !== 0) {
      return { available: false, needs, hint: `${command} --version exited with status ${code}` };
    }
    return { available: true, version, ...(command === name ? {} : { path: command }), needs };
  } catch (error) {
    const mayFetch = error instanceof PathgrepError && program.fallback?.isPermitted() &&
      isGranted({ name: "run" });
    if (mayFetch) {
      return { available: true, source: "npm", needs: "--allow-env, --allow-read and --allow-run" };
    }
    const hint = error instanceof PathgrepError ? error.message : `cannot be run: ${install}`;
    return { available: false, needs, hint };
  }
}
