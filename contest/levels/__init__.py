"""Levels: `admission` of a level to a round or library (checks and measurements), and parsing of `pasted` levels.

`catalogue`: public levels of rounds · `listing`: these and collections' levels in one list · `daily`: the level of the
day · `alike`: public levels similar to a board · `files`: levels in exported files · `rebuilding`: a level
reconstructed from its solution · `runs`: which levels a run has, and its signed start · `optima`: proved optima with
their certificates.
"""

from contest.levels.admission import (
    AdmittedLevel,
    Examination,
    check,
    examine,
    fill,
    find_repeats,
    least_pushes,
    message_with_cells,
    repeat_message,
    same_in_other_slots,
)

__all__ = [
    "AdmittedLevel",
    "Examination",
    "check",
    "examine",
    "fill",
    "find_repeats",
    "least_pushes",
    "message_with_cells",
    "repeat_message",
    "same_in_other_slots",
]
