"""Two fixed pictures: the nested classes P, NP, PSPACE and EXPTIME, and the two routes to Sokoban's hardness.

Run it to write one as a file: `python -m solvers.logic.landscape classes` or `routes`, with `zh` after it for Chinese.
"""

import sys
from collections.abc import Sequence

from solvers.choices import Choice
from solvers.tree_drawing import Text, picture


class Language(Choice):
    """Language of the labels."""

    ENGLISH = "en"
    CHINESE = "zh"


# Of each class, outermost first: its name and examples. Only P and EXPTIME are proved to differ.
_CLASSES = {
    Language.ENGLISH: (
        ("EXPTIME", "chess, draughts and Go (Japanese ko) on n × n boards"),
        ("PSPACE", "Sokoban; quantified formulas; constraint graphs"),
        ("NP", "satisfiable formulas (SAT)"),
        ("P", "replay of moves; push paths of one box; Nim"),
    ),
    Language.CHINESE: (
        ("EXPTIME", "n × n 盘面的国际象棋、跳棋、围棋（日本打劫规则）"),
        ("PSPACE", "推箱子、量化公式、约束图"),
        ("NP", "公式可满足（SAT）"),
        ("P", "回放动作、单个箱子的推法、取石子"),
    ),
}
_CLASS_TEXTS = {
    Language.ENGLISH: Text(
        "P in NP in PSPACE in EXPTIME",
        "Four nested areas with problems of each. It is proved that P and EXPTIME differ; of the steps between them, "
        "at least one is strict, but for none is it known.",
    ),
    Language.CHINESE: Text(
        "P、NP、PSPACE、EXPTIME 层层包含",
        "四个套在一起的区域，各举问题为例。已证明 P 与 EXPTIME 不同；中间至少有一层是真包含，但不知道是哪一层。",
    ),
}
# The boxes of each route, from left to right in three rows: title and two smaller lines.
_ROUTES = {
    Language.ENGLISH: (
        ("1  Machine on a tape", "2  Constraint graph"),
        (("Machine, bounded tape", "J. Culberson, 1997"), ("Quantified formula", "R. Hearn, E. Demaine, 2005")),
        (("A cell of tape", "boxes hold state and symbol"), ("Graph with weights", "AND, OR; edges turn")),
        (("Cells side by side", "the player carries the head"), ("AND, OR, wires", "built of boxes and walls")),
        "Sokoban is PSPACE-hard",
    ),
    Language.CHINESE: (
        ("1  纸带上的机器", "2  约束图"),
        (("纸带有限的机器", "J. Culberson，1997"), ("量化公式", "R. Hearn、E. Demaine，2005")),
        (("一格纸带", "箱子记住状态和符号"), ("带权重的图", "与、或；边可掉头")),
        (("一格挨着一格", "人把读写头带过去"), ("与、或、导线", "由箱子和墙搭成")),
        "推箱子是 PSPACE 难的",
    ),
}
_ROUTE_TEXTS = {
    Language.ENGLISH: Text(
        "Two routes to the proof that Sokoban is PSPACE-complete",
        "Left: a machine with a bounded tape becomes cells of tape made of boxes. Right: a quantified formula becomes "
        "a constraint graph, and its vertices become boards. Both end at a Sokoban level. "
        "Savitch's theorem adds that polynomial space is enough.",
    ),
    Language.CHINESE: Text(
        "证明推箱子是 PSPACE 完全的两条路",
        "左：纸带有限的机器变成用箱子做成的一格格纸带。右：量化公式变成约束图，图的顶点变成小盘面。"
        "两条路都到推箱子关卡。Savitch 定理补上另一半：多项式空间就够了。",
    ),
}
_INSIDE = {
    Language.ENGLISH: "and in PSPACE (W. Savitch, 1970): PSPACE-complete",
    Language.CHINESE: "又属于 PSPACE（W. Savitch，1970）：PSPACE 完全",
}


def classes_svg(language: Language | str = Language.ENGLISH, *, standalone: bool = False) -> str:
    """Draw the nested classes P, NP, PSPACE and EXPTIME, with problems in each.

    >>> classes_svg().count("<rect")
    4
    """
    language = Language(language)
    width, height, step = 390, 344, 68
    parts = []
    for depth, (name, examples) in enumerate(_CLASSES[language]):
        left, top = 8 + 12 * depth, 8 + step * depth
        parts.append(
            f'<rect class="area b{depth}" x="{left}" y="{top}" width="{width - 2 * left}"'
            f' height="{height - 8 - 12 * depth - top}" rx="22"/>'
            f'<text class="left big" x="{left + 20}" y="{top + 27}">{name}</text>'
            f'<text class="left note" x="{left + 20}" y="{top + 47}">{examples}</text>'
        )
    return picture("".join(parts), width, height, _CLASS_TEXTS[language], standalone=standalone)


