"""Nicknames and their keys (rules 4.4, 4.5)."""

import unicodedata

import regex
from django.utils.translation import gettext as _

from contest.players.titles import speaks_for_site
from contest.rules.confusables import fold, look

MAX_GRAPHEMES = 32
MAX_CODE_POINTS = 128
# The displayed name of a player with erased data (rule 15.6); English in exports, the reader's language on pages.
DELETED = "deleted player"
_REFUSED_CATEGORIES = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
_JOINERS = "\u200c\u200d"
MOST_MARKS = 2  # per letter: a Vietnamese ệ has two
MOST_SIGNS_OF_A_SCRIPT = 4  # Tibetan stacks letters as combining marks, Hebrew points them
LONGEST_KEY = 512
_GRAPHEME, _MARK, _OF_ALL_SCRIPTS = map(regex.compile, (r"\X", r"\p{M}", r"\p{Script=Inherited}"))
# Characters rendered as blank, although Unicode does not list them as ignorable.
_BLANK = "\u2800\ufffc\U00016fe4\U0001d159"
_VISIBLE = regex.compile(
    rf"[\p{{L}}\p{{N}}\p{{Extended_Pictographic}}\p{{RI}}--\p{{Default_Ignorable_Code_Point}}{_BLANK}]", regex.V1
)
_UNSEEN = regex.compile(
    rf"[\p{{Default_Ignorable_Code_Point}}{_BLANK}]"
    # Except where it shapes adjacent characters: in pictographs, after a virama, between Arabic letters.
    r"(?<!\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?[\u200d\ufe0f]|[0-9#*]\ufe0f|\p{CCC=9}[\u200c\u200d])"
    r"(?<!\p{Script=Arabic}\u200c(?=\p{Script=Arabic}))"
)


# Marks of no letter, such as a low line or an overlay: only the marks of composed letters, of a keycap, and U+0329 of
# Yoruba have a place in names.
_LETTERS_MARKS = {
    mark
    for code in range(0xC0, 0x2000)
    if unicodedata.category(chr(code)).startswith("L")
    for mark in unicodedata.normalize("NFD", chr(code))[1:]
}
_STRAY_MARK = (
    rf"[\p{{M}}&&\p{{scx=Inherited}}--\p{{Default_Ignorable_Code_Point}}--[{''.join(sorted(_LETTERS_MARKS))}\u0329]]"
    r"(?<![0-9#*]\ufe0f?\u20e3)"
)
# Marks of another script on a letter of a script whose letters most others resemble.
_FOREIGN_MARK = "|".join(
    rf"\p{{Script={script}}}\p{{M}}*[\p{{M}}--\p{{scx={script}}}--\p{{scx=Inherited}}]"
    for script in ("Latin", "Greek", "Cyrillic", "Han")
)
# Letters of scripts with many look-alikes, which Unicode's table lists only in part, in a word with letters of these.
_COMMON = r"[\p{Latin}\p{Greek}\p{Cyrillic}]"
_LOOKALIKE = (
    r"[\p{Coptic}\p{Cherokee}\p{Lisu}\p{Old_Italic}\p{Gothic}\p{Deseret}\p{Osage}\p{Lycian}\p{Carian}\p{Lydian}"
    r"\p{Tifinagh}]"
)
_MIXED = rf"{_COMMON}[\p{{L}}\p{{M}}]*{_LOOKALIKE}|{_LOOKALIKE}(?=[\p{{L}}\p{{M}}]*{_COMMON})"
_ALIEN = regex.compile(f"{_STRAY_MARK}|{_FOREIGN_MARK}|{_MIXED}", regex.V1)


class BadName(ValueError):
    """A nickname that cannot be used; `code` has the reason.

    One of empty, too_long, reserved, resting, invisible, marks or character (with `character`).
    """

    def __init__(self, code: str, character: str = "") -> None:
        self.code = code
        self.character = character
        super().__init__(code)

    @property
    def message(self) -> str:
        """Return the error message for the user."""
        if self.code == "empty":
            return _("Enter a nickname.")
        if self.code == "too_long":
            return _("A nickname has up to 32 characters.")
        if self.code == "reserved":
            return _("This nickname is reserved; choose another one.")
        if self.code == "resting":
            return _("The player with this nickname deleted it less than a year ago; choose another one.")
        if self.code == "invisible":
            return _("A nickname needs at least one visible letter, digit or symbol.")
        if self.code == "marks":
            return _("A letter in a nickname can have at most two accents or other marks.")
        return _("A nickname cannot contain the character U+%(code)04X.") % {"code": ord(self.character)}


