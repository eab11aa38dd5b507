"""One position: where the player and a box can go, and what that costs.

`floods` zones, regions and blocks; `macros` the macro moves of all boxes; `routes` macro moves as steps; `pushes` a
solution as pushes and back; `rooms` the rooms of the empty floor; `matching` boxes and goals matched at least cost;
`tables` small loops over tables.
"""
