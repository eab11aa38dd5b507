"""Run-length text: counts and groups, with one grammar for boards and moves (docs/reference/formats.md, *Boards*).

    text  = item*
    item  = [count] ( symbol | "(" text ")" )
    count = digit+          at most 9 digits; missing means 1

The decoded size is computed before anything is expanded, so a 20-character text that decodes to 10^18 costs nothing.
"""

import re
from collections.abc import Iterator

from solvers.errors import (
    DanglingCount,
    ForeignCharacter,
    NestedTooDeep,
    PuzzleError,
    TabInside,
    TooLong,
    UnbalancedBracket,
)

MAX_DEPTH = 64
MAX_DIGITS = 9


def decode(text: str, symbols: str, *, limit: int) -> str:
    """Expand *text*, written in the characters of *symbols*, to at most *limit* symbols.

    >>> decode("2(3(#-)#)", "#-", limit=100)
    '#-#-#-##-#-#-#'

    Raise ForeignCharacter, DanglingCount, UnbalancedBracket, NestedTooDeep or TooLong, each with its index.
    Time and memory O(text + decoded size).
    """
    token = _token(symbols)
    decoded = _measure(text, token)
    if decoded > limit:
        raise TooLong(size=decoded, limit=limit)
    open_groups: list[tuple[list[str], int]] = []
    parts: list[str] = []
    skipping = 0  # depth inside groups with count 0; their content may have any size
    for count, symbol, _index in _items(text, token):
        if symbol == "(":
            if skipping or count == 0:
                skipping += 1
            else:
                open_groups.append((parts, count))
                parts = []
        elif symbol == ")":
            if skipping:
                skipping -= 1
            else:
                group = "".join(parts)
                parts, times = open_groups.pop()
                parts.append(group * times)
        elif not skipping:
            parts.append(symbol * count)
    return "".join(parts)


def decode_row(text: str, symbols: str, *, limit: int) -> str:
    """Expand the leading tabs of a board's row, to stops of eight, and its run-lengths.

    Raise like `decode`, or TabInside for another tab, with the index in *text*.
    """
    indent = len(text) - len(text.lstrip(" \t"))
    if (tab := text.find("\t", indent)) != -1:
        raise TabInside(index=tab)
    blanks = text[:indent].expandtabs(8)
    try:
        return decode(blanks + text[indent:], symbols, limit=limit)
    except PuzzleError as error:
        raise error.at(index=max(0, (error.index or 0) - len(blanks) + indent)) from None


def size(text: str, symbols: str) -> int:
    """Return the number of symbols that *text* decodes to, without expanding it. Raise like `decode`. Time O(text).

    >>> size("2(3(#-)#)", "#-")
    14
    """
    return _measure(text, _token(symbols))


def source_index(text: str, symbols: str, position: int) -> int:
    """Return the index in *text* of the character that produced the decoded symbol at *position*.

    Used to locate mistakes. *text* must be valid run-length text, and *position* less than its decoded size.
    Only sizes are computed, nothing is expanded: time O(text).

    >>> source_index("2(3(dr)R)", "drR", 13)
    7
    """
    items = list(_items(text, _token(symbols)))
    sizes = _group_sizes(items)
    at = 0
    while True:
        count, symbol, index = items[at]
        if symbol == "(":
            size, closing = sizes[at]
            if position < size * count:
                position %= size
            else:
                position -= size * count
                at = closing
        elif symbol != ")":
            if position < count * len(symbol):
                return index + position % len(symbol)
            position -= count * len(symbol)
        at += 1


def _group_sizes(items: list[tuple[int, str, int]]) -> dict[int, tuple[int, int]]:
    """Map the position of each opening bracket to (decoded size of one repetition, position of its closing bracket)."""
    sizes: dict[int, tuple[int, int]] = {}
    open_groups: list[tuple[int, int]] = []  # position of the bracket, size before it
    size = 0
    for at, (count, symbol, _index) in enumerate(items):
        if symbol == "(":
            open_groups.append((at, size))
            size = 0
        elif symbol == ")":
            opening, before = open_groups.pop()
            sizes[opening] = size, at
            size = before + size * items[opening][0]
        else:
            size += count * len(symbol)
    return sizes


def encode(text: str, *, shortest_run: int = 3) -> str:
    """Encode runs of *shortest_run* or more as count and symbol. Never write groups.

    >>> encode("rrrUU")
    '3rUU'
    """
    return re.sub(r"(.)\1{%d,}" % (shortest_run - 1), lambda run: f"{len(run[0])}{run[1]}", text, flags=re.DOTALL)


def _token(symbols: str) -> re.Pattern[str]:
    letters = re.escape(symbols)
    return re.compile(rf"([0-9]+)([{letters}(])|([{letters}]+|[()])|([0-9]+)|(.)", re.DOTALL)


def _items(text: str, token: re.Pattern[str]) -> Iterator[tuple[int, str, int]]:
    """Yield (count, bracket or symbols, index of the first); adjacent symbols without a count are yielded together."""
    for found in token.finditer(text):
        digits, counted, uncounted, dangling, foreign = found.groups()
        if foreign is not None:
            raise ForeignCharacter(index=found.start(), character=foreign)
        if dangling is not None:
            if found.end() < len(text) and text[found.end()] != ")":
                raise ForeignCharacter(index=found.end(), character=text[found.end()])
            raise DanglingCount(index=found.start(), count=dangling[:20])
        if uncounted is None:
            yield _count(digits), counted, found.start(2)
        else:
            yield 1, uncounted, found.start()


def _count(digits: str) -> int:
    """Return the count; with too many digits at least 10^9, always too long. TooLong reports no size above 10^18."""
    if len(digits) <= MAX_DIGITS:
        return int(digits or 1)
    return max(int(digits), 10**MAX_DIGITS) if len(digits) <= 20 else 10**20


def _measure(text: str, token: re.Pattern[str]) -> int:
    """Return the decoded size by arithmetic alone. Raise if the text is not valid run-length text."""
    open_groups: list[tuple[int, int, int]] = []  # size so far, count, index of the bracket
    size = 0
    largest = 0
    for count, symbol, index in _items(text, token):
        largest = max(largest, count)
        if symbol == "(":
            if len(open_groups) == MAX_DEPTH:
                raise NestedTooDeep(index=index, limit=MAX_DEPTH)
            open_groups.append((size, count, index))
            size = 0
        elif symbol == ")":
            if not open_groups:
                raise UnbalancedBracket(index=index, bracket=")")
            before, times, _ = open_groups.pop()
            size = before + size * times
        else:
            size += count * len(symbol)
    if open_groups:
        raise UnbalancedBracket(index=open_groups[-1][2], bracket="(")
    return max(size, largest) if largest >= 10**MAX_DIGITS else size
