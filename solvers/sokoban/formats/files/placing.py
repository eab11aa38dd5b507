"""Decide over a whole file whether names are above or below their boards."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import takewhile

from solvers.sokoban.formats.files.items import Item


@dataclass
class Placing:
    """Places of names in a file, by their kind: above their boards or below."""

    keys_above: bool = False
    notes_above: bool = True
    lines_above: bool = True
    unclear: str = ""  # how names were read although both readings name as many levels

    @classmethod
    def stated(cls, *, above: bool) -> "Placing":
        """Return the placing that a person stated for all kinds of names."""
        return cls(above, above, above)

    @classmethod
    def of(cls, gaps: list[list[Item]], *, is_complete: bool) -> "Placing":
        """Weigh both readings over all *gaps* of a file: before the first board, between boards, after the last.

        A name in the first gap has only a board below, a name in the last only one above. Between two boards, a blank
        line on one side tells. *is_complete* is False if more boards follow the last gap.
        """
        placing = cls()
        for kind, name in (("keys", is_title_key), ("notes", is_note_line), ("lines", is_text_line)):
            balance, count = _weigh(gaps, name, is_complete=is_complete, is_single=kind == "lines")
            if balance:
                setattr(placing, f"{kind}_above", balance > 0)
            elif 2 * count >= len(gaps) - 1 and count and kind != "lines":
                placing.unclear = "above" if getattr(placing, f"{kind}_above") else "below"
        return placing


def is_title_key(item: Item) -> bool:
    return item.key == "title"


def is_note_line(item: Item) -> bool:
    return item.kind == "note" and bool(item.text)


def is_text_line(item: Item) -> bool:
    return item.kind == "text"


def _weigh(
    gaps: list[list[Item]], is_name: Callable[[Item], bool], *, is_complete: bool, is_single: bool
) -> tuple[int, int]:
    """Return by how many levels more the reading "above" is right, and the number of names between boards.

    With *is_single* a name below a board counts only if it is a paragraph of its own, as notes stand there too.
    """
    head, middle, tail = gaps[0], gaps[1:], gaps[-1] if is_complete and len(gaps) > 1 else []
    if is_complete:
        middle = middle[:-1]
    balance = int(any(map(is_name, head))) - int(_names_upper(tail, is_name, is_single=is_single))
    if not is_single and not _names_upper(tail, is_name, is_single=False):
        balance -= int(any(map(is_name, tail)))
    count = 0
    for items in middle:
        if any(map(is_name, items)):
            count += 1
            upper = _names_upper(items, is_name, is_single=is_single)
            lower = _names_upper(items[::-1], is_name, is_single=False)
            balance += lower - upper
            if is_single and not upper:
                balance += 1
    return balance, count


def first_paragraph(items: list[Item]) -> list[Item]:
    return list(takewhile(lambda item: item.kind in ("key", "note", "text"), items))


def _names_upper(items: list[Item], is_name: Callable[[Item], bool], *, is_single: bool) -> bool:
    """Return whether the first paragraph of *items* has a name."""
    paragraph = first_paragraph(items)
    return any(map(is_name, paragraph)) and not (is_single and len(paragraph) > 1)
