"""Nicknames and their keys (rules 4.4, 4.5)."""

import unicodedata

import regex
from django.utils.translation import gettext as _

from contest.lookalikes import fold

MAX_GRAPHEMES = 32
MAX_CODE_POINTS = 128
# What a player is called whose data was erased (rule 15.6); exports have it in English, pages in the reader's language.
DELETED = "deleted player"
_REFUSED_CATEGORIES = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
_JOINERS = "\u200c\u200d"


class BadName(ValueError):
    """A nickname that cannot be used; `code` says why: empty, too_long, reserved or character (with `character`)."""

    def __init__(self, code: str, character: str = "") -> None:
        self.code = code
        self.character = character
        super().__init__(code)

    @property
    def words(self) -> str:
        """What is wrong, for the person."""
        if self.code == "empty":
            return _("A nickname is needed.")
        if self.code == "too_long":
            return _("A nickname has up to 32 characters.")
        if self.code == "reserved":
            return _("This nickname is reserved; choose another one.")
        return _("A nickname cannot hold the character U+%(code)04X.") % {"code": ord(self.character)}


def clean_nickname(text: str) -> str:
    """Rule 4.4: NFC, blanks trimmed and made single, 1 to 32 graphemes. Raise BadName.

    >>> clean_nickname("  Liu   Yi ")
    'Liu Yi'
    """
    if len(text) > 4 * MAX_CODE_POINTS:
        raise BadName("too_long")
    name = " ".join(unicodedata.normalize("NFC", text).split())
    graphemes = regex.findall(r"\X", name)
    if not graphemes:
        raise BadName("empty")
    for grapheme in graphemes:
        for at, character in enumerate(grapheme):
            joins = character in _JOINERS and 0 < at < len(grapheme) - (character == "\u200d")
            if unicodedata.category(character) in _REFUSED_CATEGORIES and not joins:
                raise BadName("character", character)
    if len(graphemes) > MAX_GRAPHEMES or len(name) > MAX_CODE_POINTS:
        raise BadName("too_long")
    if name_key(name) in _RESERVED:
        raise BadName("reserved")
    return name


def name_key(nickname: str) -> str:
    """Rule 4.5: equal keys are one nickname, one player.

    >>> name_key("STRASSE") == name_key("Straße"), name_key("Anna") == name_key("Аnna")
    (True, True)
    """
    blanks = " ".join(nickname.split())
    return fold(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", blanks).casefold()))


def no_key(number: int) -> str:
    """The key of player *number* who has lost the name: no nickname has it, for none begins with a tab."""
    return f"\t{number}"


def are_near(one: str, other: str) -> bool:
    """Whether two different name keys could be taken for each other: equal but for blanks and signs, or one edit apart.

    Names of fewer than four letters are short enough to be told apart, and few enough to be near by chance.

    >>> are_near("iiu yi", "iiu_yi"), are_near("martin", "martn"), are_near("ann", "ans")
    (True, True, False)
    """
    if one == other:
        return False
    if letters(one) == letters(other):
        return True
    return min(len(one), len(other)) >= 4 and _is_one_edit(*sorted((one, other), key=len))


def letters(key: str) -> str:
    """A name key without its blanks and signs; the whole key where it has nothing else."""
    return "".join(character for character in key if character.isalnum()) or key


def _is_one_edit(shorter: str, longer: str) -> bool:
    """Whether one letter put in, left out, changed, or swapped with its neighbour leads from one to the other."""
    at = next((at for at, pair in enumerate(zip(shorter, longer, strict=False)) if pair[0] != pair[1]), len(shorter))
    if len(shorter) < len(longer):
        return shorter[at:] == longer[at + 1 :]
    swapped = shorter[at + 1 : at + 2] + shorter[at : at + 1] + shorter[at + 2 :]
    return len(shorter) == len(longer) and longer[at:] in (swapped, longer[at : at + 1] + shorter[at + 1 :])


_RESERVED = {name_key(name) for name in (DELETED, "已删除的选手")}
