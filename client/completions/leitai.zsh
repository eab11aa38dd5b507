#compdef leitai
# Completion of leitai for zsh. Made by `dev.py manuals`.
_leitai() {
  local command="" at
  local -a offered options
  for ((at = 2; at < CURRENT; at++)); do
    if [[ " rounds level standings check submit seal open history bests watch token " == *" $words[at] "* ]]; then command=$words[at]; break; fi
  done
  case "$command" in
    "")
      offered=('rounds:list the rounds' 'level:print a level as XSB' 'standings:print a ranking' 'check:judge moves and enter nothing' 'submit:enter moves' 'seal:vouch for moves with a hash and keep them here until the close; needs a token' 'open:open what was sealed, within a day after the close' 'history:list what you have sent; needs a token' 'bests:list your best results; needs a token' 'watch:print what happens: rounds, accepted submissions, new leaders, results' 'token:put a token from standard input into the keyring')
      options=('--help:show this help message and exit' '--version:show program'\''s version number and exit' '--url:the site; default: http://127.0.0.1:8000') ;;
    "rounds")
      offered=()
      options=('--help:show this help message and exit' '--json:a JSON object a line, as the API has them') ;;
    "level")
      offered=()
      options=('--help:show this help message and exit' '--json:a JSON object a line, as the API has them') ;;
    "standings")
      offered=()
      options=('--help:show this help message and exit' '--json:a JSON object a line, as the API has them' '--by:default: moves' '--league:default: the one that the round ranks') ;;
    "check")
      offered=()
      options=('--help:show this help message and exit' '--json:a JSON object a line, as the API has them') ;;
    "submit")
      offered=()
      options=('--help:show this help message and exit' '--json:a JSON object a line, as the API has them' '--nickname:who you are, without a token' '--claim:the proof that came with the first receipt of your nickname' '--country:two letters, such as CN' '--email:where verdicts and results are written to' '--practice:on a round that is over') ;;
    "seal")
      offered=()
      options=('--help:show this help message and exit' '--json:a JSON object a line, as the API has them') ;;
    "open")
      offered=()
      options=('--help:show this help message and exit' '--json:a JSON object a line, as the API has them') ;;
    "history")
      offered=()
      options=('--help:show this help message and exit' '--json:a JSON object a line, as the API has them' '--round:only of this round' '--texts:with the texts (--json shows them)') ;;
    "bests")
      offered=()
      options=('--help:show this help message and exit' '--json:a JSON object a line, as the API has them') ;;
    "watch")
      offered=()
      options=('--help:show this help message and exit' '--json:a JSON object a line, as the API has them' '--after:begin behind this event; default: the newest') ;;
    "token")
      offered=()
      options=('--help:show this help message and exit' '--json:a JSON object a line, as the API has them') ;;
  esac
  case "$command $words[CURRENT-1]" in
    "standings --by") offered=('moves' 'pushes') options=() ;;
    "standings --league") offered=('human' 'bot' 'all') options=() ;;
  esac
  local found=1
  (($#offered)) && _describe value offered && found=0
  (($#options)) && _describe -o option options && found=0
  ((found)) || return 0
  _files
}
_leitai "$@"
