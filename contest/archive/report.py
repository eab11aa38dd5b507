"""The findings of verifying an archive, and their text."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TextIO

from contest.archive.format import AWAITING, CANCELLED, FINAL, PROVISIONAL
from contest.archive.proofs import provenance

MAX_SHOWN = 50


@dataclass(frozen=True)
class Difference:
    """Something in an archive that is not as it should be."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


@dataclass
class Report:
    """The findings: counts of verified items, and everything that differs."""

    round: int = 0
    track: str = ""  # empty: the main track
    engine: int = 0
    state: str = ""
    seal: str = ""
    replayed: int = 0
    not_published: int = 0
    never_known: int = 0
    unread: int = 0  # solutions that cannot be compared with the text that was sent
    links: int = 0
    ranked: int = 0
    format: int = 1
    revisions: int = 0
    bare: int = 0  # leaves that are not opened
    takes_sealed: bool = False
    sealed: int = 0  # sealed answers; `opened` counts the opened ones
    opened: int = 0
    beacon_round: int | None = None  # the one that the last closing binds
    is_bound: bool = False  # whether a link binds the opening
    remarks: list[str] = field(default_factory=list)  # what the archive says, and cannot prove, of its entries
    trusted: list[str] = field(default_factory=list)  # messages on facts that agree with the user's
    differences: list[Difference] = field(default_factory=list)

    def differs(self, where: str, what: str) -> None:
        self.differences.append(Difference(where, what))


def print_line(line: str, to: TextIO) -> None:
    """Print a line that may quote the archive; escape control characters and what *to* cannot encode."""
    printable = "".join(character if character.isprintable() else repr(character)[1:-1] for character in line)
    print(printable.encode(to.encoding or "ascii", "backslashreplace").decode(to.encoding or "ascii"), file=to)


_STATES = {
    PROVISIONAL: "provisional",
    FINAL: "final",
    CANCELLED: "none, because it was cancelled",
    AWAITING: "said to be final and to await a revision, because something was ruled on since",
}


def lines(report: Report) -> Iterator[str]:
    """Yield the report as human-readable lines."""
    track = f" of the track {report.track}" if report.track else ""
    yield f"Round {report.round}{track}, engine {report.engine}; its results are {_STATES[report.state]}."
    yield f"{report.replayed} solutions replayed, {report.ranked} ranked players, {report.links} links of the chain."
    if report.not_published:
        yield f"{report.not_published} submissions could not be replayed: their moves are not published."
    if report.never_known:
        yield f"{report.never_known} results without moves could not be replayed: they are said to be imported."
    if report.takes_sealed:
        yield f"{report.sealed} answers were sealed before the close, {report.opened} of them opened after it."
    if report.bare:
        yield f"{report.bare} leaves of the chain are not opened: the archive does not show what they are."
    yield from report.remarks
    yield from report.trusted
    yield f"SHA-256 of manifest.json: {report.seal}"
    if not report.differences:
        yield from _conclusion(report)
        return
    yield f"{len(report.differences)} differences:"
    yield from (f"  {difference}" for difference in report.differences[:MAX_SHOWN])
    if len(report.differences) > MAX_SHOWN:
        yield f"  and {len(report.differences) - MAX_SHOWN} more"


def _conclusion(report: Report) -> Iterator[str]:
    """Yield what was proved, and what an archive cannot prove about itself."""
    yield f"The archive is consistent with itself; its seal is {report.seal}: compare it with one you trust."
    yield "By itself it cannot show what was otherwise from the start, or rewritten as a whole:"
    yield from (f"  {sentence}" for sentence in (provenance.last_words() if report.format > 3 else UNPROVED))
    if report.format > 3:
        yield f"  {REBUILT}"
    if report.unread:
        yield f"  what was sent for {report.unread} of the solutions, because the text is not in the archive;"
    if report.format == 3:
        yield f"  {OPENED_AT}"
    if report.format == 1:
        yield f"  {OLDER}"
    elif not report.is_bound:
        yield f"  {UNBOUND}"
    if not report.trusted:
        yield "Give what you kept with --seal, --link or --checkpoints, and it is held against that."


UNPROVED = (
    "names and countries, which are part of no hash, and not even a seal shows them;",
    "titles, authors, notes, rulings with their times and reasons, revisions made with them, the engine's version;",
    "what a submission was whose moves are not published, imported or not opened, or that there was none;",
    "the chain itself, rebuilt from its first link with other nonces, and the draw with another commitment.",
)
REBUILT = "the chain itself, rebuilt from its first link; the draw with another commitment."
OPENED_AT = "when a sealed answer was opened, and what one was that was not."
OLDER = "It is of format 1: settings, times and levels are bound by no link, and players by none either."
UNBOUND = "No link binds the opening of the round: settings, times and levels are bound by no link."
