#compdef knights
# Completion of knights for zsh. Made by `dev.py manuals`.
_knights() {
  local command="" at
  local -a offered options
  for ((at = 2; at < CURRENT; at++)); do
    if [[ "  " == *" $words[at] "* ]]; then command=$words[at]; break; fi
  done
  case "$command" in
    "")
      offered=()
      options=('--help:show this help message and exit' '--version:show program'\''s version number and exit' '--path:say every square of the path' '--leaper:another leaper than the knight 1,2; by search' '--json:answer by a JSON object' '--jsonl:read a question on each line of standard input' '--picture:draw the three cases as SVG' '--greedy:measure the greedy method from ROW,COLUMN to everywhere') ;;
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
_knights "$@"
