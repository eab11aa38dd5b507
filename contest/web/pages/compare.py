"""Compare two players, and choose them by name."""

from dataclasses import dataclass
from datetime import datetime

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from contest import players, visibility
from contest.infra import clock
from contest.models import Player
from contest.stats import head_to_head, profiles
from contest.web.shell.request import Request

MOST_FOUND = 12


@dataclass(frozen=True)
class Choice:
    """One of the two names: the typed text, the matching player, or candidates."""

    field: str
    name: str
    player: Player | None
    candidates: list[Player]

    @property
    def is_open(self) -> bool:
        """Return True if the typed name does not identify a player yet."""
        return bool(self.name) and self.player is None


@require_safe
def pick(request: Request) -> HttpResponse:
    """Redirect to the comparison if both names identify a player; else show the candidates."""
    at = clock.now()
    first, second = (_read_choice(request, field, at) for field in ("first", "second"))
    if first.player and second.player and first.player != second.player:
        return redirect("compare", first.player.pk, second.player.pk)
    is_same = bool(first.player and first.player == second.player)
    return render(request, "contest/player/compare_pick.html", {"choices": [first, second], "is_same": is_same})


@require_safe
def compare(request: Request, one: int, other: int) -> HttpResponse:
    at = clock.now()
    try:
        first, second = (profiles.player(request.viewer, number, at) for number in (one, other))
    except Player.DoesNotExist:
        raise Http404 from None
    if first == second:
        return redirect(first)
    if (first.pk, second.pk) != (one, other):  # A merged name redirects to its player.
        return redirect("compare", first.pk, second.pk)
    comparison = head_to_head.compare(request.viewer, first, second, at)
    return render(request, "contest/player/compare.html", {"comparison": comparison})


def _read_choice(request: Request, field: str, at: datetime) -> Choice:
    """Return the player with the name key of the name in *field*, else players whose names contain it."""
    name = " ".join(request.GET.get(field, "").replace("\0", "").split())[: players.MAX_CODE_POINTS]
    if not name:
        return Choice(field, "", None, [])
    shown = visibility.players(request.viewer, at).filter(erased_at=None)
    exact = Player.objects.filter(name_key=players.name_key(name)).first()
    if exact:
        found = shown.filter(pk=exact.merged_into_id or exact.pk).first()
        if found:
            return Choice(field, name, found, [])
    candidates = shown.filter(nickname__icontains=name, merged_into=None).order_by("nickname", "pk")
    return Choice(field, name, None, list(candidates[:MOST_FOUND]))
