"""Whole numbers in URLs and forms."""

_MAX_DIGITS = 18  # limit of the database's integers; Python refuses to parse thousands of digits


def whole_number(text: str) -> int | None:
    """Return *text* as a number if it is 1 to 18 ASCII digits, else None.

    >>> whole_number("42"), whole_number("9" * 5000), whole_number("٣"), whole_number("")
    (42, None, None, None)
    """
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS else None
