"""Levels whose shortest solutions grow exponentially with the level, each with its solution and closed forms.

The box ladder is a column of boxes with a path on either side, all boxes but one on goals. Its seven-box member
circulates among players; the others follow the recursion found in its solution.

The classic ladder has the form of Picokosmos 17 (Aymeric du Peloux, 2001, eight boxes): both loose boxes beside the
second goal, and three wide rows at the foot. It is solvable for an even number of boxes; see `classic_level` for the
odd ones. D. Holland and Y. Shoham analysed it ("Theoretical analysis on Picokosmos 17").

The nested rooms are this project's own, after an idea that players know: in a chain of rooms the k-th must be crossed
2^k times.
"""

from dataclasses import dataclass, field

from solvers.errors import NoOddMember, NoSuchMember
from solvers.sokoban.level import Level
from solvers.sokoban.making.rebuild import level_of
from solvers.sokoban.moves import Moves
from solvers.sokoban.replay import replay

# The next member of each series has a solution longer than the 2,000,000 steps allowed.
LADDERS = range(4, 26)
CLASSICS = range(4, 25)
ROOMS = range(1, 15)


@dataclass(frozen=True)
class Member:
    """A level of a series with its solution and the solution's counts."""

    level: Level = field(repr=False)
    solution: str = field(repr=False)
    moves: int
    pushes: int


def ladder(boxes: int, *, crossed: bool = False) -> Member:
    """Return the box ladder with 4 to 25 boxes.

    >>> member = ladder(4)
    >>> print(member.level)
    -#####-
    -#-+-##
    ##$.--#
    #--*$-#
    #---*-#
    ##--###
    -####--
    >>> member
    Member(moves=59, pushes=18)
    >>> ladder(7)
    Member(moves=306, pushes=102)

    With *crossed*, return the solution that ends with the player on the left; it is two moves longer.
    Raise NoSuchMember for any other number. Time and memory O(moves), which grow by a factor of 1.618 per box.
    """
    if boxes not in LADDERS:
        raise NoSuchMember(asked=boxes, first=LADDERS[0], last=LADDERS[-1])
    solution = _ladder_solution(boxes, crossed=crossed)
    return Member(level_of(solution), solution, ladder_moves(boxes) + 2 * crossed, ladder_pushes(boxes))


# Parts shared by all ladders: solutions of the three lowest boxes ending on either side, and the moves that a
# ladder of four makes before.
_THREE = "dddlUluRurrrddLLUlldRdrUrruulD"
_THREE_CROSSED = "dddlUluRurrrddLLUdrruulDlddlUluR"
_FOUR = "rdrddLLUlldRdrUrruulDuullDDRU"


def _ladder_solution(boxes: int, *, crossed: bool) -> str:
    """Build the solution for n boxes from those for n-2 and n-1.

    An odd ladder pushes its top box aside, solves the n-2 lowest boxes ending on the left, climbs to push the top box
    on from the right, and solves the n-1 lowest. An even ladder is the mirror image; its n-2 lowest end on the right,
    as the best solution does.
    """
    best, other = [_THREE, _FOUR + _THREE], [_THREE_CROSSED, _FOUR + _THREE_CROSSED]
    for n in range(5, boxes + 1):
        climb = "u" * (n - 2)
        begin = f"ldDDRU{other[-2]}{climb}rrDDLU" if n % 2 else f"rdDDLU{best[-2]}{climb}llDDRU"
        other.append(begin + other[-1])
        best.append(begin + best[-1])
    return (other if crossed else best)[boxes - 3]


def ladder_moves(boxes: int) -> int:
    """Return the moves of the best known solution: M(n) = M(n-1) + M(n-2) + n + 12 for odd n, + n + 10 for even n.

    In closed form, with the golden ratio phi = (1 + sqrt 5) / 2 and psi = 1 - phi:
    M(n) = (-1)^(n+1) + (9 + sqrt 5) phi^n + (9 - sqrt 5) psi^n - n - 14. As phi^n + psi^n is the Lucas number L(n) and
    sqrt 5 (phi^n - psi^n) is 5 F(n), with the Fibonacci number F(n), this is exact in integers.

    >>> [ladder_moves(n) for n in range(4, 10)]
    [59, 106, 181, 306, 505, 832]
    """
    fibonacci, lucas = _fibonacci_and_lucas(boxes)
    return 9 * lucas + 5 * fibonacci - boxes - 14 + (1 if boxes % 2 else -1)


