"""Slow, obvious searches over all positions of a level: the oracle of what is shortest.

Only squares from which a box alone on the board cannot be pushed to any goal are left out: a box there is lost.
"""

from solvers.sokoban.arena import BLOCKED, CRATE, OUTSIDE


def fewest_moves(level):
    """The moves of a shortest solution, or None where there is none. Breadth first, one step a layer."""
    return _search(level, _after_a_step)


def fewest_pushes(level):
    """The pushes of a solution with the fewest, or None. Breadth first over walking regions, one push a layer."""
    return _search(level, _after_a_push)


def _search(level, after):
    arena = level.arena
    squares = range(len(arena.squares))
    walls = {square for square in squares if arena.squares[square] in (BLOCKED, OUTSIDE)}
    boxes = frozenset(square for square in squares if arena.squares[square] == CRATE)
    goals = frozenset(square for square in squares if arena.goals[square])
    steps = [arena.deltas[letter] for letter in "lurd"]
    useful = _useful(goals, walls, steps)
    layer, seen, depth = [(arena.start, boxes)], {(arena.start, boxes)}, 0
    while layer:
        following, depth = [], depth + 1
        for man, standing in layer:
            for state in after(man, standing, walls, steps):
                if state in seen or not state[1] <= useful:
                    continue
                if state[1] == goals != standing:
                    return depth
                seen.add(state)
                following.append(state)
        layer = following
    return None


def _useful(goals, walls, steps):
    seen, todo = set(goals), list(goals)
    while todo:
        box = todo.pop()
        for step in steps:
            if not {box - step, box - 2 * step} & walls and box - step not in seen:
                seen.add(box - step)
                todo.append(box - step)
    return seen


def _after_a_step(man, standing, walls, steps):
    for step in steps:
        ahead, beyond = man + step, man + 2 * step
        if ahead in walls:
            continue
        if ahead not in standing:
            yield ahead, standing
        elif beyond not in walls and beyond not in standing:
            yield ahead, (standing - {ahead}) | {beyond}


def _after_a_push(man, standing, walls, steps):
    region = _region(man, standing, walls, steps)
    for box in standing:
        for step in steps:
            beyond = box + step
            if box - step in region and beyond not in walls and beyond not in standing:
                moved = (standing - {box}) | {beyond}
                yield min(_region(box, moved, walls, steps)), moved


def _region(man, standing, walls, steps):
    seen, todo = {man}, [man]
    while todo:
        at = todo.pop()
        for step in steps:
            if (to := at + step) not in seen and to not in walls and to not in standing:
                seen.add(to)
                todo.append(to)
    return seen
