# Completion of klotski for bash. Made by `dev.py manuals`.
_klotski() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command="" words="" at
  for ((at = 1; at < COMP_CWORD; at++)); do
    if [[ " solve replay check names atlas draw chart records distributions " == *" ${COMP_WORDS[at]} "* ]]; then command=${COMP_WORDS[at]}; break; fi
  done
  case "$command" in
    "") words="solve replay check names atlas draw chart records distributions --help --version" ;;
    "solve") words="--help --goal --to --strict --json" ;;
    "replay") words="--help --goal --to --strict --json" ;;
    "check") words="--help --json" ;;
    "names") words="--help" ;;
    "atlas") words="--help --export" ;;
    "draw") words="--help --goal --to --strict --moves --output --title --font --names --theme --cell --delay" ;;
    "chart") words="classic mirror upside-down rotated eccentricity --help --horizontals --chinese --output" ;;
    "records") words="--help --strict --json --layouts" ;;
    "distributions") words="--help --output" ;;
  esac
  case "$command $before" in
    "solve --goal") words="exit mirror upside-down rotated" ;;
    "replay --goal") words="exit mirror upside-down rotated" ;;
    "draw --goal") words="exit mirror upside-down rotated" ;;
    "draw --theme") words="light dark print" ;;
    "chart --horizontals") words="0 1 2 3 4 5" ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _klotski klotski
