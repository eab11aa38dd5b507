"""Characters allowed in titles: visible ones, except those that reverse or hide their neighbours."""

import unicodedata

# Characters that change the direction of the text after them, on the whole page (Unicode's bidirectional controls).
_DIRECTIONAL = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def first_unwanted(text: str) -> str:
    r"""Return the first control or direction-changing character of *text*, which titles may not have; else "".

    >>> first_unwanted("Chinese 中文, עברית"), first_unwanted("abc\u202edcba")
    ('', '\u202e')
    """
    return next(
        (
            character
            for character in text
            if character in _DIRECTIONAL or unicodedata.category(character) in ("Cc", "Zl", "Zp")
        ),
        "",
    )
