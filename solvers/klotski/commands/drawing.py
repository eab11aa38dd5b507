"""`draw` and `chart`: pictures of layouts and solutions, and distance charts."""

from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from typing import Any

from solvers.klotski import pictures
from solvers.klotski.commands.reading import add_goal_options, add_layout_argument, read_question
from solvers.klotski.draw import THEMES, svg
from solvers.klotski.goals import Question
from solvers.klotski.layout import Layout
from solvers.klotski.people import LANGUAGES
from solvers.klotski.records.charts import CHINESE, ENGLISH, chart
from solvers.klotski.records.distributions import Measure
from solvers.klotski.replay import replay
from solvers.sokoban.commands.drawing import warn_undrawable
from solvers.sokoban.commands.meter import Meter
from solvers.sokoban.commands.reading import SUCCESS, Unusable, Verbs, write_output


def add(verbs: "Verbs[Any]") -> None:
    """Add both commands to the command line."""
    drawing = verbs.add_parser("draw", help="draw a layout, or a film of a solution")
    add_layout_argument(drawing)
    add_goal_options(drawing)
    drawing.add_argument(
        "-m", "--moves", metavar="MOVES", help="play these moves; a .gif shows them all, else the last"
    )
    drawing.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="ends in .svg, .png or .gif; - writes SVG"
    )
    drawing.add_argument("--title", default="", help="a line above the layout")
    drawing.add_argument("--font", metavar="FILE", help="a font with the letters of the title and the names")
    drawing.add_argument(
        "--names", nargs="?", const="zh", default="", choices=LANGUAGES, help="write the names of the pieces"
    )
    drawing.add_argument("--theme", choices=list(THEMES), default="light", help="default: %(default)s")
    drawing.add_argument(
        "--cell", type=int, default=48, metavar="PIXELS", help="side of a square; default: %(default)s"
    )
    drawing.add_argument(
        "--delay", type=int, default=400, metavar="MILLISECONDS", help="between pictures; default: %(default)s"
    )
    drawing.set_defaults(command=draw)
    charting = verbs.add_parser("chart", help="draw how many layouts are how far, one curve for each class")
    charting.add_argument("measure", choices=[measure.value for measure in Measure], help="what is counted")
    charting.add_argument("--horizontals", type=int, choices=range(6), metavar="0-5", help="only this class")
    charting.add_argument("--chinese", action="store_true", help="words in Chinese")
    charting.add_argument("-o", "--output", metavar="FILE", help="an .svg file; else standard output")
    charting.set_defaults(command=draw_chart)


def draw(options: Namespace) -> int:
    """Draw a layout or an animation into a file."""
    kind = ".svg" if options.output == "-" else Path(options.output).suffix.lower()
    if kind not in (".svg", ".png", ".gif"):
        raise Unusable(f"A picture ends in .svg, .png or .gif; {options.output} does not.")
    if not 1 <= options.cell <= 200:
        raise Unusable("A cell has 1 to 200 pixels.")
    question = read_question(options)
    layouts = _layouts_to_draw(question, options.moves)
    font = Path(options.font) if options.font else None
    names = {"names": options.names, "is_numbered": question.is_strict}
    style = pictures.Style(options.cell, options.title, theme=THEMES[options.theme], font=font, **names)
    if kind == ".svg":
        drawn = svg(layouts[-1], title=style.title, theme=style.theme, cell=style.cell, **names)
        write_output(f"{drawn}\n", options.output)
        return SUCCESS
    warn_undrawable(options.title, font)
    if kind == ".png":
        write_output(pictures.png(layouts[-1], style), options.output)
    else:
        meter = Meter("frames")
        write_output(
            pictures.gif(layouts, style, delay=min(options.delay, 60_000), progress=meter.show), options.output
        )
        meter.end()
    return SUCCESS


def _layouts_to_draw(question: Question, moves: str | None) -> tuple[Layout, ...]:
    named = replace(question, start=question.start.with_names())  # the pieces keep their names in all pictures
    return replay(named, moves).layouts if moves is not None else (named.start,)


def draw_chart(options: Namespace) -> int:
    """Draw the chart of a measure."""
    measure = Measure(options.measure)
    classes = range(6) if options.horizontals is None else [options.horizontals]
    texts = (CHINESE if options.chinese else ENGLISH)[measure]
    write_output(chart(measure, texts=texts, classes=classes, alone=True) + "\n", options.output)
    return SUCCESS
