/**
 * Which engines can be used here, and what the others need.
 *
 * @module
 */

/** Whether one engine can be used. */
export interface EngineStatus {
  available: boolean;
  /** What was found, as it calls itself. */
  version?: string;
  /** How to get it, when it is not available. */
  hint?: string;
}

/** The programs that can search, besides pathgrep itself, and how to get them. */
const PROGRAMS = {
  rg: "install ripgrep, for example with `apt install ripgrep` or `brew install ripgrep`",
  git: "install git, for example with `apt install git` or `brew install git`",
  grep: "install GNU grep, for example with `apt install grep` or `brew install grep`",
} as const;

/** Looks for every engine; a program is only run where that is permitted already. */
export async function probeEngines(): Promise<Record<string, EngineStatus>> {
  const engines: Record<string, EngineStatus> = { js: { available: true } };
  for (const [name, install] of Object.entries(PROGRAMS)) {
    engines[name] = await probeProgram(name, install);
  }
  return engines;
}

async function probeProgram(name: string, install: string): Promise<EngineStatus> {
  const permission = Deno.permissions.querySync({ name: "run", command: name });
  if (permission.state !== "granted") {
    return { available: false, hint: `not permitted: start Deno with --allow-run=${name}` };
  }
  try {
    const { success, stdout } = await new Deno.Command(name, {
      args: ["--version"],
      stdin: "null",
      stderr: "null",
    }).output();
    const [version = ""] = new TextDecoder().decode(stdout).split("\n");
    if (success) return { available: true, version };
  } catch {
    // It is not there, or cannot be run: the hint is the same.
  }
  return { available: false, hint: `not found: ${install}` };
}