def ladder_pushes(boxes: int) -> int:
    """Return the pushes of the best known solution: P(n) = P(n-1) + P(n-2) + 8.

    In closed form P(n) = ((10 + 4 sqrt 5) / 5) phi^n + ((10 - 4 sqrt 5) / 5) psi^n - 8 = 2 L(n) + 4 F(n) - 8.

    >>> [ladder_pushes(n) for n in range(4, 10)]
    [18, 34, 60, 102, 170, 280]
    """
    fibonacci, lucas = _fibonacci_and_lucas(boxes)
    return 2 * lucas + 4 * fibonacci - 8


def _fibonacci_and_lucas(n: int) -> tuple[int, int]:
    fibonacci, after = 0, 1
    for _ in range(n):
        fibonacci, after = after, fibonacci + after
    return fibonacci, 2 * after - fibonacci


def classic(boxes: int) -> Member:
    """Return the classic ladder with 4 to 24 boxes, an even number.

    >>> member = classic(4)
    >>> print(member.level)
    -#####-
    ##-+-#-
    #-$.$##
    #--*--#
    #--*--#
    ###--##
    --####-
    >>> member
    Member(moves=48, pushes=15)

    Its solution is that of `ladder` in a mirror, but for the end: after the same moves the last box needs 4 more
    instead of 15. Raise NoOddMember for an odd number, NoSuchMember for any other. Time and memory O(moves).
    """
    if boxes not in CLASSICS:
        raise NoSuchMember(asked=boxes, first=CLASSICS[0], last=CLASSICS[-1])
    if boxes % 2:
        raise NoOddMember(asked=boxes)
    walk = _ladder_solution(boxes, crossed=False)[: -len(_LADDER_END)] + _CLASSIC_END
    level = classic_level(boxes)
    solution = replay(level, Moves.parse(walk.lower().translate(_MIRRORED))).lurd
    return Member(level, solution, classic_moves(boxes), classic_pushes(boxes))


_LADDER_END, _CLASSIC_END = "LUlldRdrUrruulD", "UruL"
_MIRRORED = str.maketrans("lr", "rl")


def classic_level(boxes: int) -> Level:
    """Return the level of the classic ladder with at least 4 boxes, which has no solution for 5, 7 and 9 boxes.

    Exhaustive searches prove that (tests/solvers/sokoban/making/test_series.py). For odd numbers from 11 on nothing
    is proved here: no argument for all odd numbers is known to us.
    """
    shaft = ["-#-+-#-", "-#$.$#-", *["-#-*-#-"] * (boxes - 2)]
    shaft[-4] = f"##{shaft[-4][2:]}"
    shaft[-3] = f"#-{shaft[-3][2:5]}##"
    shaft[-2:] = ["#--*--#"] * 2
    rows = ["-#####-", *shaft, "###--##", "--####-"]
    return Level.parse("|".join(rows))


def classic_moves(boxes: int) -> int:
    """Return the moves for an even number: 9 L(n) + 5 F(n) - n - 26, 11 fewer than `ladder_moves`.

    >>> [classic_moves(n) for n in range(4, 11, 2)]
    [48, 170, 494, 1346]
    """
    return ladder_moves(boxes) - 11


def classic_pushes(boxes: int) -> int:
    """Return the pushes for an even number: 2 L(n) + 4 F(n) - 11 = 3 P(n-2) - P(n-4) + 11.

    >>> [classic_pushes(n) for n in range(4, 11, 2)]
    [15, 57, 167, 455]
    """
    return ladder_pushes(boxes) - 3


