"""Number all 363,480 layouts without enumerating them: an automaton reads a layout and counts the layouts before it.

A layout is read cell by cell, skipping covered cells: twelve letters, `.` empty, `o`, `H`, `V`, `C`. The possible
continuations depend only on the current cell, the covered cells ahead and the pieces left, so these are the
states; each stores how many layouts begin with each letter from here. Layouts are numbered by the count of horizontal
dominoes and then alphabetically, in the order of the letters above. (The method is the ranking of words of an
automaton; here it has 7,332 states.) All searches use these numbers, and so can a page: see docs/reference/klotski.md.
"""

from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from solvers.klotski.layout import CELLS, COLUMNS, EMPTY, Kind, Layout
from solvers.klotski.moves import Move, ways

LETTERS = EMPTY + Kind.SOLDIER + Kind.HORIZONTAL + Kind.VERTICAL + Kind.CAO
CLASSES = range(6)  # by horizontal dominoes, which no move changes
_COVERED = (0, 0, 1 << 1, 1 << COLUMNS, 1 << 1 | 1 << COLUMNS | 1 << COLUMNS + 1)  # covered cells ahead, by letter
NEVER = 1 << 30  # more than the number of layouts: this letter cannot follow


class Automaton(NamedTuple):
    """The automaton of one class; state 0 is the first, the last one the end.

    *cell* is the cell that each state reads next; *step* and *before*, five entries per state, are the state after each
    letter and the number of layouts that begin with a smaller letter (NEVER if the letter cannot follow).
    """

    cell: list[int]
    step: list[int]
    before: list[int]
    size: int


class _State(NamedTuple):
    cell: int
    covered: int  # bit n: the n-th cell from here
    left: tuple[int, ...]  # pieces by letter

    def after(self, letter: int) -> "_State | None":
        """Return the state after a letter, at the next cell that is not covered, or None."""
        ahead, column = _COVERED[letter], self.cell % COLUMNS
        too_wide = ahead & 2 and column == COLUMNS - 1
        too_low = ahead >> COLUMNS and self.cell + COLUMNS >= CELLS
        if not self.left[letter] or too_wide or too_low or ahead & self.covered:
            return None
        cell, covered = self.cell + 1, (self.covered | ahead) >> 1
        while covered & 1:
            cell, covered = cell + 1, covered >> 1
        left = tuple(count - (at == letter) for at, count in enumerate(self.left))
        return _State(cell, covered, left)


@cache
def automaton(horizontals: int) -> Automaton:
    """Build the automaton of the class with *horizontals* horizontal dominoes: 308 to 1,845 states, some milliseconds.

    >>> [automaton(horizontals).size for horizontals in CLASSES]
    [15660, 65880, 109260, 106800, 51660, 14220]
    """
    start = _State(0, 0, (2, 4, horizontals, 5 - horizontals, 1))
    states, numbers = [start], {start: 0}
    followers: list[list[_State | None]] = []
    for state in states:
        followers.append([state.after(letter) for letter in range(5)] if state.cell < CELLS else [None] * 5)
        for follower in followers[-1]:
            if follower and follower not in numbers:
                numbers[follower] = len(states)
                states.append(follower)
    # Every step reads a letter, and all layouts have twelve, so a follower always has a higher number than its state.
    sizes = [0] * len(states)
    step, before = [0] * (5 * len(states)), [NEVER] * (5 * len(states))
    for number in range(len(states) - 1, -1, -1):
        if states[number].cell == CELLS:
            sizes[number] = 1
        for letter, follower in enumerate(followers[number]):
            if follower and sizes[numbers[follower]]:
                step[5 * number + letter] = numbers[follower]
                before[5 * number + letter] = sizes[number]
                sizes[number] += sizes[numbers[follower]]
    return Automaton([state.cell for state in states], step, before, sizes[0])


@cache
def firsts() -> tuple[int, ...]:
    """Return the number of the first layout of each class, and the total number of layouts.

    >>> firsts()
    (0, 15660, 81540, 190800, 297600, 349260, 363480)
    """
    return (0, *accumulate(automaton(horizontals).size for horizontals in CLASSES))


def number(layout: Layout) -> int:
    """Return the number of a layout, 0 to 363,479, ignoring names. Time O(1), no search.

    >>> number(Layout.parse("VCCVVCCVVHHVVooVo..o"))
    73647
    """
    return number_of(letters_of(layout), layout.horizontals)


def letters_of(layout: Layout) -> list[int]:
    """Return twenty numbers: the kind at the first cell of each piece, 0 elsewhere."""
    letters = [0] * CELLS
    for piece in layout.pieces:
        letters[piece.cell] = LETTERS.index(piece.kind)
    return letters


def number_of(letters: list[int], horizontals: int) -> int:
    """Return the number of the layout with these `letters_of`."""
    cells, steps, before, _ = automaton(horizontals)
    total, state, cell = firsts()[horizontals], 0, 0
    while cell < CELLS:
        index = 5 * state + letters[cell]
        total += before[index]
        state = steps[index]
        cell = cells[state]
    return total


def layout_of(number: int) -> Layout:
    """Return the layout with a number.

    >>> layout_of(73647).cells
    'VCCVVCCVVHHVVooVo..o'

    Raise IndexError outside 0 to 363,479.
    """
    if not 0 <= number < firsts()[-1]:
        raise IndexError(number)
    horizontals = sum(first <= number for first in firsts()) - 1
    machine, remaining, state = automaton(horizontals), number - firsts()[horizontals], 0
    cells = [EMPTY] * CELLS
    while machine.cell[state] < CELLS:
        letter = max(letter for letter in range(5) if machine.before[5 * state + letter] <= remaining)
        remaining -= machine.before[5 * state + letter]
        cell = machine.cell[state]
        for ahead in (at for at in range(COLUMNS + 2) if (1 | _COVERED[letter]) >> at & 1):
            if letter:
                cells[cell + ahead] = LETTERS[letter]
        state = machine.step[5 * state + letter]
    return Layout("".join(cells))


def numbered_moves(layout: Layout) -> Iterator[tuple[Move, int]]:
    """Yield every move of a layout with the number of the layout after it. About 0.05 ms for all of them."""
    letters, horizontals = letters_of(layout), layout.horizontals
    for piece in layout.pieces:
        letter, letters[piece.cell] = letters[piece.cell], 0
        for stop, path in ways(layout, piece).items():
            letters[stop] = letter
            yield Move(piece.cell, path, stop), number_of(letters, horizontals)
            letters[stop] = 0
        letters[piece.cell] = letter
