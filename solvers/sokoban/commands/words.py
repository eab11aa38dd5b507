"""Text helpers shared by several commands."""


def number_of(number: int, singular: str, plural: str = "") -> str:
    """Return a number with its noun.

    >>> number_of(1, "move"), number_of(1200, "push", "pushes")
    ('1 move', '1,200 pushes')
    """
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"
