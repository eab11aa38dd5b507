# Completion of leitai for bash. Made by `dev.py manuals`.
_leitai() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command="" words="" at
  for ((at = 1; at < COMP_CWORD; at++)); do
    if [[ " rounds level standings check submit seal open history bests watch token " == *" ${COMP_WORDS[at]} "* ]]; then command=${COMP_WORDS[at]}; break; fi
  done
  case "$command" in
    "") words="rounds level standings check submit seal open history bests watch token --help --version --url" ;;
    "rounds") words="--help --json" ;;
    "level") words="--help --json" ;;
    "standings") words="--help --json --by --league" ;;
    "check") words="--help --json" ;;
    "submit") words="--help --json --nickname --claim --country --email --practice" ;;
    "seal") words="--help --json" ;;
    "open") words="--help --json" ;;
    "history") words="--help --json --round --texts" ;;
    "bests") words="--help --json" ;;
    "watch") words="--help --json --after" ;;
    "token") words="--help --json" ;;
  esac
  case "$command $before" in
    "standings --by") words="moves pushes" ;;
    "standings --league") words="human bot all" ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _leitai leitai
