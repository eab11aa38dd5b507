"""Confusable characters in nicknames (rule 4.5).

`fold` is part of the name key: a few look-alikes in lower case, which never change. `look` is a name's visual form by
all of Unicode's confusables (UTS #39, `confusables.txt` as published): no new name may share another's.
"""

import string
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path

import regex

CONFUSABLES = Path(__file__).with_name("confusables.txt")
_INVISIBLE = regex.compile(r"\p{Default_Ignorable_Code_Point}")

_GROUPS = {
    "a": "аɑαа",
    "b": "ƅьЬ",
    "c": "сϲƈ",
    "d": "ԁɗ",
    "e": "еҽ℮",
    "f": "ƒք",
    "g": "ɡց",
    "h": "һհ",
    "i": "іιɩӏıլ",
    "j": "јϳյ",
    "k": "кκӄ",
    "l": "1|ǀן",
    "m": "м",
    "n": "ոռ",
    "o": "0оοօσ",
    "p": "рρƿ",
    "q": "ԛգզ",
    "r": "гᴦ",
    "s": "ѕꜱ",
    "t": "тτ",
    "u": "υսʋ",
    "v": "νѵ",
    "w": "ѡωԝա",
    "x": "хχ×",
    "y": "уγүყ",
    "z": "ᴢ",
}
_COPTIC = {
    "ALFA": "ALPHA", "VIDA": "BETA", "DALDA": "DELTA", "ZATA": "ZETA", "HATE": "ETA", "THETHE": "THETA",
    "IAUDA": "IOTA", "MI": "MU", "NI": "NU", "KSI": "XI", "PI": "PI", "TAU": "TAU", "UA": "UPSILON",
    "PSI": "PSI",
}  # fmt: skip
_FOLD = {ord(lookalike): plain for plain, group in _GROUPS.items() for lookalike in group}
# Nobody can tell lower-case l, i and the digit 1 apart.
_FOLD[ord("l")] = "i"
_FOLD[ord("1")] = _FOLD[ord("|")] = _FOLD[ord("ǀ")] = "i"


def fold(folded_name: str) -> str:
    """Replace every look-alike in a case-folded name."""
    return folded_name.translate(_FOLD)


def look(name: str) -> str:
    """Return the visual form of *name*: names with the same look are confusable, regardless of case.

    Look-alikes are resolved before case is folded: a Greek capital Η looks like H, and its small η like n.

    >>> look("ΝΙΝΑ") == look("nina"), look("Bernd") == look("Bemd"), look("Ann") == look("Ana")
    (True, True, False)
    """
    table = confusables()
    whole = "".join(table.get(character, character) for character in unicodedata.normalize("NFC", name))
    visible = _INVISIBLE.sub("", unicodedata.normalize("NFD", whole))
    return " ".join(unicodedata.normalize("NFC", "".join(map(_letter, visible))).split())


@cache
def confusables() -> dict[str, str]:
    """Return each character with the text that it is confusable with: Unicode's table, and further Coptic letters."""
    return _coptic() | of_unicode()


def of_unicode() -> dict[str, str]:
    """Return Unicode's own table."""
    lines = (line.partition("#")[0].split(";") for line in CONFUSABLES.read_text("utf-8-sig").splitlines())
    return {_text(fields[0]): _text(fields[1]) for fields in lines if len(fields) == 3}


def _coptic() -> dict[str, str]:
    """Return the Coptic letters that have the shape of a Greek capital; Unicode's table has only some."""
    return {
        unicodedata.lookup(f"COPTIC {case} LETTER {coptic}"): unicodedata.lookup(f"GREEK CAPITAL LETTER {greek}")
        for coptic, greek in _COPTIC.items()
        for case in ("CAPITAL", "SMALL")
    }


def _text(code_points: str) -> str:
    return "".join(chr(int(code, 16)) for code in code_points.split())


@lru_cache(20_000)
def _letter(character: str) -> str:
    """Return the one or more letters that a character looks like."""
    table, class_of = confusables(), _classes()
    if len(table.get(character, "")) < 2 and character in class_of:
        # A class is represented by its Latin letter, and by several (m like rn) if that letter looks like them.
        character = min(
            class_of[character],
            key=lambda candidate: (not candidate.isascii(), len(table.get(candidate, "")) < 2, candidate),
        )
    target = table.get(character, "")
    if len(target) > 1:
        return "".join(map(_letter, unicodedata.normalize("NFD", target)))
    plain = unicodedata.normalize("NFKD", character).casefold()
    is_its_own = plain == character or plain in class_of.get(character, ())
    return plain if is_its_own else "".join(map(_letter, plain))


@cache
def _classes() -> dict[str, set[str]]:
    """Return the classes of characters linked by look or by case, by character.

    If a capital and its small letter look like two different Latin letters (Ν and ν like N and v), they are not linked:
    otherwise those two letters would be merged.
    """
    table = confusables()
    class_of: dict[str, set[str]] = {}

    def join(first: str, second: str) -> None:
        small, large = sorted((class_of.get(letter, {letter}) for letter in (first, second)), key=len)
        for letter in small:
            large.add(letter)
        for letter in (*small, *large):
            class_of[letter] = large

    for character, target in table.items():
        if len(target) == 1:
            join(character, target)
    for letter in string.ascii_uppercase:
        with suppress(KeyError):  # there is no small capital X
            join(letter, unicodedata.lookup(f"LATIN LETTER SMALL CAPITAL {letter}"))
    for character in sorted({*table, *class_of}):
        for twin in _twins(character):
            plain, second = (_latin(class_of.get(first, {first})) for first in (character, twin))
            if not plain or not second or plain & second:
                join(character, twin)
    return class_of


def _twins(character: str) -> Iterator[str]:
    """Yield the other case of *character*, if it is a single letter."""
    for twin in (character.casefold(), character.lower(), character.upper()):
        if len(twin) == 1 and twin != character:
            yield twin


def _latin(letters: Iterable[str]) -> set[str]:
    return {letter.casefold() for letter in letters if letter.isascii() and letter.isalnum()}
