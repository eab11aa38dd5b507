#compdef games
# Completion of games for zsh. Made by `dev.py manuals`.
_games() {
  local command="" at
  local -a offered options
  for ((at = 2; at < CURRENT; at++)); do
    if [[ "  " == *" $words[at] "* ]]; then command=$words[at]; break; fi
  done
  case "$command" in
    "")
      offered=('nim' 'chomp' 'notakto' 'kayles' 'dawsons_chess' 'octal' 'subtraction' 'wythoff')
      options=('--help:show this help message and exit' '--version:show program'\''s version number and exit' '--misere:who makes the last move loses' '--code:of an octal game' '--set:what may be taken in a subtraction game' '--period:search the period of the Grundy values' '--json:answer by a JSON object' '--jsonl:read a question on each line of standard input') ;;
  esac
  case "$command $words[CURRENT-1]" in
    "") ;;
  esac
  local found=1
  (($#offered)) && _describe value offered && found=0
  (($#options)) && _describe -o option options && found=0
  ((found)) || return 0
  _files
}
_games "$@"
