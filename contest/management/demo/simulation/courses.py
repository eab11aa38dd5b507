"""Levels for a simulated season, each with good solutions and ways to make them longer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from solvers.sokoban.making.rebuild import level_of
from solvers.sokoban.making.series import ladder, rooms

_BACK = str.maketrans("lurdLURD", "rdlurdlu")
# Turning the letters of a solution turns the level that is rebuilt from it.
_FLIPS = [
    str.maketrans("", ""),
    str.maketrans("lrLR", "rlRL"),
    str.maketrans("udUD", "duDU"),
    str.maketrans("lurdLURD", "uldrULDR"),
]
# After a push to the right: walk around the box, push it back, walk around it again, push it right again.
_DETOUR = "urrdLulldR"
# Two solutions of one level: the one with the fewest moves and the one with the fewest pushes.
_WELL = ("UlURRurDDuluulllDurDDrddllluuR", "rruullDldRuuruulllDrDrddRlllluuR")
_WELL_LEVEL = "-######-|#-----##|##$-#--#|#--*---#|#-#.$#-#|#---@-.#|########"


@dataclass(frozen=True)
class Course:
    """A level as text, its good solutions, and detours to insert into the first: (number of steps before it, moves)."""

    name: str
    text: str
    solutions: tuple[str, ...]
    detours: tuple[tuple[int, str], ...] = ()

    def attempt(self, random: Random, care: float) -> str:
        """Return a solution; the lower *care* (0 to 1), the more detours and needless steps it has."""
        number = random.randrange(len(self.solutions))
        steps = self.solutions[number]
        if number == 0:
            for place, detour in reversed(self.detours):
                if random.random() > care:
                    steps = steps[:place] + detour + steps[place:]
        for _time in range(_geometric(random, care)):
            steps = _with_a_wait(steps, random.randint(1, len(steps)))
        return steps


def _geometric(random: Random, care: float) -> int:
    count = 0
    while count < 20 and random.random() > 0.3 + 0.6 * care:
        count += 1
    return count


def _with_a_wait(steps: str, place: int) -> str:
    """Insert a step back and forth after *place* steps; the square that the player came from is always free."""
    last = steps[place - 1]
    return steps[:place] + last.translate(_BACK) + last.lower() + steps[place:]


def course(random: Random) -> Course:
    """Return a level of a random kind."""
    makers: Sequence[Callable[[Random], Course]] = (_lanes, _lanes, _well, _ladder, _rooms)
    return random.choice(makers)(random)


def _lanes(random: Random) -> Course:
    """Return a level with a box to push along each lane; it is rebuilt from a solution that makes every detour."""
    flip = random.choice(_FLIPS)
    plain, places = "", []
    for _lane in range(random.randint(2, 6)):
        far = random.randint(2, 6)
        places.append(len(plain) + 1)
        plain += "R" * far + "l" * far + "dd"
    plain = plain.rstrip("d").rstrip("l")
    whole = plain
    for place in reversed(places):
        whole = whole[:place] + _DETOUR + whole[place:]
    detours = tuple((place, _DETOUR.translate(flip)) for place in places)
    return Course("lanes", level_of(whole.translate(flip)).published_text, (plain.translate(flip),), detours)


def _well(_random: Random) -> Course:
    return Course("well", _WELL_LEVEL, _WELL)


def _ladder(random: Random) -> Course:
    boxes = random.randint(4, 8)
    member, crossed = ladder(boxes), ladder(boxes, crossed=True)
    solutions = [member.solution]
    # Only if both solve the same level.
    if crossed.level == member.level:
        solutions.append(crossed.solution)
    return Course("ladder", member.level.published_text, tuple(solutions))


def _rooms(random: Random) -> Course:
    member = rooms(random.randint(1, 5))
    return Course("rooms", member.level.published_text, (member.solution,))
