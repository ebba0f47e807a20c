/**
 * Completions for fish.
 *
 * @module
 */
import { type CompletedCommand, type CompletedOption, LEADING_OPTIONS } from "./completable.ts";

/** The script for these commands, of which the first is the default. */
export function fishScript(commands: readonly CompletedCommand[]): string {
  const [search] = commands;
  const names = commands.map(({ name }) => name).join(" ");
  return `# Completions of pathgrep for fish; in ~/.config/fish/config.fish: pathgrep completions fish | source
function __pathgrep_words
    set -l words (commandline -opc)
    set -e words[1]
    while set -q words[1]
        switch $words[1]
            case ${LEADING_OPTIONS.join(" ")}
                set -e words[1]
                set -q words[1]; and set -e words[1]
            case ${LEADING_OPTIONS.map((option) => `'${option}=*'`).join(" ")}
                set -e words[1]
            case '*'
                break
        end
    end
    set -q words[1]; and printf '%s\\n' $words
end
function __pathgrep_command
    set -l words (__pathgrep_words)
    if set -q words[1]; and contains -- $words[1] ${names}
        echo $words[1]
    else
        echo ${search!.name}
    end
end
${commands.map(nameLine).join("\n")}
${commands.flatMap(linesOfCommand).join("\n")}
`;
}

function nameLine({ name, summary }: CompletedCommand): string {
  const isFirst = fishQuoted("test (count (__pathgrep_words)) -eq 0");
  return `complete -c pathgrep -n ${isFirst} -a ${name} -d ${fishQuoted(summary)}`;
}

function linesOfCommand(command: CompletedCommand): string[] {
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
    ? ` ${value.isAttached ? "-f" : "-x"} -a ${fishQuoted(value.words.join(" "))}`
    : " -x";
  return `${names}${words} -d ${fishQuoted(help)}`;
}

/** Text as fish takes it between single quotes. */
function fishQuoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
