"""The people on the pieces, as Chinese sets have them: 曹操, five generals and four soldiers.

Sets differ only in how the generals lie: 关羽 lies in most layouts. So lying generals are named first, then upright
ones, each from the top left of the layout in which the game began: 关羽, 张飞, 赵云, 马超, 黄忠. A layout without lying
generals has 关羽 upright at the top left; with two, 张飞 lies as well.
"""

from solvers.klotski.layout import Kind, Layout

LANGUAGES = ("zh", "en")
_CAO = {"zh": "曹操", "en": "Cao Cao"}
_GENERALS = {
    "zh": ("关羽", "张飞", "赵云", "马超", "黄忠"),
    "en": ("Guan Yu", "Zhang Fei", "Zhao Yun", "Ma Chao", "Huang Zhong"),
}
_SOLDIER = {"zh": "兵", "en": "Soldier"}
_LETTERS = frozenset("Cabcde1234")  # the names that `Layout.with_names` gives


def people(layout: Layout, language: str = "zh", *, is_numbered: bool = False) -> tuple[str, ...]:
    """Return who is on each piece, in the order of `Layout.pieces`; names that a player gave stay.

    >>> people(Layout.parse("VCCVVCCVVHHVVooVo..o"))
    ('张飞', '曹操', '赵云', '马超', '关羽', '黄忠', '兵', '兵', '兵', '兵')

    After moves of a layout with names, each general is still who he was. Soldiers are numbered if they differ:

    >>> people(Layout.parse("aCCb/aCCb/c1.d/c2.d/34ee"), "en", is_numbered=True)[-3:]
    ('Soldier 3', 'Soldier 4', 'Guan Yu')
    """
    named = layout.with_names()
    if set(named.names) != _LETTERS:
        return named.names
    letters = sorted((piece.kind == Kind.VERTICAL, piece.name) for piece in named.pieces if piece.name in "abcde")
    people_by_letter = dict(zip((letter for _, letter in letters), _GENERALS[language], strict=True)) | {
        "C": _CAO[language]
    }
    space = " " if language == "en" else ""
    soldiers = {number: _SOLDIER[language] + (space + number if is_numbered else "") for number in "1234"}
    return tuple((people_by_letter | soldiers)[name] for name in named.names)


def lines_of(name: str, kind: Kind) -> tuple[list[str], float]:
    """Return the lines in which *name* is written on a piece, and the size of its letters in cells.

    >>> lines_of("张飞", Kind.VERTICAL), lines_of("Cao Cao", Kind.CAO)
    ((['张', '飞'], 0.52), (['Cao Cao'], 0.34))
    """
    is_latin = name.isascii()
    if kind in (Kind.VERTICAL, Kind.SOLDIER) and len(name) > 1:
        lines = name.split() if is_latin else list(name)
    else:
        lines = [name]
    widest = max(len(line) for line in lines) * (_LATIN if is_latin else 1)
    return lines, round(min((kind.columns - 0.16) / widest, kind.rows * 0.85 / len(lines), _LARGEST[kind]), 2)


_LATIN = 0.78  # width of a bold Latin letter, as a share of its size
_LARGEST = {Kind.CAO: 0.8, Kind.HORIZONTAL: 0.52, Kind.VERTICAL: 0.52, Kind.SOLDIER: 0.52}