def clean_nickname(text: str) -> str:
    """Return *text* cleaned by rule 4.4: NFC, blanks trimmed and collapsed, 1 to 32 graphemes. Raise BadName.

    >>> clean_nickname("  Liu   Yi ")
    'Liu Yi'
    """
    if len(text) > 4 * MAX_CODE_POINTS:
        raise BadName("too_long")
    name = " ".join(unicodedata.normalize("NFC", text).split())
    graphemes = _GRAPHEME.findall(name)
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


def check_new(nickname: str) -> None:
    """Check an unused name (rule 4.4): entirely visible, in common letters and marks, and no title. Raise BadName.

    Names from before this rule remain valid: they need only pass `clean_nickname`.
    """
    if unseen := _UNSEEN.search(nickname):
        raise BadName("character", unseen[0])
    if not _VISIBLE.search(nickname):
        raise BadName("invisible")
    if any(map(_is_overloaded, _GRAPHEME.findall(unicodedata.normalize("NFD", nickname)))):
        raise BadName("marks")
    if alien := _ALIEN.search(unicodedata.normalize("NFD", nickname)):
        raise BadName("character", alien[0][-1])
    if max(len(look(nickname)), len(name_key(nickname))) > LONGEST_KEY:
        raise BadName("too_long")
    if speaks_for_site(nickname):
        raise BadName("reserved")


def _is_overloaded(grapheme: str) -> bool:
    """Return True if a letter has more marks than real text: common marks, or its own script's signs."""
    marks = _MARK.findall(grapheme)
    foreign = sum(bool(_OF_ALL_SCRIPTS.match(mark)) for mark in marks) - grapheme.count("\ufe0f")
    bases = max(1, len(grapheme) - len(marks))
    return foreign > MOST_MARKS or len(marks) > MOST_SIGNS_OF_A_SCRIPT * bases


def keys(nickname: str) -> dict[str, str]:
    """Return the lookup keys that a player's row stores with a nickname (rule 4.5)."""
    return {"name_key": name_key(nickname), "look_key": look(nickname)[:LONGEST_KEY]}


def no_keys(number: int) -> dict[str, str]:
    """Return keys for player *number* after the loss of the name: no nickname matches them."""
    return {"name_key": no_key(number), "look_key": ""}


def name_key(nickname: str) -> str:
    """Return the key of a nickname: equal keys are one nickname, one player (rule 4.5).

    >>> name_key("STRASSE") == name_key("Straße"), name_key("Anna") == name_key("Аnna")
    (True, True)
    """
    blanks = " ".join(nickname.split())
    return fold(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", blanks).casefold()))


def no_key(number: int) -> str:
    """Return a key for player *number* after the loss of the name: it starts with a tab, as no nickname does."""
    return f"\t{number}"


def are_near(key: str, other_key: str) -> bool:
    """Return True if two different name keys are confusable: equal without blanks and signs, or one edit apart.

    Names of fewer than four letters are exempt: easy to tell apart, and too often close by chance.

    >>> are_near("iiu yi", "iiu_yi"), are_near("martin", "martn"), are_near("ann", "ans")
    (True, True, False)
    """
    if key == other_key:
        return False
    if letters(key) == letters(other_key):
        return True
    return min(len(key), len(other_key)) >= 4 and _differ_by_one_edit(*sorted((key, other_key), key=len))


def letters(key: str) -> str:
    """Return a name key without blanks and signs, or the whole key if it has nothing else."""
    return "".join(character for character in key if character.isalnum()) or key


def _differ_by_one_edit(shorter: str, longer: str) -> bool:
    """Return True if the strings differ by one letter inserted, deleted or changed, or two neighbours swapped."""
    at = next((at for at, pair in enumerate(zip(shorter, longer, strict=False)) if pair[0] != pair[1]), len(shorter))
    if len(shorter) < len(longer):
        return shorter[at:] == longer[at + 1 :]
    swapped = shorter[at + 1 : at + 2] + shorter[at : at + 1] + shorter[at + 2 :]
    return len(shorter) == len(longer) and longer[at:] in (swapped, longer[at : at + 1] + shorter[at + 1 :])


_RESERVED = {name_key(name) for name in (DELETED, "已删除的选手")}
