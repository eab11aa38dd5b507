"""The MF8 alphabet: `H` wall, `_` floor, `a` player, `x` player on goal.

It avoids `#`, which is not allowed in a link's query; forums use it between `[soko=W,H]` and `[/soko]`.
"""

from solvers.sokoban.level import Level

_FROM_XSB = str.maketrans("#-@+", "H_ax")


def write(level: Level) -> str:
    """Encode *level* with rows of equal length joined by `|`.

    >>> write(Level.parse("#####|#@$.#|#####"))
    'HHHHH|Ha$.H|HHHHH'
    """
    return level.published_text.translate(_FROM_XSB)


def write_tagged(level: Level) -> str:
    """Encode *level* as a forum tag: `[soko=W,H]`, the rows, `[/soko]`."""
    return f"[soko={level.width},{level.height}]{write(level)}[/soko]"
