"""Colours that organisers choose: the contrast of text (WCAG 2.2), and the style sheet with them."""

import re
from collections.abc import Iterator

# Backgrounds of links and buttons in the light and the dark theme, as in site.css: --paper, --raised, --sunk, --hover.
GROUNDS = (("#faf7f0", "#fffdf9", "#f1eadc", "#f5efe2"), ("#141519", "#1c1e23", "#101115", "#24262d"))
# Contrast of text, level AA.
LEAST_CONTRAST = 4.5
_TINT = 0.1  # of the accent in the background of emphasised parts
_PAIR = re.compile(r"[0-9a-f]{6}-[0-9a-f]{6}")


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours such as "#a3321c", from 1 to 21.

    >>> contrast("#000000", "#ffffff")
    21.0
    """
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def worst_ground(accent: str, theme: int) -> tuple[float, str]:
    """Return the least contrast of *accent* and the background that has it; *theme* is 0 for light, 1 for dark."""
    return min((contrast(accent, ground), ground) for ground in (*GROUNDS[theme], _tint(accent, theme)))


def style_sheet(pair: str) -> str:
    """Return a style sheet for the accents of both themes. Raise ValueError unless *pair* is like "a3321c-ff9d7a"."""
    if not _PAIR.fullmatch(pair):
        raise ValueError(f"{pair!r} names no two colours")
    accents = [f"#{colour}" for colour in pair.split("-")]
    light, dark = (_tint(accent, theme) for theme, accent in enumerate(accents))
    return (
        f"@media not (prefers-contrast: more) {{ :root {{ --accent: light-dark({accents[0]}, {accents[1]}); "
        f"--accent-paper: light-dark({light}, {dark}); }} }}\n"
    )


def _tint(accent: str, theme: int) -> str:
    mixed = zip(_channels(accent), _channels(GROUNDS[theme][1]), strict=True)
    return "#" + "".join(f"{round(_TINT * colour + (1 - _TINT) * ground):02x}" for colour, ground in mixed)


def _luminance(colour: str) -> float:
    linear = [(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4) for part in _shares(colour)]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _shares(colour: str) -> Iterator[float]:
    return (channel / 255 for channel in _channels(colour))


def _channels(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour[1:]))
