"""Boards that are vertices, designed by hand and verified by `prove_gadget`.

Each port has a border square, which the player can enter from the side while it has no box. Behind it is a square in a
corner of a room, from which the player pushes the box out. A room has no other entrance: with a box in each of its
ports it is shut, and no box in it moves again.
"""

from solvers.sokoban.machines.gadgets import Gadget

END = Gadget.parse("###|a-#|++#")
# A wire that the player can cross: its box moves over four squares and leaves a way in the middle at either end.
PASSABLE = Gadget.parse("+####+#####+|a-#-$----#-b|#---##-#---#|######+#####")
# Three ports; at most two hold their boxes.
OR = Gadget.parse("+####+|a-##-b|#----#|#-####|#--###|##c+##")
# Either a and b hold their boxes, or c does. The inner box is on the left while a holds its box. Once c's box is in,
# the player enters its room only past the left square of the inner box and through b's square: both must be free.
AND = Gadget.parse("###++##|##-$--#|---##-#|-####-a|b-####+|#-#####|#--####|##c++##")
# Not a vertex but a level's objective: behind the port square is one box that needs one more push.
AIM = Gadget.parse("#--a#|#$#-+|#.###|#####")


def straight(width: int) -> Gadget:
    """Return a wire on a board of *width* >= 5, with ports at the left and right; one port may hold its box."""
    gap = width - 4
    return Gadget(("+" + "#" * (width - 2) + "+", f"a-{'#' * gap}-b", f"#{'-' * (width - 2)}#", "#" * width))


def corner(width: int, height: int) -> Gadget:
    """Return a wire with a bend: ports at the left and the bottom, on a board of at least 4 by 5."""
    wall = "#" * (width - 2)
    return Gadget(("+#" + wall, "a-" + wall, *["#-" + wall] * (height - 4), f"#{'-' * (width - 2)}#", wall + "b+"))


def bracket(height: int) -> Gadget:
    """Return a U-shaped wire: two ports on its left, *height* rows apart, at least two."""
    return Gadget(("+##", "a-#", *["#-#"] * (height - 1), "b-#", "+##"))


def flip(gadget: Gadget) -> Gadget:
    """Return the board mirrored top to bottom."""
    return Gadget(gadget.rows[::-1])


def mirror(gadget: Gadget) -> Gadget:
    """Return the board mirrored left to right."""
    return Gadget(tuple(row[::-1] for row in gadget.rows))


def turn(gadget: Gadget) -> Gadget:
    """Return the board rotated clockwise by a quarter turn."""
    return Gadget(tuple("".join(column) for column in zip(*gadget.rows[::-1], strict=True)))
