# Completion of sokoban for bash. Made by `dev.py manuals`.
_sokoban() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command="" words="" at
  for ((at = 1; at < COMP_CWORD; at++)); do
    if [[ " replay levels check convert paths rebuild series draw solve prove optimize warm find " == *" ${COMP_WORDS[at]} "* ]]; then command=${COMP_WORDS[at]}; break; fi
  done
  case "$command" in
    "") words="replay levels check convert paths rebuild series draw solve prove optimize warm find --help --version" ;;
    "replay") words="--help --number --moves --reader --json --jsonl" ;;
    "levels") words="--help --jsonl --json" ;;
    "check") words="--help --contest --json" ;;
    "convert") words="--help --to --from --output" ;;
    "paths") words="--help --number --moves --walk --box --to --fewest --json" ;;
    "rebuild") words="--help --moves --json" ;;
    "series") words="ladder rooms --help --json" ;;
    "draw") words="--help --number --moves --output --step --title --font --ruler --theme --cell --delay" ;;
    "solve") words="--help --number --cpu-seconds --nodes --megabytes --aim --jobs --jsonl --json" ;;
    "prove") words="--help --number --cpu-seconds --nodes --megabytes --aim --jobs --jsonl --json" ;;
    "optimize") words="--help --number --moves --cpu-seconds --nodes --megabytes --aim --jobs --jsonl --json" ;;
    "warm") words="--help" ;;
    "find") words="--help --number --boxes --width --height --most --boards --levels --seed --output" ;;
  esac
  case "$command $before" in
    "replay --reader") words="strict rle lenient legacy" ;;
    "convert --to") words="compact letslogic line mf8 rle sok soko sokoplayer xsb" ;;
    "convert --from") words="compact letslogic sokoplayer" ;;
    "paths --fewest") words="pushes moves" ;;
    "draw --theme") words="light dark print" ;;
    "solve --aim") words="any pushes moves" ;;
    "prove --aim") words="pushes moves" ;;
    "optimize --aim") words="pushes moves" ;;
    "find --most") words="pushes moves changes" ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _sokoban sokoban
