/**
 * Completions for zsh.
 *
 * @module
 */
import { type CompletedCommand, type CompletedOption, LEADING_OPTIONS } from "./completable.ts";

/** The script for these commands, of which the first is the default. */
export function zshScript(commands: readonly CompletedCommand[]): string {
  const [search] = commands;
  const described = commands.map(({ name, summary }) =>
    zshQuoted(`${name}:${zshEscaped(summary)}`)
  );
  return `#compdef pathgrep
# Completions of pathgrep for zsh; at the end of ~/.zshrc: eval "\$(pathgrep completions zsh)"
_pathgrep_first() {
  local -a commands=(
    ${described.join("\n    ")}
  )
  _describe command commands
  _files
}
_pathgrep() {
  local curcontext=$curcontext state skipped
  while true; do
    case $words[2] in
      (${LEADING_OPTIONS.join("|")}) skipped=2 ;;
      (${LEADING_OPTIONS.map((option) => `${option}=*`).join("|")}) skipped=1 ;;
      (*) break ;;
    esac
    (( CURRENT > skipped + 1 )) || break
    words=("$words[1]" "\${(@)words[skipped+2,-1]}")
    (( CURRENT -= skipped ))
  done
  if (( CURRENT > 2 )); then
    case $words[2] in
${commands.map(commandCase).join("\n")}
    esac
  fi
  _arguments -s -S : ${specs(search!)} '1: :_pathgrep_first' '*:path:_files'
}
if [[ $funcstack[1] == _pathgrep ]]; then
  _pathgrep "$@"
else
  if (( ! $+functions[compdef] )); then
    autoload -Uz compinit
    compinit -i
  fi
  compdef _pathgrep pathgrep
fi
`;
}

/** A command that is named: its own name is left out of what is completed. */
function commandCase(command: CompletedCommand): string {
  const operands = command.words.length > 0
    ? ` '1:operand:(${command.words.join(" ")})'`
    : command.takesPaths
    ? " '*:path:_files'"
    : "";
  return `      ${command.name})
        shift words
        (( CURRENT-- ))
        _arguments -s -S : ${specs(command)}${operands}
        return
        ;;`;
}

/** A command's options as \`_arguments\` takes them; every option may be repeated. */
function specs({ options }: CompletedCommand): string {
  return options.flatMap(optionSpecs).map(zshQuoted).join(" ");
}

function optionSpecs({ name, short, help, value }: CompletedOption): string[] {
  const explained = `[${zshEscaped(help)}]`;
  const action = value === undefined
    ? ""
    : `${value.isAttached ? "::" : ":"}${value.name}:${
      value.isDirectory ? "_files -/" : value.words.length > 0 ? `(${value.words.join(" ")})` : " "
    }`;
  const equals = value === undefined ? "" : value.isAttached ? "=-" : "=";
  const long = `*--${name}${equals}${explained}${action}`;
  if (short === undefined) return [long];
  return [`*-${short}${value === undefined ? "" : "+"}${explained}${action}`, long];
}

/** Text without a meaning to \`_arguments\`. */
function zshEscaped(text: string): string {
  return text.replace(/[\\[\]:]/g, "\\$&");
}

function zshQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
