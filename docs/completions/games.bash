# Completion of games for bash. Made by `dev.py manuals`.
_games() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command="" words="" at
  for ((at = 1; at < COMP_CWORD; at++)); do
    if [[ "  " == *" ${COMP_WORDS[at]} "* ]]; then command=${COMP_WORDS[at]}; break; fi
  done
  case "$command" in
    "") words="nim chomp notakto kayles dawsons_chess octal subtraction wythoff --help --version --misere --code --set --period --json --jsonl" ;;
  esac
  case "$command $before" in
    "") ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _games games
