"""Boards that are vertices, found by hand and proved by `prove`.

Each port has its square at the border, where the man comes in from beside it while no box is there, and behind it a
square in a corner of a room, from where he pushes the box out. A room has no other way in: with a box in each of its
ports it is shut, and nothing in it moves again.
"""

from solvers.sokoban.machines.gadgets import Gadget

END = Gadget.parse("###|a-#|++#")
# A wire that the man can cross: its box goes along four squares, and leaves him a way in the middle at either end.
PASSABLE = Gadget.parse("+####+#####+|a-#-$----#-b|#---##-#---#|######+#####")
# Three ports, of which two may have their boxes.
OR = Gadget.parse("+####+|a-##-b|#----#|#-####|#--###|##c+##")
# Ports a and b may have their boxes, or c. The box inside stands on the left while a has its box. Once c has come, the
# man gets into its room only past the left square of that box and through the square of b: so both must be free.
AND = Gadget.parse("###++##|##-$--#|---##-#|-####-a|b-####+|#-#####|#--####|##c++##")
# Not a vertex but the aim of a level: behind the port's square is one box that lacks a push.
AIM = Gadget.parse("#--a#|#$#-+|#.###|#####")


def straight(width: int) -> Gadget:
    """A wire, two ports of which one may have its box: on the left and right of a board of *width*, 5 at least."""
    gap = width - 4
    return Gadget(("+" + "#" * (width - 2) + "+", f"a-{'#' * gap}-b", f"#{'-' * (width - 2)}#", "#" * width))


def corner(width: int, height: int) -> Gadget:
    """A wire that turns: a port on the left and one at the bottom, on a board of 4 by 5 at least."""
    wall = "#" * (width - 2)
    return Gadget(("+#" + wall, "a-" + wall, *["#-" + wall] * (height - 4), f"#{'-' * (width - 2)}#", wall + "b+"))


def bracket(height: int) -> Gadget:
    """A wire that turns back: two ports on its left, so many rows from one to the other, two at least."""
    return Gadget(("+##", "a-#", *["#-#"] * (height - 1), "b-#", "+##"))


def flip(gadget: Gadget) -> Gadget:
    """Upside down."""
    return Gadget(gadget.rows[::-1])


def mirror(gadget: Gadget) -> Gadget:
    """Left and right exchanged."""
    return Gadget(tuple(row[::-1] for row in gadget.rows))


def turn(gadget: Gadget) -> Gadget:
    """A quarter turn with the clock."""
    return Gadget(tuple("".join(column) for column in zip(*gadget.rows[::-1], strict=True)))
