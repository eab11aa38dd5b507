"""What verifying an archive found, and how that is said."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TextIO

from contest.archive.format import AWAITING, CANCELLED, FINAL, PROVISIONAL

MOST_SHOWN = 50


@dataclass(frozen=True)
class Difference:
    """Something in an archive that is not what it should be."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


@dataclass
class Report:
    """What was verified, in counts, and everything that differs."""

    round: int = 0
    engine: int = 0
    state: str = ""
    seal: str = ""
    replayed: int = 0
    not_published: int = 0
    never_known: int = 0
    links: int = 0
    ranked: int = 0
    differences: list[Difference] = field(default_factory=list)

    def differs(self, where: str, what: str) -> None:
        self.differences.append(Difference(where, what))


def say(line: str, to: TextIO) -> None:
    """Write a line that may quote the archive: nothing in it moves the terminal, or cannot be written there."""
    shown = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in line)
    print(shown.encode(to.encoding or "ascii", "backslashreplace").decode(to.encoding or "ascii"), file=to)


_STATES = {
    PROVISIONAL: "provisional",
    FINAL: "final",
    CANCELLED: "none, because it was cancelled",
    AWAITING: "final, but something was ruled on since, and no revision has followed yet",
}


def lines(report: Report) -> Iterator[str]:
    """Yield what was found, line by line, for people to read."""
    yield f"Round {report.round}, engine {report.engine}; its results are {_STATES[report.state]}."
    yield f"{report.replayed} solutions replayed, {report.ranked} ranked players, {report.links} links of the chain."
    if report.not_published:
        yield f"{report.not_published} submissions could not be replayed: their moves are not published."
    if report.never_known:
        yield f"{report.never_known} imported results could not be replayed: their moves were never known here."
    yield f"SHA-256 of manifest.json: {report.seal}"
    if not report.differences:
        yield "Everything holds."
        return
    yield f"{len(report.differences)} differences:"
    yield from (f"  {difference}" for difference in report.differences[:MOST_SHOWN])
    if len(report.differences) > MOST_SHOWN:
        yield f"  and {len(report.differences) - MOST_SHOWN} more"
