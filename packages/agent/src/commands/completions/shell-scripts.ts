/**
 * The scripts that shells load. They hold no list of their own: for each completion they ask pi itself, so that what
 * is offered is what this pi has. A line of the answer is a value, a tab and a description; `:files` leaves the rest to the shell.
 */

const BASH = `# bash completion for pi. In ~/.bashrc: eval "$(pi completions bash)"
_pi_completions() {
  local program=pi
  [[ $1 == */* ]] && program="\${1/#\\~\\//$HOME/}"
  # bash splits words at : and = (COMP_WORDBREAKS); what stands together on the line is one word.
  local rest="\${COMP_LINE:0:COMP_POINT}" part space index
  local words=() word=""
  for ((index = 0; index <= COMP_CWORD; index++)); do
    part="\${COMP_WORDS[index]}"
    space="\${rest%%[! $'\\t']*}"
    rest="\${rest#"$space"}"
    if ((index == COMP_CWORD)); then part="$rest"; fi
    if ((index > 0)) && [[ -n $space || -z $part ]]; then
      words+=("$word")
      word=""
    fi
    word+="$part"
    rest="\${rest#"$part"}"
  done
  COMPREPLY=()
  local value files="" quote=""
  case "$word" in
    \\'*) quote="'" ;;
    \\"*) quote='"' ;;
  esac
  # Only what follows the last break is replaced.
  local breaks="\${word//[!:=]/}"
  while IFS=$'\\t' read -r value _; do
    if [[ $value == :files ]]; then
      files=yes
      continue
    fi
    case "$quote" in
      "'") value="\${value//\\'/\\'\\\\\\'\\'}" ;;
      '"') value="\${value//\\\\/\\\\\\\\}"; value="\${value//\\"/\\\\\\"}"; value="\${value//\\$/\\\\\\$}" ;;
      *)
        for ((index = 0; index < \${#breaks}; index++)); do value="\${value#*[:=]}"; done
        printf -v value '%q' "$value"
        ;;
    esac
    # Readline takes a last character that is the open quote for its end.
    if [[ -n $quote && $value == *"$quote" ]]; then value+="$quote"; fi
    COMPREPLY+=("$value")
  done < <("$program" completions typed -- "\${words[@]:1}" "$word" 2>/dev/null)
  # Without names of files an empty answer is an answer.
  if [[ -z $files ]] && type compopt &>/dev/null; then compopt +o default +o bashdefault 2>/dev/null; fi
}
complete -o bashdefault -o default -F _pi_completions pi
`;

const ZSH = `#compdef pi
# zsh completion for pi. In ~/.zshrc, after compinit: eval "$(pi completions zsh)"
_pi() {
  local line value files
  local -a values shown
  for line in "\${(@f)$("\${(Q)words[1]}" completions candidates -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}"; do
    value="\${line%%$'\\t'*}"
    if [[ -z $value ]]; then
      continue
    elif [[ $value == :files ]]; then
      files=yes
    else
      values+=("$value")
      if [[ $line == *$'\\t'?* ]]; then shown+=("$value  -- \${line#*$'\\t'}"); else shown+=("$value"); fi
    fi
  done
  if (( $#values )); then compadd -l -d shown -a values; fi
  if [[ -n $files ]]; then
    compset -P '--*='
    _files
  fi
}
if [[ $funcstack[1] == _pi ]]; then _pi "$@"; else compdef _pi pi; fi
`;

const FISH = `# fish completion for pi. Into ~/.config/fish/completions/pi.fish: pi completions fish
function __pi_candidates
  set -l tokens (commandline -opc)
  set -l current (commandline -ct)
  for line in (command pi completions typed -- $tokens[2..-1] $current 2>/dev/null)
    if test "$line" = :files
      __fish_complete_path (string replace -r -- '^--[^=]*=' '' $current)
    else
      printf '%s\\n' $line
    end
  end
end
complete -c pi -f -a '(__pi_candidates)'
`;

/** The shells that there is a script for. */
export const SHELL_SCRIPTS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
