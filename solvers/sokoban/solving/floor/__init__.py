"""Queries on one position: where the player and a box can go, and at what cost.

`floods` zones, regions and blocks; `macros` the macro moves of all boxes; `routes` macro moves as steps; `pushes` a
solution as pushes and back; `rooms` the rooms of the empty floor; `squares` those of boxes, and the states of two
boxes; `hotspots` boxes in the way of others; `matching` minimum-cost matching of boxes and goals; `tables` small loops
over tables.
"""
