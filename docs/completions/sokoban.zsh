#compdef sokoban
# Completion of sokoban for zsh. Made by `dev.py manuals`.
_sokoban() {
  local command="" at
  local -a offered options
  for ((at = 2; at < CURRENT; at++)); do
    if [[ " replay levels check convert paths rebuild series draw solve prove optimize warm find " == *" $words[at] "* ]]; then command=$words[at]; break; fi
  done
  case "$command" in
    "")
      offered=('replay:play moves on a level and say what comes of it' 'levels:list the levels of files' 'check:say what is wrong with levels and with the solutions under them' 'convert:write levels in another format' 'paths:find a walk, or the way to push a box; squares are named as in D4' 'rebuild:rebuild a level from a solution whose capitals are the pushes' 'series:make a level with an exponentially long solution' 'draw:draw a level, a position of a replay, or the whole of it' 'solve:find a solution of each level' 'prove:find the solution with the fewest pushes or moves of each level, or prove that there is none' 'optimize:better the solutions of levels' 'warm:compile the searches, once on a machine: a minute that no question waits' 'find:find levels whose solutions are long, and write them as a collection')
      options=('--help:show this help message and exit' '--version:show program'\''s version number and exit') ;;
    "replay")
      offered=()
      options=('--help:show this help message and exit' '--number:take level N of the file' '--moves:the moves themselves' '--reader:how the moves are read; default: rle' '--json:answer in JSON' '--jsonl:many at once: lines {"xsb": ..., "lurd": ...} of a file or standard input') ;;
    "levels")
      offered=()
      options=('--help:show this help message and exit' '--jsonl:a JSON object for each level' '--json:a JSON object for each level') ;;
    "check")
      offered=()
      options=('--help:show this help message and exit' '--contest:ask for all that a contest asks of a level' '--json:a JSON object for each level') ;;
    "convert")
      offered=()
      options=('--help:show this help message and exit' '--to:default: xsb' '--from:a level on each line' '--output:default: standard output') ;;
    "paths")
      offered=()
      options=('--help:show this help message and exit' '--number:take level N of the file' '--moves:play these first' '--walk:walk there' '--box:push the box that stands here' '--to:where to push it; else all squares it can get to are named' '--fewest:default: pushes' '--json:answer in JSON') ;;
    "rebuild")
      offered=()
      options=('--help:show this help message and exit' '--moves:the moves themselves' '--json:answer in JSON') ;;
    "series")
      offered=('ladder' 'rooms')
      options=('--help:show this help message and exit' '--json:answer in JSON') ;;
    "draw")
      offered=()
      options=('--help:show this help message and exit' '--number:take level N of the file' '--moves:the moves themselves' '--output:ends in .svg, .png, .gif or .apng; - writes SVG' '--step:the position after N moves (.svg, .png); else the last' '--title:a line above the level' '--font:a font with the letters of the title' '--ruler:names of rows and columns' '--theme:default: light' '--cell:side of a square; default: 24' '--delay:between pictures; default: 100') ;;
    "solve")
      offered=()
      options=('--help:show this help message and exit' '--number:take level N of the file' '--cpu-seconds:a level; 20 else' '--nodes:states a level; any number if you say nothing' '--megabytes:of tables a level; 1024 else' '--aim:what counts; any if you say nothing' '--jobs:work on so many levels at once' '--jsonl:a JSON object for each level' '--json:a JSON object for each level') ;;
    "prove")
      offered=()
      options=('--help:show this help message and exit' '--number:take level N of the file' '--cpu-seconds:a level; 60 else' '--nodes:states a level; any number if you say nothing' '--megabytes:of tables a level; 1024 else' '--aim:what counts; pushes if you say nothing' '--jobs:work on so many levels at once' '--jsonl:a JSON object for each level' '--json:a JSON object for each level') ;;
    "optimize")
      offered=()
      options=('--help:show this help message and exit' '--number:take level N of the file' '--moves:the moves; else those under the levels are taken' '--cpu-seconds:a level; 1 else' '--nodes:states a level; any number if you say nothing' '--megabytes:of tables a level; 1024 else' '--aim:what counts; pushes if you say nothing' '--jobs:work on so many levels at once' '--jsonl:a JSON object for each level' '--json:a JSON object for each level') ;;
    "warm")
      offered=()
      options=('--help:show this help message and exit') ;;
    "find")
      offered=()
      options=('--help:show this help message and exit' '--number:take level N of the file' '--boxes:3 if you say nothing' '--width:of a room made, inside; 7 else' '--height:of a room made, inside; 6 else' '--most:what is looked for' '--boards:boards to try; 200 else' '--levels:levels to keep; 10 else' '--seed:the same seed finds the same levels' '--output:where to write them; else standard output') ;;
  esac
  case "$command $words[CURRENT-1]" in
    "replay --reader") offered=('strict' 'rle' 'lenient' 'legacy') options=() ;;
    "convert --to") offered=('compact' 'letslogic' 'line' 'mf8' 'rle' 'sok' 'soko' 'sokoplayer' 'xsb') options=() ;;
    "convert --from") offered=('compact' 'letslogic' 'sokoplayer') options=() ;;
    "paths --fewest") offered=('pushes' 'moves') options=() ;;
    "draw --theme") offered=('light' 'dark' 'print') options=() ;;
    "solve --aim") offered=('any' 'pushes' 'moves') options=() ;;
    "prove --aim") offered=('pushes' 'moves') options=() ;;
    "optimize --aim") offered=('pushes' 'moves') options=() ;;
    "find --most") offered=('pushes' 'moves' 'changes') options=() ;;
  esac
  local found=1
  (($#offered)) && _describe value offered && found=0
  (($#options)) && _describe -o option options && found=0
  ((found)) || return 0
  _files
}
_sokoban "$@"
