"""Indices of the options of a feature-space search."""

# O_BY_ROOM: the cell of a state is that of its own score and the boxes in each room, not of the best score on its path
O_MODE, O_BY_ROOM, O_SEED, O_DOUBT = range(4)
