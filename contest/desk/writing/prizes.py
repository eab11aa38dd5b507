"""Prizes and sponsors on the desk: recorded, awarded to winners, handed over (rule 14.8)."""

import copy
from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from contest.desk.access import StaffRequest, staff
from contest.desk.retries import find_twin
from contest.desk.writing.forms import PrizeForm, SponsorForm, WinnerForm
from contest.infra import clock
from contest.infra.integers import whole_number
from contest.models import Prize, Round, Sponsor
from contest.outreach import prizes
from contest.staff import track_owners
from contest.staff.track_owners import OWN

PER_PAGE = 50


@staff("view_round", OWN)
@require_http_methods(["GET", "POST"])
def all_prizes(request: StaffRequest) -> HttpResponse:
    """List all prizes, newest rounds first, with a form to add one."""
    number = whole_number(request.GET.get("round", ""))
    own = track_owners.filter_rows(request.user, Round.objects.all(), "view_round")
    about = own.filter(number=number).first() if number else None
    form = PrizeForm(request.POST or None, by=request.user, initial={"round": about})
    if _save_form(request, form):
        return redirect("desk-prizes")
    listed = _visible_prizes(request.user, "view_round").order_by("-round__number", "pk")
    page = Paginator(listed.defer("contact"), PER_PAGE).get_page(request.GET.get("page"))
    context = {"form": form, "chosen": page}
    return render(request, "contest/desk/writing/prizes.html", context, status=422 if form.errors else 200)


@staff("change_round", OWN)
@require_http_methods(["GET", "POST"])
def prize(request: StaffRequest, pk: int) -> HttpResponse:
    """Edit a prize and its sponsor; award it once results are final; record that it was handed over.

    Organisers of tracks see no delivery address and cannot record the hand-over: of players they see only their games.
    """
    found = get_object_or_404(_visible_prizes(request.user, "change_round"), pk=pk)
    do = request.POST.get("do", "")
    if do == "hand-over" and not request.user.has_perm("contest.change_round"):
        raise Http404
    form = PrizeForm(request.POST if do == "save" else None, by=request.user, instance=copy.copy(found))
    winner = WinnerForm(request.POST if do == "award" else None, round_=found.round, initial={"player": found.player})
    if _save_form(request, form):
        return redirect("desk-prize", pk)
    try:
        if winner.is_bound and winner.is_valid():
            prizes.award(found, winner.cleaned_data["player"], by=request.user)
            return redirect("desk-prize", pk)
        if do == "hand-over":
            prizes.hand_over(found, at=clock.now(), by=request.user)
            return redirect("desk-prize", pk)
    except ValidationError as error:
        return _render_prize(request, found, form, winner, wrong=error.messages)
    return _render_prize(request, found, form, winner)


@staff("change_round", fresh=True)
@require_POST
def contact(request: StaffRequest, pk: int) -> HttpResponse:
    """Show the winner's delivery address in this response only; the audit log records who read it."""
    found = get_object_or_404(Prize.objects.select_related("round", "sponsor", "player"), pk=pk)
    winner = WinnerForm(None, round_=found.round, initial={"player": found.player})
    text = prizes.read_contact(found, by=request.user)
    return _render_prize(request, found, PrizeForm(by=request.user, instance=found), winner, contact=text)


@staff("change_round")
@require_http_methods(["GET", "POST"])
def sponsors(request: StaffRequest, pk: int | None = None) -> HttpResponse:
    """List all sponsors, with a form to add one or to edit the selected one."""
    sponsor = get_object_or_404(Sponsor, pk=pk) if pk else None
    form = SponsorForm(request.POST or None, instance=sponsor)
    if _save_form(request, form):
        return redirect("desk-sponsors")
    context = {"form": form, "one": sponsor, "listed": Sponsor.objects.all()}
    return render(request, "contest/desk/writing/sponsors.html", context, status=422 if form.errors else 200)


def _visible_prizes(user: User, permission: str) -> QuerySet[Prize]:
    rows = Prize.objects.select_related("round", "sponsor", "player")
    return track_owners.filter_rows(user, rows, permission, by="round__track")


def _save_form(request: StaffRequest, form: "ModelForm[Any]") -> bool:
    """Save a valid form; return True if it was saved, else False with the errors in the form."""
    if form.is_bound and not track_owners.may(request.user, "change_round"):
        raise Http404
    if not form.is_bound or not form.is_valid():
        return False
    row, act = form.instance, f"make {form.instance._meta.model_name}"
    try:
        with transaction.atomic():
            if row.pk or not find_twin(row, form._meta.fields or (), act, by=request.user, at=clock.now()):
                prizes.save(row, by=request.user)
    except ValidationError as error:
        form.add_error(None, error)
        return False
    messages.success(request, _("Saved."))
    return True


def _render_prize(
    request: StaffRequest,
    found: Prize,
    form: PrizeForm,
    winner: WinnerForm,
    *,
    contact: str = "",
    wrong: Sequence[str] = (),
) -> HttpResponse:
    context = {
        "prize": found,
        "form": form,
        "winner": winner,
        "wrong": wrong,
        "has_contact": bool(found.contact),
        "contact": contact,
        "days": prizes.KEPT_DAYS,
        "is_final": found.round.finalised_at is not None,
        "may_hand_over": found.player is not None
        and found.handed_at is None
        and request.user.has_perm("contest.change_round"),
    }
    status = 422 if wrong or form.errors or winner.errors else 200
    return render(request, "contest/desk/writing/prize.html", context, status=status)
