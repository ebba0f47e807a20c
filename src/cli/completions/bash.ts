/**
 * Completions for bash, from 3.2 on.
 *
 * @module
 */
import { type CompletedCommand, type CompletedOption, LEADING_OPTIONS } from "./completable.ts";

/** The script for these commands, of which the first is the default. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name);
  const attached = commands.flatMap(({ options }) => options)
    .filter(({ value }) => value?.isAttached).flatMap(spellingsOf);
  const operandCases = commands.filter(({ words }) => words.length > 0)
    .map(({ name, words }) => caseOf([`"2 ${name} "*`], words));
  return `# Completions of pathgrep for bash; in ~/.bashrc: eval "\$(pathgrep completions bash)"
_pathgrep() {
  local words='' command=${names[0]} current=\${COMP_WORDS[COMP_CWORD]}
  local previous=\${COMP_WORDS[COMP_CWORD-1]}
  # The = of --option=value is a word of its own.
  if [[ $current == = ]]; then
    current=''
  elif [[ $previous == = ]]; then
    previous=\${COMP_WORDS[COMP_CWORD-2]}
  elif [[ ' ${attached.join(" ")} ' == *" $previous "* ]]; then
    previous='' # its value would stand behind a =
  fi
  local at=1
  while [[ $at -lt $COMP_CWORD && ' ${
    LEADING_OPTIONS.join(" ")
  } ' == *" \${COMP_WORDS[at]} "* ]]; do
    [[ \${COMP_WORDS[at+1]} == = ]] && at=$((at+1))
    at=$((at+2))
  done
  if [[ $COMP_CWORD -gt $at ]]; then
    case \${COMP_WORDS[at]} in
      ${names.join("|")}) command=\${COMP_WORDS[at]} ;;
    esac
  fi
  case "$command $previous" in
${commands.flatMap(valueCases).join("\n")}
    *)
      case "$((COMP_CWORD-at+1)) $command $current" in
${commands.map(optionCase).join("\n")}
${caseOf(['"1 "*'], names)}
${operandCases.join("\n")}
      esac
      ;;
  esac
  # Any other word is a file name.
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o bashdefault -o default -F _pathgrep pathgrep
`;
}

function valueCases({ name, options }: CompletedCommand): string[] {
  return options.flatMap((option) => {
    if (option.value === undefined) return [];
    return [caseOf(spellingsOf(option).map((given) => `"${name} ${given}"`), option.value.words)];
  });
}

function optionCase({ name, options }: CompletedCommand): string {
  return caseOf([`*" ${name} -"*`], options.flatMap(spellingsOf));
}

function caseOf(patterns: readonly string[], words: readonly string[]): string {
  return `    ${patterns.join("|")}) words='${words.join(" ")}' ;;`;
}

function spellingsOf({ name, short }: CompletedOption): string[] {
  return short === undefined ? [`--${name}`] : [`-${short}`, `--${name}`];
}
