/**
 * Completions for fish.
 *
 * @module
 */
import type { CompletedCommand, CompletedOption } from "./completable.ts";

/** The script for these commands, of which the first is the default. */
export function fishScript(commands: readonly CompletedCommand[]): string {
  const [search] = commands;
  const names = commands.map(({ name }) => name).join(" ");
  return `# Completions of pathgrep for fish; in ~/.config/fish/config.fish: pathgrep completions fish | source
function __pathgrep_command
    set -l words (commandline -opc)
    if test (count $words) -gt 1; and contains -- $words[2] ${names}
        echo $words[2]
    else
        echo ${search!.name}
    end
end
${commands.map(nameLine).join("\n")}
${commands.flatMap(commandLines).join("\n")}
`;
}

function nameLine({ name, summary }: CompletedCommand): string {
  const isFirst = fishQuoted("test (count (commandline -opc)) -eq 1");
  return `complete -c pathgrep -n ${isFirst} -a ${name} -d ${fishQuoted(summary)}`;
}

function commandLines(command: CompletedCommand): string[] {
  const isCommand = fishQuoted(`test (__pathgrep_command) = ${command.name}`);
  const complete = `complete -c pathgrep -n ${isCommand}`;
  const lines = command.options.map((option) => `${complete} ${flags(option)}`);
  if (command.words.length > 0) lines.push(`${complete} -a ${fishQuoted(command.words.join(" "))}`);
  return command.takesPaths ? lines : [...lines, `${complete} -f`];
}

function flags({ name, short, help, value }: CompletedOption): string {
  const names = short === undefined ? `-l ${name}` : `-s ${short} -l ${name}`;
  const words = value === undefined
    ? ""
    : value.isDirectory
    ? " -x -a '(__fish_complete_directories)'"
    : value.words.length > 0
    ? ` -x -a ${fishQuoted(value.words.join(" "))}`
    : " -x";
  return `${names}${words} -d ${fishQuoted(help)}`;
}

/** Text as fish takes it between single quotes. */
function fishQuoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
