"""The form of *Add a level*, and the list that shows how each line of an upload is read."""

import zlib
from base64 import b64decode, b64encode
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from contest.desk.forms import BOARD
from contest.library import collection_import, packed_files
from contest.wording.readings import READINGS, ROLES, describe_reading
from contest.wording.verdicts import describe_error
from solvers.errors import PuzzleError
from solvers.sokoban.formats import Entry, Stated
from solvers.sokoban.formats.files.roles import ReadLine, Role, read_lines
from solvers.sokoban.formats.files.wrappers import ALPHABETS

AT_ONCE = 262_144  # bytes; a worker reads larger uploads, and only the beginning is shown by lines
_MOST_LINES = 2_000
_LONGEST_LINE = 500  # characters shown
MOST_HELD = 8 * 1024 * 1024  # characters: with the pasted text less than a request may have

ENCODINGS = (
    ("utf-8", "UTF-8"),
    ("gb18030", "GB18030, GBK"),
    ("big5hkscs", "Big5"),
    ("cp932", "Shift-JIS"),
    ("euc_jis_2004", "EUC-JP"),
    ("cp949", "EUC-KR"),
    ("cp1252", "Windows-1252"),
    ("cp1250", "Windows-1250"),
    ("cp1251", "Windows-1251"),
    ("koi8-r", "KOI8-R"),
    ("cp866", "CP866"),
)


class BringForm(forms.Form):
    """Levels in any supported format, pasted or uploaded as a file.

    The page is shown again with the file in *held*, so that choices can be changed without choosing the file again.
    """

    pasted = forms.CharField(
        label=_("Level, with its solution if you have one"),
        required=False,
        strip=False,
        widget=forms.Textarea({**BOARD, "rows": 10}),
        help_text=_("XSB and LURD together, or anything else with levels: .sok, .slc, MF8 text, SokoPlayer links."),
    )
    file = forms.FileField(
        label=_("Or a file"),
        required=False,
        help_text=_(
            "Or a ZIP of several files. Up to 10 MiB, also when unpacked. A large collection is read in the background."
        ),
    )
    encoding = forms.ChoiceField(
        label=_("Encoding"), required=False, choices=[("", _("decide from the file")), *ENCODINGS]
    )
    names = forms.ChoiceField(
        label=_("Names of levels"),
        required=False,
        choices=[
            ("", _("decide from the file")),
            ("above", _("above their boards")),
            ("below", _("below their boards")),
        ],
    )
    alphabet = forms.ChoiceField(
        label=_("Characters of the boards"),
        required=False,
        choices=[
            ("", _("decide from the file")),
            *(
                (
                    name,
                    format_lazy(
                        _("{wall} wall, {box} box, {home} box on goal"), wall=sign[0], box=sign[1], home=sign[2]
                    ),
                )
                for name, sign in ALPHABETS.items()
            ),
        ],
    )
    held = ""

    def clean(self) -> dict[str, Any]:
        """Add the *data* to read, text or bytes, with its *name*, and how it is *stated* to be read."""
        cleaned = super().clean() or self.cleaned_data
        file, pasted = cleaned.get("file"), cleaned.get("pasted", "")
        cleaned |= {"data": pasted, "name": ""}
        if file and file.size > collection_import.MOST_BYTES:
            self.add_error(
                "file",
                _("The file has %(size)s bytes; the limit is %(most)s. Split it and upload the parts one by one.")
                % {"size": f"{file.size:,}", "most": f"{collection_import.MOST_BYTES:,}"},
            )
        elif file:
            cleaned |= {"data": file.read(), "name": file.name}
        elif self.data.get("held") and not pasted.strip():
            cleaned |= {"data": self._unpack(self.data["held"]), "name": self.data.get("held_name", "")[:200]}
        elif not pasted.strip() and not self.errors:
            self.add_error("pasted", _("Paste a level, or choose a file."))
        if isinstance(cleaned["data"], bytes):
            packed = b64encode(zlib.compress(cleaned["data"], 6)).decode()
            self.held = packed if len(packed) <= MOST_HELD else ""
        if self.held:
            self["file"].help_text = gettext(
                "The file %(name)s is still chosen. To read something else, paste it or choose another file."
            ) % {"name": cleaned["name"]}
        names_above = {"above": True, "below": False}.get(cleaned.get("names", ""))
        cleaned["stated"] = Stated(cleaned.get("encoding", ""), names_above, cleaned.get("alphabet", ""))
        return cleaned

    def _unpack(self, held: str) -> bytes:
        with suppress(ValueError, zlib.error):
            unpacked = zlib.decompressobj().decompress(b64decode(held), collection_import.MOST_BYTES)
            if unpacked:
                return unpacked
        raise ValidationError({"file": [_("Choose the file again.")]})


@dataclass(frozen=True)
class ShownLine:
    """A line of an upload, how it is read, and remarks about it. *level* names the level that begins here."""

    number: int
    text: str
    roles: str
    remarks: list[str]
    level: str = ""


@dataclass(frozen=True)
class ShownFile:
    """A file of an upload, by its lines; pasted text has no name."""

    name: str
    lines: list[ShownLine]


def show_files(data: str | bytes, stated: Stated) -> list[ShownFile]:
    """Return how each line of an upload is read. Raise PuzzleError for a file that is not text."""
    parts: list[tuple[str, str | bytes]] = [("", data)]
    if isinstance(data, bytes):
        parts = [(file.name, file.data) for file in packed_files.files_of(data, collection_import.MOST_BYTES)]
    files: list[ShownFile] = []
    left = _MOST_LINES
    for name, content in parts:
        lines = read_lines(content[:AT_ONCE], stated)[:left] if left else []
        previous = [(), *(line.roles for line in lines)]
        files.append(ShownFile(name, [_show_line(*pair) for pair in zip(lines, previous, strict=False)]))
        left -= len(lines)
    return files


def _show_line(line: ReadLine, before: tuple[Role, ...]) -> ShownLine:
    """Describe *line*; *before* are the roles of the line before it. An unreadable board is named at its first row."""
    roles = (Role.ROW,) if line.roles == before == (Role.FAULTY_ROW,) else line.roles
    remarks = [
        describe_error(remark) if isinstance(remark, PuzzleError) else describe_reading(remark.code, 0, remark.values)
        for remark in line.remarks
        if isinstance(remark, PuzzleError) or remark.code in READINGS
    ]
    return ShownLine(
        line.number,
        line.text[:_LONGEST_LINE],
        ", ".join(str(ROLES[role]) for role in roles),
        remarks,
        _name_level(line.begins) if line.begins else "",
    )


def _name_level(entry: Entry) -> str:
    """Return number and title of a level, by which a person sees whether names are above or below."""
    text = gettext("Level %(number)s: %(title)s") if entry.title else gettext("Level %(number)s, without a title")
    return text % {"number": entry.number, "title": entry.title}
