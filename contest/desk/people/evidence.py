"""Equal solutions on the desk, after the reveal: all of a round, or those of one player in it (rule 15.5)."""

from dataclasses import dataclass
from datetime import timedelta

from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from contest import visibility
from contest.desk.access import StaffRequest, staff
from contest.desk.places import on_round
from contest.infra import clock
from contest.infra.integers import whole_number
from contest.models import Level, Player, Round, Submission
from contest.results import evidence
from contest.staff.track_owners import OWN

PER_PAGE = 20
# Many players may send the same solution; only this many senders are shown.
MOST_SENDERS = 50


@dataclass(frozen=True)
class Line:
    """A sender, under the current name."""

    sent: evidence.FirstSending
    player: Player

    @property
    def later(self) -> str:
        return _format_gap(self.sent.gap)


@dataclass(frozen=True)
class Table:
    """One solution with its senders in order of time, and the number of senders not shown."""

    level: Level
    pushes: int
    first: Line
    others: list[Line]
    more: int


@staff("view_submission", OWN)
@require_safe
@on_round("view_submission")
def equal_solutions(request: StaffRequest, round_: Round) -> HttpResponse:
    """List solutions that several players sent; only after the reveal, as organisers may compete (rule 7.3)."""
    at = clock.now()
    if not visibility.is_revealed(round_, at):
        raise Http404
    levels = {level.pk: level for level in round_.levels.all()}
    found = evidence.find_equal_solutions(round_, levels.values())
    player = _requested_player(request, round_)
    if player is not None:
        found = [equal for equal in found if any(sent.player == player.pk for sent in equal.sent)]
    chosen = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    players = Player.objects.in_bulk({sent.player for equal in chosen for sent in equal.sent[:MOST_SENDERS]})
    context = {
        "round": round_,
        "player": player,
        "chosen": chosen,
        "tables": [_make_table(equal, levels, players) for equal in chosen],
    }
    return render(request, "contest/desk/people/evidence.html", context)


def _requested_player(request: StaffRequest, round_: Round) -> Player | None:
    """Return the requested player. Raise Http404 if the player sent nothing to the round."""
    asked = request.GET.get("player", "")
    if not asked:
        return None
    senders = Player.objects.filter(Exists(Submission.objects.filter(player=OuterRef("pk"), round=round_).order_by()))
    return get_object_or_404(senders, pk=whole_number(asked))


def _make_table(equal: evidence.Equals, levels: dict[int, Level], players: dict[int, Player]) -> Table:
    lines = [Line(sent, players[sent.player]) for sent in equal.sent[:MOST_SENDERS]]
    return Table(levels[equal.level], equal.pushes, lines[0], lines[1:], len(equal.sent) - len(lines))


def _format_gap(gap: timedelta) -> str:
    """Format *gap* as hours, minutes and seconds.

    >>> _format_gap(timedelta(days=2, seconds=65))
    '48:01:05'
    """
    seconds = int(gap.total_seconds())
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
