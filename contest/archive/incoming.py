"""A round as a file brings it, from an archive or from tables, before anything is written."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from contest.archive import checks, reader, verify
from contest.archive import format as archived
from contest.models import Note
from solvers import sokoban

_HAS_RESULTS = (archived.FINAL, archived.AWAITING)


class NotImported(ValueError):
    """Nothing of a file was brought in; *faults* say why, each with its place."""

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
class Imported:
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
            raise NotImported(*(f"{path.name}: {difference}" for difference in report.differences))
        with reader.Archive(path, is_large=is_large) as archive:
            about, boards = reader.round_of(archive), verify.levels_of(archive)
            published = archive.json(archived.RESULTS) if about["results"] in _HAS_RESULTS else None
            people, rows = archive.players(), list(archive.submissions())
    except (checks.BadArchive, OSError) as error:
        raise NotImported(f"{path.name}: {error}") from None
    if "cancelled" not in about and any(note["kind"] == Note.Kind.CANCELLED for note in about["notes"]):
        raise NotImported(
            f"{path.name}: the round was cancelled, and this archive of an older program gives it results. Take the "
            "archive anew where it comes from."
        )
    if about["results"] == archived.AWAITING:
        raise NotImported(
            f"{path.name}: something was ruled on since the last revision of the results. Publish a revision where it "
            "comes from, and take the archive then."
        )
    return Incoming(path.name, report.seal, about, boards, people, rows, published)
