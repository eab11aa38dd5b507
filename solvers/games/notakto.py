"""Notakto: noughts and crosses with crosses only, on several boards.

A move puts a cross on any free square of a live board; a line of three is legal and kills its board. In normal play a
player without a live board loses. The game as commonly played is the misère form: the player who makes the last
line loses.

For any number of boards the misère form is decided by a monoid of eighteen elements, found by T. Plambeck and
G. Whitehead (The Secrets of Notakto, 2013): each board has a word in a, b, c, d; the player to move loses if the
product of all words is a, bb, bc or cc. The table of boards and words was computed for this library; a test proves
it for sums of any size.
"""

from collections.abc import Iterator, Sequence

from solvers.games.protocol import Game

EMPTY, CROSS = "-", "X"
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

# For each of the eight symmetries of a board, the source square of the cross on each square.
_SYMMETRIES = [
    tuple(3 * row + column if straight else 3 * column + row for row in rows for column in columns)
    for straight in (True, False)
    for rows in ((0, 1, 2), (2, 1, 0))
    for columns in ((0, 1, 2), (2, 1, 0))
]

# The live boards by their words, each as the symmetric image with the crosses first.
WORDS = {
    "": "-X------- X-------- X----X-X-",
    "a": "-X-----X- -X-X----- -X-X-X-X- X-------X X---XX--- X-X----X- X-X---X-X X-X-X---- XX-----XX XX----X-- "
    "XX---XX-X XX---XXX- XX--XXX-- XX-X----X XX-X-X--- XX-X-X-XX XX-XX----",
    "ab": "-X-XX---- X-X---X-- XX---X--X XX---X-X- XX--X----",
    "ad": "XX-------",
    "b": "-X--X---- -X-X-X--- X----X--- X---X---- X---XX-X- X-X------ X-X-X--X- XX----X-X XX----XX- XX---XX-- "
    "XX--X-X-- XX--XX--- XX-X----- XX-X-X--X XX-X-X-X-",
    "c": "---------",
    "cc": "----X----",
    "d": "XX------X XX-----X- XX---X---",
}
RULES = {"aa": "", "bbb": "b", "bbc": "c", "ccc": "acc", "bbd": "d", "cd": "ad", "dd": "cc"}
LOST = frozenset({"a", "bb", "bc", "cc"})
_WORD_OF = {board: word for word, boards in WORDS.items() for board in boards.split()}


class Notakto(Game[str]):
    """A board: nine characters, row by row, X for a cross and - for a free square.

    >>> NOTAKTO.wins_misere(["---------"]), NOTAKTO.wins_misere(["---------", "---------"])
    (True, False)
    """

    name = "notakto"

    def moves(self, position: str) -> Iterator[tuple[str, ...]]:
        if not is_dead(position):
            for square, content in enumerate(position):
                if content == EMPTY:
                    yield (position[:square] + CROSS + position[square + 1 :],)

    def canonical(self, position: str) -> str:
        """Return one representative of a board's rotations and reflections; all dead boards have the same."""
        if is_dead(position):
            return CROSS * 9
        return max("".join(position[square] for square in symmetry) for symmetry in _SYMMETRIES)

    def wins_misere(self, positions: Sequence[str]) -> bool:
        word = ""
        for board in positions:
            if not is_dead(board):
                word = product(word, _WORD_OF[self.canonical(board)])
        return word not in LOST


def is_dead(board: str) -> bool:
    """Return whether there is a line of three crosses."""
    return any(board[one] == board[two] == board[three] == CROSS for one, two, three in LINES)


def product(one: str, other: str) -> str:
    """Multiply two words of the monoid and return the result in its shortest form.

    >>> product("c", "c"), product("ad", "d")
    ('cc', 'acc')
    """
    word = "".join(sorted(one + other))
    while rule := next((long for long in RULES if long in word), None):
        word = "".join(sorted(word.replace(rule, RULES[rule], 1)))
    return word


NOTAKTO = Notakto()
