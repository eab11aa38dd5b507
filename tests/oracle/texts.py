"""Levels for random rounds, and texts that solve them, nearly solve them, or do not."""

from random import Random

from tests.oracle import rulebook

NAMES = ["ada", "bo", "cy", "dee", "eve", "fay", "gus", "hal", "ida", "jo", "kim", "lou", "max", "ned"]
# Each with a solution of the fewest moves.
SHORTEST = {
    "#######|#-----#|#-@$--#|#---.-#|#######": "rurd",
    "########|#------#|#-@$.--#|#--$.--#|#------#|########": "rldr",
    "#######|#--.--#|#-$---#|#--@--#|#--$.-#|#######": "llurddruu",
    "#########|#-------#|#-$@-.--#|#-------#|#########": "ulldrrr",
    "######|#@---#|#-$--#|#--.-#|######": "rdldr",
    "########|#--.---#|#-@$$-.#|#------#|########": "drurr",
    "#######|#.----#|#--$--#|#---@-#|#-----#|#######": "lurull",
    "#########|#---#---#|#-@$--.-#|#-------#|#########": "rrr",
}
MOST_STEPS = 1_001


def solution(board: str, random: Random) -> str:
    """Return a solution, mostly with detours: both equal and different counts are useful."""
    steps = SHORTEST[board]
    for _detour in range(random.choice((0, 0, 1, 1, 2, 3))):
        at = random.randrange(len(steps))
        detour = random.choice(("lr", "rl", "ud", "du", "lurd", "rdlu"))
        longer = steps[:at] + detour + steps[at:]
        if rulebook.play(rulebook.board(board), longer).is_solved:
            steps = longer
    return steps


def text(board: str, random: Random) -> str:
    steps = solution(board, random)
    kind = random.random()
    if kind < 0.68:
        return random.choice((steps, steps, steps.lower(), steps + "lrlr", steps + "uuuuuuuu"))
    if kind < 0.80:
        return steps[: random.randrange(1, len(steps))]
    if kind < 0.90:
        at = random.randrange(len(steps))
        return steps[:at] + random.choice("lurd") + steps[at:]
    if kind < 0.95:
        return "".join(random.choice("lurdLURD") for _ in range(random.randrange(1, 60)))
    return random.choice(("rQ", "lurd?", "x", "lr" * (MOST_STEPS // 2 + 1)))
