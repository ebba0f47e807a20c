/**
 * Runs many command lines, one after the other, in one process: it takes a tenth of the time of a
 * process for each.
 *
 * @module
 */

import { main } from "../../src/cli/main.ts";
import { spawn, type Spawned } from "./spawn.ts";

/** What is written after each command line, to both outputs. */
const END = "\x1e\n";

/**
 * What `pathgrep` does with each of these arguments. Standard input is not for them.
 *
 * @param cwd the working directory of all
 */
export async function runLines(lines: readonly string[][], cwd: string): Promise<Spawned[]> {
  const { stdout, stderr } = await spawn(
    Deno.execPath(),
    ["run", "-A", "--quiet", "--no-check", import.meta.filename!],
    { cwd, env: { NO_COLOR: "1" }, stdin: JSON.stringify(lines) },
  );
  const said = stderr.split(END);
  return stdout.split(END).slice(0, -1).map((output, index) => {
    const [, text, code] = /^(.*?)(\d+)$/s.exec(output)!;
    return { stdout: text!, stderr: said[index]!, code: Number(code) };
  });
}

/** The words of a command line as a shell reads them, quoted by `'` or not at all. */
export function wordsOf(line: string): string[] {
  const words = line.match(/(?:'[^']*'|[^\s'])+/g) ?? [];
  return words.map((word) => word.replaceAll("'", ""));
}

if (import.meta.main) {
  const lines: string[][] = await new Response(Deno.stdin.readable).json();
  for (const line of lines) {
    const code = await main(line);
    await Deno.stdout.write(new TextEncoder().encode(`${code}${END}`));
    await Deno.stderr.write(new TextEncoder().encode(END));
  }
}
