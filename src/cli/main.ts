/**
 * The command line from its arguments to its exit status.
 *
 * @module
 */
import { PathgrepError } from "../util/errors.ts";
import { COMMANDS } from "./commands/command_table.ts";
import { stdout } from "./output.ts";
import { parseArguments, type ParsedArguments } from "./options/argument_parser.ts";
import { renderError } from "./render_error.ts";
import type { Format } from "./settings.ts";

/** The exit status of an error; 1 is "no match". */
const FAILED = 2;

/**
 * Runs one command line. Nothing is thrown: what goes wrong is answered in the format asked for.
 *
 * @param args the arguments after the program's name
 * @returns the exit status: 0 matches found or the work done, 1 no match, 2 error
 */
export async function main(args: readonly string[]): Promise<number> {
  let format: Format = "json";
  const fail = (thrown: unknown) => renderError(PathgrepError.from(thrown), format);
  // What nobody awaits must not end the program with Deno's status, 1.
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    fail(event.reason);
    Deno.exit(FAILED);
  });
  globalThis.addEventListener("error", (event) => {
    event.preventDefault();
    fail(event.error);
    Deno.exit(FAILED);
  });
  try {
    const parsed = await parseArguments(args);
    format = parsed.settings.format;
    return await run(parsed);
  } catch (thrown) {
    fail(thrown);
    return FAILED;
  }
}

async function run({ command, settings, operands, error }: ParsedArguments): Promise<number> {
  if (settings.help) {
    const { helpText } = await import("./help.ts");
    stdout.write(helpText(command));
    return 0;
  }
  if (settings.version) {
    const { default: manifest } = await import("../../deno.json", { with: { type: "json" } });
    stdout.write(`pathgrep ${manifest.version}\n`);
    return 0;
  }
  if (error !== undefined) throw error;
  if (settings.typeList) {
    const { typeList } = await import("../walk/file_types.ts");
    stdout.write(typeList());
    return 0;
  }
  const { run } = await command.load();
  return await run(settings, operands, COMMANDS);
}
