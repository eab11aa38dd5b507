"""Decide over a whole file whether names are above or below their boards."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import takewhile

from solvers.sokoban.formats.files.items import Item

# The kinds of lines that are names.
NAMES: dict[str, Callable[[Item], bool]] = {
    "keys": lambda item: item.key == "title",
    "notes": lambda item: item.kind == "note" and bool(item.text),
    "lines": lambda item: item.kind == "text",
}


@dataclass
class Placing:
    """Whether names of each kind are *above* their boards; *unclear* if both readings name as many levels."""

    above: dict[str, bool] = field(default_factory=lambda: {"keys": False, "notes": True, "lines": True})
    unclear: str = ""

    @classmethod
    def of(cls, gaps: list[list[Item]], *, is_complete: bool) -> "Placing":
        """Weigh both readings over all *gaps* of a file: before the first board, between boards, after the last.

        A name in the first gap has only a board below, a name in the last only one above. Between two boards, a blank
        line on one side tells. *is_complete* is False if more boards follow the last gap.
        """
        placing = cls()
        for kind in NAMES:
            balance, count = _weigh(gaps, kind, is_complete=is_complete)
            if balance:
                placing.above[kind] = balance > 0
            elif 2 * count >= len(gaps) - 1 and count and kind != "lines":
                placing.unclear = "above" if placing.above[kind] else "below"
        return placing


def _weigh(gaps: list[list[Item]], kind: str, *, is_complete: bool) -> tuple[int, int]:
    """Return by how many levels more the reading "above" is right, and the number of names between boards.

    A text line below a board counts only if it is a paragraph of its own, as notes stand there too.
    """
    balance = count = 0
    for number, items in enumerate(gaps):
        if not any(map(NAMES[kind], items)):
            continue
        paragraph = first_paragraph(items)
        is_upper = any(map(NAMES[kind], paragraph)) and not (kind == "lines" and len(paragraph) > 1)
        if not number:
            balance += 1
        elif is_complete and number == len(gaps) - 1:
            balance -= is_upper or kind != "lines"
        else:
            count += 1
            balance += any(map(NAMES[kind], first_paragraph(items[::-1]))) - is_upper
            balance += kind == "lines" and not is_upper
    return balance, count


def first_paragraph(items: Iterable[Item]) -> list[Item]:
    return list(takewhile(lambda item: item.kind in ("key", "note", "text"), items))
