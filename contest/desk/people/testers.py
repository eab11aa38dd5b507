"""The testers of a round: named, listed with the results of what they sent, removed (rule 4.14)."""

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from contest import rounds as rounds_
from contest.desk.access import StaffRequest, staff
from contest.desk.places import on_round
from contest.infra import clock
from contest.infra.integers import whole_number
from contest.models import Round, Tester
from contest.organising.acts import add_errors
from contest.players import entering
from contest.rounds import testers
from contest.staff import track_owners
from contest.staff.track_owners import OWN

_SHOWN = 50


class TesterForm(forms.Form):
    """The player to ask."""

    nickname = forms.CharField(
        label=gettext_lazy("Nickname of a player with an account"),
        max_length=512,
        help_text=gettext_lazy(
            "They sign in, agree not to enter the round, and then see its levels. Each time they view a level is "
            "logged."
        ),
    )


@staff("view_round", OWN, fresh=True)
@require_http_methods(["GET", "POST"])
@on_round("view_round")
def round_testers(request: StaffRequest, round_: Round) -> HttpResponse:
    """List the testers of a round with the results of what they sent; an organiser names or removes testers."""
    may_change = track_owners.may(request.user, "change_round", round_.track_id)
    if request.method == "POST" and not may_change:
        raise Http404
    if request.method == "POST" and "off" in request.POST:
        return _remove_tester(request, round_)
    if request.method == "POST" and "bind" in request.POST:
        return _bind_player(request, round_)
    at = clock.now()
    form = TesterForm(request.POST or None, label_suffix="")
    if form.is_bound and form.is_valid():
        try:
            tester = testers.invite(round_, entering.find_player(form.cleaned_data["nickname"]), at=at, by=request.user)
        except ValidationError as error:
            add_errors(form, error)
        else:
            messages.success(request, _("Send them this link: %(address)s") % {"address": _address(request, tester)})
            return redirect("desk-testers", round_)
    is_free = not (rounds_.is_past_opening(round_, at) or round_.cancelled_at)
    listed = round_.testers.prefetch_related("names", "told", "entries")
    context = {
        "round": round_,
        "form": form if may_change and is_free else None,
        "testers": [(tester, _address(request, tester), list(tester.entries.all())[:_SHOWN]) for tester in listed],
        "may_change": may_change,
    }
    return render(request, "contest/desk/people/testers.html", context, status=422 if form.errors else 200)


def _remove_tester(request: StaffRequest, round_: Round) -> HttpResponse:
    tester = get_object_or_404(round_.testers, pk=whole_number(request.POST["off"]))
    testers.take_off(tester, at=clock.now(), by=request.user)
    return redirect("desk-testers", round_)


def _bind_player(request: StaffRequest, round_: Round) -> HttpResponse:
    tester = get_object_or_404(round_.testers, pk=whole_number(request.POST["bind"]))
    player = get_object_or_404(tester.told, pk=whole_number(request.POST.get("player", "")))
    testers.bind_reported(tester, player, by=request.user)
    return redirect("desk-testers", round_)


def _address(request: StaffRequest, tester: Tester) -> str:
    return request.build_absolute_uri(reverse("test", args=[tester.pk]))
