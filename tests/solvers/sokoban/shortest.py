"""Slow, obvious searches over all positions of a level: the oracle of what is shortest.

A set of squares is a number with a bit for each. Only squares from which a box alone on the board cannot be pushed to
any goal are left out: a box there is lost. A solution has a push, even where all boxes stand on goals already.
"""

from solvers.sokoban.arena import BLOCKED, CRATE, OUTSIDE


def fewest_moves(level):
    """The moves of a shortest solution, or None where there is none. Breadth first, one step a layer.

    A layer says of each set of boxes where the man may be by now and could not be before.
    """
    board = Board(level)
    unseen = Unseen(board)
    unseen[board.boxes] ^= board.man
    layer, depth = {board.boxes: board.man}, 0
    while layer:
        following, depth = {}, depth + 1
        for boxes, men in layer.items():
            near = board.beside(men)
            if walked := near & unseen[boxes]:
                unseen[boxes] ^= walked
                following[boxes] = following.get(boxes, 0) | walked
            for man, moved in board.pushes(men, boxes) if near & boxes else ():
                if moved == board.goals:
                    return depth
                if man & unseen[moved]:
                    unseen[moved] ^= man
                    following[moved] = following.get(moved, 0) | man
        layer = following
    return None


def fewest_pushes(level):
    """The pushes of a solution with the fewest, or None. Breadth first over walking regions, one push a layer."""
    board = Board(level)
    unseen = Unseen(board)
    start = board.region(board.man, unseen[board.boxes])
    unseen[board.boxes] ^= start
    layer, depth = [(board.boxes, start)], 0
    while layer:
        following, depth = [], depth + 1
        for boxes, men in layer:
            for man, moved in board.pushes(men, boxes):
                if moved == board.goals:
                    return depth
                if man & unseen[moved]:
                    region = board.region(man, unseen[moved])
                    unseen[moved] ^= region
                    following.append((moved, region))
        layer = following
    return None


class Board:
    def __init__(self, level):
        arena = level.arena
        squares = range(len(arena.squares))
        self.stride = arena.stride
        self.man = 1 << arena.start
        self.boxes = sum(1 << square for square in squares if arena.squares[square] == CRATE)
        self.goals = sum(1 << square for square in squares if arena.goals[square])
        self.floor = sum(1 << square for square in squares if arena.squares[square] not in (BLOCKED, OUTSIDE))
        self.useful = self.goals
        while more := self._pulled(self.useful) & ~self.useful:
            self.useful |= more

    def beside(self, squares):
        return squares >> 1 | squares << 1 | squares >> self.stride | squares << self.stride

    def region(self, man, free):
        """The *free* squares to which the man can walk."""
        region = man
        while further := self.beside(region) & free & ~region:
            region |= further
        return region

    def pushes(self, men, boxes):
        """For each push of a man on any of *men*, where he stands after it, and the boxes."""
        for delta in (-1, 1, -self.stride, self.stride):
            pushed = shift(men, delta) & boxes & shift(self.useful & ~boxes, -delta)
            while pushed:
                box = pushed & -pushed
                yield box, boxes ^ box ^ shift(box, delta)
                pushed ^= box

    def _pulled(self, boxes):
        """The squares from which a box alone gets to any of *boxes* by one push."""
        pulled = 0
        for delta in (-1, 1, -self.stride, self.stride):
            pulled |= shift(boxes, -delta) & self.floor & shift(self.floor, delta)
        return pulled


class Unseen(dict):
    """Of each set of boxes the squares where the man was not yet."""

    def __init__(self, board):
        super().__init__()
        self.floor = board.floor

    def __missing__(self, boxes):
        self[boxes] = self.floor & ~boxes
        return self[boxes]


def shift(squares, delta):
    return squares << delta if delta > 0 else squares >> -delta
