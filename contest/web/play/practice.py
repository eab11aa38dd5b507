"""Virtual participation in a closed round (rules 20.2, 20.3)."""

from datetime import datetime

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from contest import visibility
from contest.infra import clock
from contest.models import Metric, Player, VirtualStart
from contest.models.level import in_order
from contest.players import accounts
from contest.replays import practice
from contest.replays.practice import Line
from contest.visibility import Viewer
from contest.web.shell.request import Request

MOST_SHOWN = 100  # rows of a ranking, besides the player's own


class StartForm(forms.Form):
    player = forms.ModelChoiceField(Player.objects.none(), label=_("Take part as"), empty_label=None)

    def __init__(self, viewer: Viewer, data: object = None) -> None:
        super().__init__(data, label_suffix="")  # type: ignore[arg-type]  # a request's POST or None
        self.own = accounts.offered_players(viewer)
        self.fields["player"].queryset = self.own  # type: ignore[attr-defined]  # it is a ModelChoiceField


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def virtual_page(request: Request, number: int) -> HttpResponse:
    """Explain virtual participation; once started, show the rankings at the same elapsed time.

    They are those of one own nickname: that in `?as=`, or the one that started last. A browser may have hundreds.
    """
    at = clock.now()
    round_ = get_object_or_404(visibility.practice_rounds(at), number=number)
    form = StartForm(request.viewer, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            practice.start(round_, form.cleaned_data["player"], viewer=request.viewer, at=at)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            return redirect("virtual", number)
    starts = practice.starts_of(round_, form.own)
    chosen = next(
        (start for start in starts if str(start.player_id) == request.GET.get("as")), starts[0] if starts else None
    )
    context = {
        "round": round_,
        "days": practice.length(round_).days,
        "form": form,
        "levels": in_order(visibility.levels(request.viewer, at).filter(round=round_)),
        "may_start": len(starts) < len(form.own),
        "seen": form.own.filter(pk__in=practice.seers_of(round_)),
        "starts": starts,
        "one": _describe_start(request, chosen, at) if chosen else None,
    }
    return render(request, "contest/play/virtual.html", context, status=422 if form.errors else 200)


def _describe_start(request: Request, start: VirtualStart, at: datetime) -> dict[str, object]:
    levels = visibility.levels(request.viewer, at).filter(round=start.round)
    boards = [
        (level, [(metric, _shorten(practice.board(level, metric, start, at))) for metric in Metric])
        for level in in_order(levels)
    ]
    ends_at = practice.ends_at(start)
    return {
        "start": start,
        "shown_at": practice.shown_at(start, at),
        "ends_at": ends_at,
        "is_over": ends_at <= at,
        "boards": boards,
    }


def _shorten(lines: list[Line]) -> list[Line]:
    """Return the first rows of a ranking, and the player's own."""
    return [line for line in lines if line.row.rank <= MOST_SHOWN or line.is_own]
