"""Countersignatures given and received: the last of each witness of this site, and for each log it witnesses."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from contest.archive.witnesses import checkpoints
from contest.models import Witnessing
from contest.rules import signed_notes
from contest.rules.signed_notes import BadNote, Key

_LATE = timedelta(hours=3)


class Condition(TextChoices):
    """State of one countersigning; the worst comes last."""

    WELL = "well", _("signs")
    LATE = "late", _("late")
    REFUSED = "refused", _("refused: another history was seen")
    FORK = "fork", _("fork: the log signed two different histories")


@dataclass(frozen=True)
class Line:
    """One log and one witness, with the last signature, if any."""

    log: str
    witness: str
    condition: Condition
    signed_size: int | None
    signed_at: datetime | None


def store(log: str, witness: str, outcome: Witnessing.Outcome, size: int, at: datetime, fork: str = "") -> None:
    """Store an answer; the last signature and the evidence of a *fork* stay."""
    fields: dict[str, object] = {"outcome": outcome, "size": size, "answered_at": at}
    fields |= {"signed_size": size, "signed_at": at} if outcome == Witnessing.Outcome.SIGNED else {}
    fields |= {"fork": fork} if fork else {}
    Witnessing.objects.update_or_create(log=log, witness=witness, defaults=fields)


def report(at: datetime) -> list[Line]:
    """Return a line for each witness of this site and each log that it witnesses."""
    pairs = [(checkpoints.origin(), key.name) for key, _url in witnesses()]
    pairs += [(name, checkpoints.origin()) for name in witnessed_logs()]
    if not pairs:
        return []
    rows = {(row.log, row.witness): row for row in Witnessing.objects.all()}
    newest = checkpoints.newest()
    return [_line(log, witness, rows.get((log, witness)), newest.size if newest else 0, at) for log, witness in pairs]


def _line(log: str, witness: str, row: Witnessing | None, newest: int, at: datetime) -> Line:
    size, signed_at = (row.signed_size, row.signed_at) if row else (None, None)
    is_behind = log == checkpoints.origin() and (size or 0) < newest
    if row and row.fork:
        condition = Condition.FORK
    elif row and row.outcome == Witnessing.Outcome.REFUSED:
        condition = Condition.REFUSED
    elif is_behind and (signed_at is None or at - signed_at > _LATE):
        condition = Condition.LATE
    else:
        condition = Condition.WELL
    return Line(log, witness, condition, size, signed_at)


def witnesses() -> Iterator[tuple[Key, str]]:
    """Yield this site's witnesses with the URL to ask, "" for one that sends its signatures; skip unreadable keys."""
    for text in settings.WITNESSES:
        key, _, url = text.partition("@")
        yield from ((read, url) for read in _read(key))


def witnessed_logs() -> dict[str, Key]:
    """Return the keys of the logs that this site witnesses, by origin; skip unreadable ones."""
    return {key.name: key for text in settings.WITNESSED_LOGS for key in _read(text)}


def _read(text: str) -> list[Key]:
    try:
        return [signed_notes.read_key(text)]
    except BadNote:
        return []  # `check --deploy` reports it
