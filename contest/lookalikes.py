"""Letters and digits that look like another one: the fold of the name key (rule 4.5).

After Unicode's UTS #39, cut down to what nicknames need: Cyrillic, Greek, Armenian and Latin look-alikes and the
digits, all in lower case, each to the plain Latin letter it can be taken for.
"""

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
_FOLD = {ord(lookalike): plain for plain, group in _GROUPS.items() for lookalike in group}
# Lower-case l, i and the digit 1 are told apart by nobody.
_FOLD[ord("l")] = "i"
_FOLD[ord("1")] = _FOLD[ord("|")] = _FOLD[ord("ǀ")] = "i"


def fold(folded_name: str) -> str:
    """Replace every look-alike in a case-folded name."""
    return folded_name.translate(_FOLD)
