"""My page: the viewer's streak, progress, places and news, their nicknames, account and receipts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter

from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Left
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from contest import results, visibility
from contest.infra import clock
from contest.levels import daily, listing
from contest.levels.catalogue import Selection
from contest.models import Player, Prize, Round, Submission, Tester
from contest.outreach.community import bell
from contest.players import accounts
from contest.results import unranked
from contest.staff import account_acts
from contest.stats import profiles
from contest.vetting import coaching
from contest.vetting.coaching import Coached, Habit
from contest.web.account.me import LAST_SENT
from contest.web.shell.request import Request

PER_PAGE = 50  # nicknames
LAST_NEWS = 6
LAST_PLACES = 8
MOST_WITH_PLACES = 20  # nicknames; each takes a query
MOST_COACHED_MOVES = 10_000  # longer solutions are not loaded for a page
_LURD = Left("lurd", MOST_COACHED_MOVES + 1)


@never_cache
@require_safe
def my_page(request: Request) -> HttpResponse:
    at, viewer = clock.now(), request.viewer
    user = request.user if isinstance(request.user, User) else None
    tests = Tester.objects.filter(account=user, ended_at=None, round__isnull=False).select_related("round")
    chosen = Paginator(_with_prizes(viewer), PER_PAGE).get_page(request.GET.get("page"))
    nicknames = [_own_nickname(request, player) for player in chosen]
    published = list(listing.with_progress(visibility.collections(viewer, at), viewer)) if nicknames else []
    sent = unranked.mark(visibility.own_submissions(viewer).annotate(lurd_start=_LURD), LAST_SENT)
    places = list(_places(viewer, [own.player for own in nicknames[:MOST_WITH_PLACES]], at))
    context = {
        "mine": nicknames,
        "chosen": chosen,
        "first": nicknames[0].player if nicknames else None,
        "places": places[:LAST_PLACES],
        "rounds": len({place.round.pk for place in places}),
        "progress": listing.progress_in(viewer, at, Selection(), published),
        "begun": [collection for collection in published if 0 < collection.solved < collection.count],
        "news": bell.list_news(viewer, request.user, at)[:LAST_NEWS],
        "daily": daily.of_day(at) if nicknames else None,
        "habit": _find_habit(sent, at),
        "sent": sent,
        "account_acts": account_acts.recent_acts(user) if user else None,
        "tests": tests if user else (),
    }
    return render(request, "contest/account/me.html", context)


@dataclass(frozen=True)
class Place:
    """A place of one of the viewer's players in a round; it can still change unless it is final."""

    round: Round
    player: Player
    place: int | None
    points: str
    titles: list[str]
    is_final: bool


def _places(viewer: visibility.Viewer, own: list[Player], at: datetime) -> Iterator[Place]:
    """Yield the places in the open rounds, then those in the final rounds, latest first."""
    open_rounds = visibility.rounds(viewer, at).open(at).order_by()
    running = visibility.levels(viewer, at).filter(round__in=open_rounds) if own else ()
    for round_, shown in groupby(running, attrgetter("round")):
        for row in results.preview(round_, list(shown), at).rows:
            if row.player in own:
                yield Place(round_, row.player, row.place, row.total, [], is_final=False)
    final = [(entered, player) for player in own for entered in profiles.rounds_entered(viewer, player, at)]
    for entered, player in sorted(final, key=lambda one: -one[0].placing.round.number):
        placing = entered.placing
        yield Place(placing.round, player, placing.place, entered.points, entered.titles, is_final=True)


def _find_habit(sent: Sequence[Submission], at: datetime) -> Habit:
    """Return where the submissions *sent* to revealed levels lose moves, so far as the coach has analysed them."""
    revealed = [one for one in sent if one.is_accepted and visibility.is_revealed(one.round, at)]
    solutions = [(one.level, vars(one)["lurd_start"]) for one in revealed]
    short = [(level, lurd) for level, lurd in solutions if level and len(lurd) <= MOST_COACHED_MOVES]
    return coaching.find_habit((Coached(level.board, lurd, {}) for level, lurd in short), at)


@dataclass(frozen=True)
class OwnNickname:
    """A nickname of the viewer, in their account or only in this browser's cookie."""

    player: Player
    is_in_account: bool
    may_be_taken_over: bool
    has_won: bool


def _with_prizes(viewer: visibility.Viewer) -> QuerySet[Player]:
    unclaimed_prizes = Prize.objects.waiting().filter(player=OuterRef("pk"), contact="")
    return accounts.own_players(viewer).annotate(has_won=Exists(unclaimed_prizes))


def _own_nickname(request: Request, player: Player) -> OwnNickname:
    user = request.user
    may_be_taken_over = user.is_authenticated and player.owner_id is None
    return OwnNickname(player, accounts.is_owned(player, user), may_be_taken_over, vars(player)["has_won"])
