#compdef klotski
# Completion of klotski for zsh. Made by `dev.py manuals`.
_klotski() {
  local command="" at
  local -a offered options
  for ((at = 2; at < CURRENT; at++)); do
    if [[ " solve replay check names atlas draw chart records distributions " == *" $words[at] "* ]]; then command=$words[at]; break; fi
  done
  case "$command" in
    "")
      offered=('solve:find a shortest way, or say that there is none' 'replay:play written moves' 'check:read a layout and say what is known of it' 'names:list the layouts with names' 'atlas:write the dictionary, or the file of all distances to the exit' 'draw:draw a layout, or a film of a solution' 'chart:draw how many layouts are how far, one curve for each class' 'records:recompute the records of the published study' 'distributions:recompute how many layouts are how far: a minute')
      options=('--help:show this help message and exit' '--version:show program'\''s version number and exit') ;;
    "solve")
      offered=()
      options=('--help:show this help message and exit' '--goal:default: exit' '--to:another layout as the goal' '--strict:every piece must come to its own place' '--json:print one JSON object') ;;
    "replay")
      offered=()
      options=('--help:show this help message and exit' '--goal:default: exit' '--to:another layout as the goal' '--strict:every piece must come to its own place' '--json:print one JSON object') ;;
    "check")
      offered=()
      options=('--help:show this help message and exit' '--json:print one JSON object') ;;
    "names")
      offered=()
      options=('--help:show this help message and exit') ;;
    "atlas")
      offered=()
      options=('--help:show this help message and exit' '--export:compute exit.bin: two bits for each layout') ;;
    "draw")
      offered=()
      options=('--help:show this help message and exit' '--goal:default: exit' '--to:another layout as the goal' '--strict:every piece must come to its own place' '--moves:play these moves; a .gif shows them all, else the last' '--output:ends in .svg, .png or .gif; - writes SVG' '--title:a line above the layout' '--font:a font with the letters of the title and the names' '--names:write the names of the pieces' '--theme:default: light' '--cell:side of a square; default: 48' '--delay:between pictures; default: 400') ;;
    "chart")
      offered=('classic' 'mirror' 'upside-down' 'rotated' 'eccentricity')
      options=('--help:show this help message and exit' '--horizontals:only this class' '--chinese:words in Chinese' '--output:an .svg file; else standard output') ;;
    "records")
      offered=()
      options=('--help:show this help message and exit' '--strict:also those of named pieces: half a minute' '--json:print one JSON object' '--layouts:also write the layouts that hold the records') ;;
    "distributions")
      offered=()
      options=('--help:show this help message and exit' '--output:default: standard output') ;;
  esac
  case "$command $words[CURRENT-1]" in
    "solve --goal") offered=('exit' 'mirror' 'upside-down' 'rotated') options=() ;;
    "replay --goal") offered=('exit' 'mirror' 'upside-down' 'rotated') options=() ;;
    "draw --goal") offered=('exit' 'mirror' 'upside-down' 'rotated') options=() ;;
    "draw --theme") offered=('light' 'dark' 'print') options=() ;;
    "chart --horizontals") offered=('0' '1' '2' '3' '4' '5') options=() ;;
  esac
  local found=1
  (($#offered)) && _describe value offered && found=0
  (($#options)) && _describe -o option options && found=0
  ((found)) || return 0
  _files
}
_klotski "$@"
