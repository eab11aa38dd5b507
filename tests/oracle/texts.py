"""Levels for random rounds, and texts that solve them, nearly solve them, or do not."""

from collections import deque
from functools import cache
from random import Random

from tests.oracle import rulebook

BOARDS = (
    "#######|#-----#|#-@$--#|#---.-#|#######",
    "########|#------#|#-@$.--#|#--$.--#|#------#|########",
    "#######|#--.--#|#-$---#|#--@--#|#--$.-#|#######",
    "#########|#-------#|#-$@-.--#|#-------#|#########",
    "######|#@---#|#-$--#|#--.-#|######",
    "########|#--.---#|#-@$$-.#|#------#|########",
    "#######|#.----#|#--$--#|#---@-#|#-----#|#######",
    "#########|#---#---#|#-@$--.-#|#-------#|#########",
)
MOST_STEPS = 1_001


@cache
def shortest(board: str) -> str:
    """Some solution with the fewest moves, by breadth-first search over whole states."""
    start = rulebook.board(board)
    queue = deque([(start, "")])
    seen = {(start.player, start.boxes)}
    while queue:
        level, steps = queue.popleft()
        for step, (down, right) in rulebook.STEPS.items():
            if not rulebook.play(level, step).is_possible:
                continue
            ahead = (level.player[0] + down, level.player[1] + right)
            beyond = (ahead[0] + down, ahead[1] + right)
            boxes = (level.boxes - {ahead}) | {beyond} if ahead in level.boxes else level.boxes
            if boxes == start.goals:
                return steps + step
            if (ahead, boxes) not in seen:
                seen.add((ahead, boxes))
                queue.append((rulebook.Board(level.walls, level.goals, boxes, ahead), steps + step))
    raise ValueError(board)


def solution(board: str, random: Random) -> str:
    """A solution, mostly with some detours: equal counts are as wanted as different ones."""
    steps = shortest(board)
    for _detour in range(random.choice((0, 0, 1, 1, 2, 3))):
        at = random.randrange(len(steps))
        detour = random.choice(("lr", "rl", "ud", "du", "lurd", "rdlu"))
        longer = steps[:at] + detour + steps[at:]
        if rulebook.play(rulebook.board(board), longer).is_solved:
            steps = longer
    return steps


def text(board: str, random: Random) -> str:
    """What somebody sends for *board*."""
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
