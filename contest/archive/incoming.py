"""A round as a file brings it, from an archive or from tables, before anything is written."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from contest.archive import checks, reader, verify
from contest.archive import format as archived
from contest.models import Note
from contest.wording.verdicts import error_words
from solvers import sokoban
from solvers.errors import PuzzleError

_HAS_RESULTS = (archived.FINAL, archived.AWAITING)


class NotImported(ValueError):
    """Nothing of a file was brought in; *faults* say why, each with its place, in the language of who reads."""

    def __init__(self, *faults: str) -> None:
        self.faults = faults
        super().__init__("\n".join(faults))


@dataclass(frozen=True)
class Incoming:
    """A round as a file has it. *about* is what `round.json` holds; *seal* names the file's contents.

    *published* is the document of a final round's results; *has_numbers* says whether the players' numbers are theirs,
    or only this file's.
    """

    source: str
    seal: str
    about: Mapping[str, Any]
    boards: Mapping[str, sokoban.Level]
    players: Mapping[int, archived.Player]
    rows: list[archived.Submission] = field(repr=False)
    published: Mapping[str, Any] | None = field(repr=False)
    has_numbers: bool = True

    @property
    def number(self) -> int:
        return int(self.about["number"])


@dataclass(frozen=True)
class ImportedRound:
    """What became of one round: *is_new* unless the very same was brought in before."""

    number: int
    is_new: bool
    submissions: int = 0
    not_replayed: int = 0
    new_players: tuple[str, ...] = ()
    known_players: tuple[str, ...] = ()


def read_archive(path: Path, *, is_large: bool = False) -> Incoming:
    """Read an archive that verifies. Raise NotImported."""
    try:
        report = verify.verify(path, is_large=is_large)
        if report.differences:
            raise NotImported(*(_complaint(path, difference) for difference in report.differences))
        with reader.Archive(path, is_large=is_large) as archive:
            about, boards = reader.round_of(archive), verify.levels_of(archive)
            published = archive.json(archived.RESULTS) if about["results"] in _HAS_RESULTS else None
            people, rows = archive.players(), list(archive.submissions())
    except (checks.BadArchive, OSError) as error:
        raise NotImported(_complaint(path, error)) from None
    if "cancelled" not in about and any(note["kind"] == Note.Kind.CANCELLED for note in about["notes"]):
        raise NotImported(
            _(
                "%(file)s: the round was cancelled, and this archive of an older program gives it results. Take the "
                "archive anew where it comes from."
            )
            % {"file": path.name}
        )
    if about["results"] == archived.AWAITING:
        raise NotImported(
            _(
                "%(file)s: something was ruled on since the last revision of the results. Publish a revision where it "
                "comes from, and take the archive then."
            )
            % {"file": path.name}
        )
    return Incoming(path.name, report.seal, about, boards, people, rows, published)


def _complaint(path: Path, said: object) -> str:
    """What the verifier says, which speaks English alone: it runs where there is no site."""
    return _("%(file)s: the archive does not verify: %(said)s") % {"file": path.name, "said": said}


def too_large(name: str, most: int) -> str:
    """That a file has more than *most* bytes."""
    return _("%(file)s has more than %(most)s bytes.") % {"file": name, "most": f"{most:,}"}


def unreadable(name: str, error: OSError | PuzzleError) -> str:
    """That a file cannot be read; nothing of the folder it lies in."""
    if isinstance(error, FileNotFoundError):
        return _("%(file)s: this file is missing.") % {"file": name}
    why = error_words(error) if isinstance(error, PuzzleError) else error.strerror or ""
    return _("%(file)s: cannot be read (%(why)s).") % {"file": name, "why": why}
