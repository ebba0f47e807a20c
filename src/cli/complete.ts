/**
 * Completes the last argument of a command line, for the scripts of `pathgrep completions`.
 *
 * @module
 */
import { COMMANDS } from "./commands/command_table.ts";
import { commandIndex, parseArguments } from "./options/argument_parser.ts";
import type { Option } from "./options/settings.ts";

/** How the last argument can be completed. */
interface Completion {
  /** Words with their meaning; of `--option=value`, only the value. */
  words: readonly (readonly [word: string, meaning?: string])[];
  /** Which paths complete it as well. @default none */
  paths?: "files" | "directories";
}

/** The lines that scripts read: which paths complete it, then each word, a tab and its meaning. */
export async function complete(words: readonly string[]): Promise<string> {
  const completion = await completionOf(rejoined(words));
  const lines = completion.words.map((word) => word.join("\t"));
  return [completion.paths ?? "", ...lines].join("\n") + "\n";
}

/** The arguments as they were typed: bash splits them at `=`. */
function rejoined(words: readonly string[]): string[] {
  const whole: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const isAttached = words[at] === "=" && whole.at(-1)?.startsWith("--");
    if (isAttached) whole.push(`${whole.pop()}=${words[++at] ?? ""}`);
    else whole.push(words[at]!);
  }
  return whole;
}

async function completionOf(words: readonly string[]): Promise<Completion> {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? "";
  const { command, operands } = await parseArguments(before);
  const listed = command.options.filter(({ unlisted }) => unlisted !== true)
    .flatMap(({ options }) => options);
  const [attached] = /^--[\w-]+(?==)/.exec(current) ?? [];
  const valued = listed.find((option) => spellings(option).includes(attached ?? before.at(-1)!));
  if (valued !== undefined && "value" in valued) {
    const { alone, name, choices = [] } = valued.value;
    if (attached !== undefined || alone === undefined) {
      if (name === "DIR") return { words: [], paths: "directories" };
      if (name === "FILE") return { words: [], paths: "files" };
      const values = valued.name.startsWith("type")
        ? (await import("../scan/file_types.ts")).typeNames()
        : choices;
      return { words: values.map((value) => [value]) };
    }
  }
  const paths = command.operands.includes("PATH") ? { paths: "files" as const } : {};
  if (before.includes("--")) return { words: [], ...paths };
  if (current.startsWith("-")) {
    // fish would match letters anywhere in an option.
    const named = listed.filter((option) => "help" in option).flatMap((option) =>
      spellings(option).filter((spelling) => spelling.startsWith(current))
        .map((spelling) => [spelling, option.help] as const)
    );
    return { words: named };
  }
  const isFirst = commandIndex(before) === before.length;
  if (isFirst) return { words: COMMANDS.map(({ name, summary }) => [name, summary]), ...paths };
  const choices = operands.length === 0 ? command.choices ?? [] : [];
  return { words: choices.map((choice) => [choice]), ...paths };
}

function spellings({ name, short }: Option): string[] {
  return short === undefined ? [`--${name}`] : [`-${short}`, `--${name}`];
}
