"""After the close: virtual participation, and the players who have seen solutions (rules 20.2, 20.3)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from contest import visibility
from contest.models import Level, Metric, Player, Round, SeenSolutions, Submission, VirtualStart
from contest.players.acts import lock
from contest.rankings import history, standings
from contest.rankings.standings import Row
from contest.visibility import Viewer

# Longer rankings are cut: no page shows more.
LONGEST_BOARD = 1_000


@dataclass(frozen=True)
class Line:
    """A row of the past ranking; *is_virtual* for the player's own virtual entry."""

    row: Row
    is_virtual: bool
    is_own: bool


def length(round_: Round) -> timedelta:
    """Return the duration of the round, and of a virtual participation in it."""
    return round_.closes_at - round_.opens_at


def ends_at(start: VirtualStart) -> datetime:
    return start.started_at + length(start.round)


def shown_at(start: VirtualStart, at: datetime) -> datetime:
    """Return the time in the round as long after its opening as *at* is after the start, at most its close.

    Submissions received in the last instant count, so the close is the microsecond before it.
    """
    return min(start.round.opens_at + (at - start.started_at), start.round.closes_at - timedelta(microseconds=1))


def starts_of(round_: Round, players: Iterable[Player]) -> list[VirtualStart]:
    """Return the starts of several players, the latest first. One query."""
    starts = VirtualStart.objects.filter(round=round_, player__in=players).select_related("round", "player")
    return list(starts.order_by("-started_at", "-pk"))


def has_seen(round_: Round, player: Player) -> bool:
    """Return whether the player was shown a solution of the round (rule 20.3)."""
    return seers_of(round_).filter(player=player).exists()


def seers_of(round_: Round) -> QuerySet[SeenSolutions, int]:
    """Return the keys of the players who were shown a solution of the round (rule 20.3)."""
    return SeenSolutions.objects.filter(round=round_).values_list("player", flat=True)


@transaction.atomic
def start(round_: Round, player: Player, *, viewer: Viewer, at: datetime) -> VirtualStart:
    """Start the round's clock for *player* once (rule 20.2); later calls return the first start."""
    if player.pk not in viewer.players:
        raise ValidationError(_("Only the owner of a nickname can take part under it."))
    if not visibility.practice_rounds(at).filter(pk=round_.pk).exists():
        raise ValidationError(_("Virtual participation starts once the round has closed."))
    player = lock(player)
    begun, _is_new = VirtualStart.objects.get_or_create(
        round=round_, player=player, defaults={"started_at": at, "has_seen": has_seen(round_, player)}
    )
    return begun


def record_seen(viewer: Viewer, submission: Submission, at: datetime) -> None:
    """Record that *viewer* was shown this published solution (rule 20.3); call it wherever one is shown.

    The viewer's own solution does not count.
    """
    if not viewer.owns(submission):
        record_all_seen(viewer, submission.round, at)


def record_all_seen(viewer: Viewer, round_: Round, at: datetime) -> None:
    """Record that *viewer* received the solutions of a round, and mark a running virtual participation."""
    if not viewer.players or not visibility.are_solutions_public(round_, at):
        return
    known = SeenSolutions.objects.filter(round=round_).values_list("player", flat=True)
    if not (new := viewer.players.difference(known)):
        return
    with transaction.atomic():
        # Against a virtual participation that begins at the same moment, and for a name that is merged or erased then.
        rows = Player.objects.select_for_update(no_key=True).filter(pk__in=new).order_by("pk")
        players = {row.merged_into_id or row.pk for row in rows if not row.erased_at}
        seen = [SeenSolutions(round=round_, player_id=pk, seen_at=at) for pk in players]
        SeenSolutions.objects.bulk_create(seen, ignore_conflicts=True)
        running = VirtualStart.objects.filter(round=round_, player__in=players, has_seen=False)
        running.filter(started_at__gt=at - length(round_)).update(has_seen=True)


def board(level: Level, metric: Metric, begun: VirtualStart, at: datetime) -> list[Line]:
    """Return the ranking at that time, with the player's virtual entry in its place (rule 20.2)."""
    league = standings.league_of(begun.player, level.round)
    then = history.standings_at(level, metric, shown_at(begun, at), league=league, limit=LONGEST_BOARD)
    lines = [Line(row, is_virtual=False, is_own=row.player.pk == begun.player_id) for row in then]
    if own := _best(_entries(level, begun, at), metric):
        lines.append(Line(_row(own, begun), is_virtual=True, is_own=True))
    lines.sort(key=lambda line: _key(line.row, metric))
    return [replace(line, row=replace(line.row, rank=rank)) for rank, line in enumerate(lines, 1)]


def _entries(level: Level, begun: VirtualStart, at: datetime) -> Iterable[Submission]:
    """Return the player's practice submissions on *level* between the start and *at* or the end."""
    practised = Submission.objects.practised().of(begun.player).filter(level=level).without_text()
    return practised.filter(received_at__gte=begun.started_at, received_at__lt=ends_at(begun), received_at__lte=at)


def _best(entries: Iterable[Submission], metric: Metric) -> Submission | None:
    return min(entries, key=lambda entry: _key(entry, metric), default=None)


def _row(entry: Submission, begun: VirtualStart) -> Row:
    """Return the entry with the time of receipt moved from the virtual start to the round's opening."""
    received_at = begun.round.opens_at + (entry.received_at - begun.started_at)
    counts = (entry.moves or 0, entry.pushes or 0)
    return Row(0, begun.player, *counts, received_at, entry.number, pareto=False, is_practice=True)


def _key(ranked: Row | Submission, metric: Metric) -> tuple[Any, ...]:
    """Return the sort key of rule 8.4."""
    counts = (ranked.moves, ranked.pushes)
    return *(counts if metric is Metric.MOVES else counts[::-1]), ranked.received_at, ranked.number
