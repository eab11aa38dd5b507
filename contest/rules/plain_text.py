"""What a title may be made of: characters that are drawn, and none that turns or hides what stands beside it."""

import unicodedata

# What turns the direction of the words after it, on the whole page (Unicode's bidirectional controls).
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def first_unwanted(text: str) -> str:
    r"""The first character of *text* that no title holds, a control or one that turns the direction; else nothing.

    >>> first_unwanted("Chinese 中文, עברית"), first_unwanted("abc\u202edcba")
    ('', '\u202e')
    """
    return next((one for one in text if one in _TURNING or unicodedata.category(one) in ("Cc", "Zl", "Zp")), "")