def routes_svg(language: Language | str = Language.ENGLISH, *, standalone: bool = False) -> str:
    """Draw the two routes of the proof: a machine on a tape, and a constraint graph.

    >>> routes_svg("zh").count('class="node"')
    7
    """
    language = Language(language)
    heads, *rows, end = _ROUTES[language]
    parts = [f'<text class="big" x="{106 + 208 * at}" y="24">{head}</text>' for at, head in enumerate(heads)]
    for number, row in enumerate(rows):
        for at, lines in enumerate(row):
            middle, top = 106 + 208 * at, 38 + 138 * number
            parts.append(_box(middle, top, lines, _ICONS[at][number], height=112))
            parts.append(_arrow(middle, top + 112, 210 if number == len(rows) - 1 else middle))
    parts.append(_box(210, 452, (end, _INSIDE[language]), "", width=404, height=56))
    return picture("".join(parts), 420, 516, _ROUTE_TEXTS[language], standalone=standalone)


def _box(middle: int, top: int, lines: Sequence[str], icon: str, *, width: int = 198, height: int) -> str:
    return (
        f'<g class="node"><rect x="{middle - width // 2}" y="{top}" width="{width}" height="{height}" rx="12"/>'
        f'<g transform="translate({middle - 33} {top + 8})">{icon}</g>'
        f'<text x="{middle}" y="{top + height - 32}">{lines[0]}</text>'
        f'<text class="note" x="{middle}" y="{top + height - 12}">{lines[1]}</text></g>'
    )


def _arrow(x: int, y: int, to_x: int) -> str:
    """Draw a line from a box down to the next one, to the side if that is the last."""
    tip = f'<path class="tip" d="M{to_x - 6} {y + 17}h12l-6 9z"/>'
    return f'<path class="link" d="M{x} {y}C{x} {y + 14} {to_x} {y + 4} {to_x} {y + 19}"/>{tip}'


def _cells(number: int, *, marked: int = -1) -> str:
    """Draw a piece of tape, with a head over a cell."""
    cells = "".join(
        f'<rect class="area b{4 if at == marked else 5}" x="{at * 16}" y="22" width="16" height="20"/>'
        for at in range(number)
    )
    head = f'<path class="link" d="M{marked * 16 + 8} 19l-6-11h12z"/>' if marked >= 0 else ""
    return cells + head


def _board(*rows: str) -> str:
    """Draw a small board: # is a wall, $ a box, @ the player."""
    names = {"#": "b0", "$": "b4"}
    parts = []
    for row, line in enumerate(rows):
        for column, letter in enumerate(line):
            x, y = column * 13, row * 13
            if letter in names:
                parts.append(f'<rect class="block {names[letter]}" x="{x}" y="{y}" width="12" height="12"/>')
            elif letter == "@":
                parts.append(f'<circle class="block b1" cx="{x + 6}" cy="{y + 6}" r="5"/>')
    return "".join(parts)


_GRAPH = (
    '<path class="link" d="M6 8L34 24M6 46L34 24M34 24H62"/>'
    '<circle class="tip" cx="6" cy="8" r="5"/><circle class="tip" cx="6" cy="46" r="5"/>'
    '<circle class="tip" cx="34" cy="24" r="8"/><circle class="tip" cx="62" cy="24" r="5"/>'
)
_FORMULA = '<text class="big left" x="2" y="32">∀x ∃y</text>'
_ICONS = (
    (_cells(4, marked=1), _board("#####", "#$ $#", "# @ #", "#####"), _board("#####", "$ $ $", " @ $ ", "#####")),
    (_FORMULA, _GRAPH, _board("##.##", "# $ #", ".$@$.", "#####")),
)


def main(arguments: Sequence[str]) -> int:
    """Write a picture to standard output."""
    names = {"classes": classes_svg, "routes": routes_svg}
    if not arguments or arguments[0] not in names:
        print(f"Name a picture: {' or '.join(names)}, then en or zh.", file=sys.stderr)
        return 2
    print(names[arguments[0]](Language(arguments[1] if len(arguments) > 1 else "en"), standalone=True))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
