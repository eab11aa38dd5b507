"""`draw`: draw a level, a position of a replay, or the whole of it."""

import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

from solvers.sokoban.commands.meter import Meter
from solvers.sokoban.commands.reading import (
    SUCCESS,
    Unusable,
    Verbs,
    add_level_argument,
    add_moves_options,
    last_position,
    read_level,
    read_moves,
    write_output,
)
from solvers.sokoban.drawing import pictures
from solvers.sokoban.drawing.draw import svg
from solvers.sokoban.drawing.fonts import undrawable
from solvers.sokoban.drawing.sprites import THEMES
from solvers.sokoban.level import Level
from solvers.sokoban.moves import Moves


def add(verbs: "Verbs[Any]") -> None:
    """Add the command to the command line."""
    command = verbs.add_parser("draw", help="draw a level, a position of a replay, or the whole of it")
    add_level_argument(command)
    add_moves_options(command)
    command.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="ends in .svg, .png, .gif or .apng; - writes SVG"
    )
    command.add_argument("--step", type=int, metavar="N", help="the position after N moves (.svg, .png); else the last")
    command.add_argument("--title", default="", help="a line above the level")
    command.add_argument("--font", metavar="FILE", help="a font with the letters of the title")
    command.add_argument("--ruler", action="store_true", help="names of rows and columns")
    command.add_argument("--theme", choices=list(THEMES), default="light", help="default: %(default)s")
    command.add_argument(
        "--cell", type=int, default=24, metavar="PIXELS", help="side of a square; default: %(default)s"
    )
    command.add_argument(
        "--delay", type=int, default=100, metavar="MILLISECONDS", help="between pictures; default: %(default)s"
    )
    command.set_defaults(command=draw)


def draw(options: Namespace) -> int:
    """Draw a level, a position or an animation into a file."""
    kind = ".svg" if options.output == "-" else Path(options.output).suffix.lower()
    if kind not in _DRAWERS:
        raise Unusable(f"A picture ends in {', '.join(_DRAWERS)}; {options.output} does not.")
    if not 1 <= options.cell <= 200:
        raise Unusable("A cell has 1 to 200 pixels.")
    board = read_level(options)
    has_moves = options.moves is not None or options.moves_file is not None
    moves = read_moves(options) if has_moves else ""
    font = Path(options.font) if options.font else None
    style = pictures.Style(options.cell, options.title, options.ruler, THEMES[options.theme], font)
    if kind != ".svg":
        warn_undrawable(options.title, font)
    write_output(_DRAWERS[kind](board, moves, style, options), options.output)
    return SUCCESS


def warn_undrawable(title: str, font: Path | None) -> None:
    """Report on standard error the letters that no font can draw."""
    if letters := undrawable(title, path=font):
        package = "one that can may be in the package fonts-noto-cjk or fonts-noto-core"
        note = f"No font here can draw {letters[:20]!r}; {package}. The picture is drawn without."
        print(note, file=sys.stderr)


def _draw_svg(level: Level, moves: str, style: pictures.Style, options: Namespace) -> bytes:
    position = last_position(level, moves, options.step) if moves else None
    picture = svg(level, title=style.title, position=position, ruler=style.ruler, theme=style.theme, cell=style.cell)
    return f"{picture}\n".encode()


def _draw_png(level: Level, moves: str, style: pictures.Style, options: Namespace) -> bytes:
    return pictures.png(level, style, position=last_position(level, moves, options.step) if moves else None)


def _animation_drawer(draw: Callable[..., bytes]) -> Callable[[Level, str, pictures.Style, Namespace], bytes]:
    def draw_moves(level: Level, moves: str, style: pictures.Style, options: Namespace) -> bytes:
        meter = Meter("frames")
        try:
            return draw(level, Moves.parse(moves), style, delay=min(options.delay, 60_000), progress=meter.show)
        finally:
            meter.end()

    return draw_moves


_DRAWERS: dict[str, Callable[[Level, str, pictures.Style, Namespace], bytes]] = {
    ".svg": _draw_svg,
    ".png": _draw_png,
    ".gif": _animation_drawer(pictures.gif),
    ".apng": _animation_drawer(pictures.apng),
}
