"""Whole numbers as they stand in addresses and forms."""

_MOST_DIGITS = 18  # what the database's integers hold; Python refuses to read some thousands


def whole_number(text: str) -> int | None:
    """The number that *text* names with at most 18 ASCII digits; None for everything else.

    >>> whole_number("42"), whole_number("9" * 5000), whole_number("٣"), whole_number("")
    (42, None, None, None)
    """
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS else None
