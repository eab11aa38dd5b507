# Completion of knights for bash. Made by `dev.py manuals`.
_knights() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command="" words="" at
  for ((at = 1; at < COMP_CWORD; at++)); do
    if [[ "  " == *" ${COMP_WORDS[at]} "* ]]; then command=${COMP_WORDS[at]}; break; fi
  done
  case "$command" in
    "") words="--help --version --path --leaper --json --jsonl --picture --greedy" ;;
  esac
  case "$command $before" in
    "") ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _knights knights