def rooms(number: int) -> Member:
    """Return 1 to 14 nested rooms; room k must be crossed 2^k times.

    >>> member = rooms(1)
    >>> print(member.level)
    ###########
    ##.########
    ##$########
    ##-#---#@##
    #-*--#-*--#
    #-#-###-#-#
    #---------#
    ###########
    >>> member
    Member(moves=61, pushes=5)

    A room has two ports at its top and a box before each of two pairs of squares. The player enters on the right and
    is then in the *hall*, which goes round all further rooms to both ends of the room:

    - the left box blocks the left port, or the left door of the *closet* in the middle, which opens downwards;
    - the right box blocks the right door of the closet, or the right port.

    The left box can be pushed off its port only from the hall, the right box off its door only from the closet. So to
    leave by the left port and come back, the player crosses the next room to get below the closet, enters it by the
    left door, pushes the right box off the other door, crosses the next room again to the hall, and pushes the left
    box off its port into the left door; the way back is the mirror image. Pushing that box first would shut both
    doors of the closet forever, and a box pushed off its two squares is stuck in a corner. Each crossing takes two
    pushes and two crossings of the next room, until the last room, whose hall is open below. So no solution has
    fewer pushes, for any number of rooms; for up to seven rooms an exhaustive search confirms the minimum of pushes
    and of moves.

    The level has 2n + 1 boxes and 11 n^2 + 25 n - 8 floor cells, goals and boxes included.
    Raise NoSuchMember for any other number. Time and memory O(moves), about 118 * 2^n.
    """
    if number not in ROOMS:
        raise NoSuchMember(asked=number, first=ROOMS[0], last=ROOMS[-1])
    return Member(_rooms_level(number), _rooms_solution(number), rooms_moves(number), rooms_pushes(number))


def rooms_pushes(number: int) -> int:
    """Return 2 pushes for each of the 2 + 4 + ... + 2^n crossings, plus 1 for the box behind the first room.

    >>> [rooms_pushes(n) for n in range(1, 6)]
    [5, 13, 29, 61, 125]
    """
    return (4 << number) - 3


def rooms_moves(number: int) -> int:
    """Return the moves of the solution: one, plus two crossings of the first room.

    A crossing with j rooms inside takes C(j) = 2 C(j-1) + 22 j + 44 moves, and C(0) = 30.

    >>> [rooms_moves(n) for n in range(1, 6)]
    [61, 253, 681, 1581, 3425]
    """
    return (118 << number) - 44 * number - 131


# A room of five rows above the next one, and the last room. The hall leaves the third row on both sides.
_ROOM = [
    "#-#---#-#",
    "-*--#-*--",
    "-#-###-#-",
    "#------#-",
    "#-#####--",
]
_LAST_ROOM = [*_ROOM[:3], "---------"]
_ROOM_WIDTH = 9


def _rooms_level(number: int) -> Level:
    inside = number - 1
    left = 1 + 2 * inside
    width = left + _ROOM_WIDTH + 2 * inside + 1
    shaft = [["#"] * width for _ in range(3)]
    shaft[1][left + 1], shaft[2][left + 1] = ".$"
    stack = _ROOM * inside + _LAST_ROOM
    rows = shaft + [list(row.center(width, "#")) for row in stack] + [["#"] * width for _ in range(2 * inside + 1)]
    rows[3][left + 7] = "@"
    for room in range(inside):
        _dig_hall(rows, top=5 + 5 * room, outside=2 * room + 1, left=left)
    return Level.parse("|".join(map("".join, rows)))


def _dig_hall(rows: list[list[str]], *, top: int, outside: int, left: int) -> None:
    """Dig the hall of a room from both ends of its third row, *top*, down and around everything below."""
    far, bottom = -1 - outside, len(rows) - 1 - outside
    rows[top][outside:left] = rows[top][-left : far + 1] = "-" * (left - outside)
    rows[bottom][outside : far + 1] = "-" * (len(rows[0]) - 2 * outside)
    for row in range(top, bottom):
        rows[row][outside] = rows[row][far] = "-"


def _rooms_solution(number: int) -> str:
    go = "drddlllllluururrdRddlllllluuRu"
    come = "dlddrrrrrruululldLddrrrrrruuLu"
    for inside in range(1, number):
        down, across = 7 * inside + 1, 4 * inside + 8
        hall = "r" * 2 * inside + "d" * down + "l" * across + "u" * down + "r" * 2 * inside
        llah = "l" * 2 * inside + "d" * down + "r" * across + "u" * down + "l" * 2 * inside
        go, come = (
            f"drdddld{go}uuruururrdRddllllldd{come}uruu{hall}uRu",
            f"dld{llah}ddld{go}uurrrrruululldLddldd{come}uruuuLu",
        )
    return f"{go}Ud{come}".removesuffix("u")
