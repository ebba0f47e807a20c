/**
 * The programs that tests hold pathgrep against.
 *
 * @module
 */

/** The ripgrep that tests are written for, and where Deno finds it when PATH does not have it. */
const VERSION = "ripgrep 15.0.";
const NPM_RIPGREP = "npm:@vscode/ripgrep@1.18.0";

let found: Promise<string> | undefined;

/** The path of a ripgrep binary: the one on PATH if it is of that version, else the one from npm. */
export function rgPath(): Promise<string> {
  return found ??= findRg();
}

async function findRg(): Promise<string> {
  try {
    const { stdout } = await new Deno.Command("rg", { args: ["--version"] }).output();
    if (new TextDecoder().decode(stdout).startsWith(VERSION)) return "rg";
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const { rgPath } = await import(NPM_RIPGREP) as { rgPath: string };
  return rgPath;
}
