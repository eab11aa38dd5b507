"""Indices of the options of a feature-space search."""

(O_MODE, O_INWARD, O_CORRAL, O_EXPLORER, O_CELLS, O_SEED, O_WEIGHTS, O_ONE_CELL, O_REMOVAL_WALK, O_DOUBT) = range(10)

# The cell of a state: of the best score on its path, of its own score, or of that and the boxes in each room
BY_PATH, BY_SCORE, BY_ROOM = range(3)
