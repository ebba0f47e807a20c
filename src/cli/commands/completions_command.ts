/**
 * `pathgrep completions`: scripts that complete command lines. They ask the program, by
 * `pathgrep __complete WORD…`, what the last word can be.
 *
 * @module
 */
import { PathgrepError } from "../../util/errors.ts";
import type { RunCommand } from "../host.ts";

const BASH = `# Completions of pathgrep for bash; in ~/.bashrc: eval "$(pathgrep completions bash)"
_pathgrep() {
  local word help current=\${COMP_WORDS[COMP_CWORD]#=}
  COMPREPLY=()
  # Of --option=value, option, = and value are words of their own. Any other word is a file name.
  while IFS=$'\\t' read -r word help; do
    [[ $word == "$current"* ]] && COMPREPLY+=("$word")
  done < <(pathgrep __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | tail -n +2)
}
complete -o bashdefault -o default -F _pathgrep pathgrep
`;

const ZSH = `#compdef pathgrep
# Completions of pathgrep for zsh; at the end of ~/.zshrc: eval "$(pathgrep completions zsh)"
_pathgrep() {
  local -a found=("\${(@f)$(pathgrep __complete "\${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
  local paths=$found[1]
  found=("\${(@)\${(@)found[2,-1]//:/\\\\:}/$'\\t'/:}")
  [[ $PREFIX == --*=* ]] && compset -P '*='
  (( $#found )) && _describe word found
  case $paths in
    files) _files ;;
    directories) _files -/ ;;
  esac
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

const FISH =
  `# Completions of pathgrep for fish; in ~/.config/fish/config.fish: pathgrep completions fish | source
function __pathgrep_words
    set -l words (commandline -opc) (commandline -ct)
    set -l name (string match -r -- '^--[\\w-]+=' "$words[-1]")
    set -l found (pathgrep __complete $words[2..] 2>/dev/null)
    begin
        printf '%s\\n' $found[2..]
        switch "$found[1]"
            case files
                __fish_complete_path (string replace -- "$name" '' "$words[-1]")
            case directories
                __fish_complete_directories (string replace -- "$name" '' "$words[-1]") ''
        end
    end | string replace -r '^' -- "$name"
end
complete -c pathgrep -f -a '(__pathgrep_words)'
`;

const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH } as const;

export const run: RunCommand = (_settings, operands, host) => {
  const [shell = "", ...more] = operands;
  if (!Object.hasOwn(SCRIPTS, shell) || more.length > 0) {
    throw new PathgrepError(
      "invalid_input",
      `completions takes bash, zsh or fish, got ${operands.join(" ") || "nothing"}`,
      { hint: "`pathgrep completions --help` says where the script of each belongs" },
    );
  }
  host.stdout.write(SCRIPTS[shell as keyof typeof SCRIPTS]);
  return Promise.resolve(0);
};
