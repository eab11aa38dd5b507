"""Levels: their `admission` to a round or a shelf (checked and measured), and what was `pasted`.

`catalogue` is the public list of levels of rounds to play on any day · `listing` that list together with collections ·
`daily` the level of the day · `alike` public levels that a board is like · `files` a level as a file has it ·
`rebuilding` one told by its solution.
"""

from contest.levels.admission import (
    AdmittedLevel,
    Examination,
    beside,
    check,
    examine,
    fill,
    least_pushes,
    repeat_words,
    repeats,
    words_with_cells,
)

__all__ = [
    "AdmittedLevel",
    "Examination",
    "beside",
    "check",
    "examine",
    "fill",
    "least_pushes",
    "repeat_words",
    "repeats",
    "words_with_cells",
]
