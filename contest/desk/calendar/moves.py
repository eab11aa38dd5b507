"""Rounds moved in a calendar program: its file is previewed with the clashes it brings, and then saved as a whole."""

import copy
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from contest import rounds
from contest.desk.access import StaffRequest, staff
from contest.desk.calendar.sheet import LINE, compare, own_rounds
from contest.infra import clock
from contest.models import Round
from contest.models.round import check_year
from contest.organising.season import edited, rows
from contest.organising.season import sheet as season_sheet
from contest.rounds import tracks
from contest.staff.track_owners import OWN
from contest.wording.verdicts import with_label

Times = tuple[datetime, datetime]
Move = tuple[Round, datetime, datetime]


class MovesForm(forms.Form):
    """The file, which becomes the text that the preview sends again."""

    file = forms.FileField(label=_("Calendar file (.ics)"), required=False)
    text = forms.CharField(
        label=_("Or its text"), required=False, strip=False, widget=forms.Textarea({"rows": 6, "spellcheck": "false"})
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if file := cleaned.get("file"):
            cleaned["text"] = file.read().decode("utf-8-sig", errors="replace")
        if not cleaned.get("text", "").strip():
            self.add_error("file", gettext("Choose a file."))
        return cleaned


@dataclass
class Moves:
    """The rounds of a file with their times before and after, and why some cannot move."""

    changed: list[tuple[Round, Round]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    unchanged: int = 0
    unknown: int = 0
    stamp: str = ""


class _Preview(Exception):
    """Roll back what was tried."""


@staff("change_round", OWN)
@require_http_methods(["GET", "POST"])
def moves(request: StaffRequest) -> HttpResponse:
    """Take the file; preview the moves, or save them if nobody was faster."""
    at = clock.now()
    form = MovesForm(request.POST or None, request.FILES or None, label_suffix="")
    context: dict[str, Any] = {"form": form}
    if form.is_bound and form.is_valid():
        try:
            read = edited.read(form.cleaned_data["text"], request.get_host())
        except edited.BadCalendar as error:
            form.add_error("file", str(error))
        else:
            is_saved, tried = _try(request, read.times, at)
            if is_saved:
                messages.success(request, gettext("Saved."))
                return redirect("desk-calendar")
            tried.faults += read.faults
            is_behind = request.POST.get("do") == "save" and bool(tried.changed and not tried.faults)
            context |= {"read": read, "moves": tried, "is_behind": is_behind, "text": form.cleaned_data["text"]}
            context |= {"effects": _effects(request, tried, at), "can_save": bool(tried.changed and not tried.faults)}
    status = 409 if context.get("is_behind") else 422 if form.errors else 200
    return render(request, "contest/desk/calendar/moves.html", context, status=status)


def _try(request: StaffRequest, times: Mapping[int, Times], at: datetime) -> tuple[bool, Moves]:
    """Save the moves; roll that back unless it was confirmed and each of them is possible."""
    tried, refusals = Moves(), dict[int, ValidationError]()
    try:
        with transaction.atomic():
            rounds.lock_calendar()
            locked = own_rounds(request).select_for_update(no_key=True, of=("self",)).filter(pk__in=times)
            waiting = list(_changed({round_.pk: round_ for round_ in locked}, times, tried, at))
            # A round may move to where another one was, so those that are refused are tried again after the others.
            is_progress = True
            while waiting and is_progress:
                refusals = dict(_save(request, waiting, tried, at))
                is_progress, waiting = (
                    len(refusals) < len(waiting),
                    [move for move in waiting if move[0].pk in refusals],
                )
            tried.faults += [with_label(str(move[0]), " ".join(refusals[move[0].pk].messages)) for move in waiting]
            is_confirmed = request.POST.get("do") == "save" and request.POST.get("stamp") == tried.stamp
            if tried.faults or not tried.changed or not is_confirmed:
                raise _Preview
    except _Preview:
        for refusal in refusals.values():
            if isinstance(refusal, tracks.CannotBeUsed):
                tracks.note_revealed(refusal, request.user)
        return False, tried
    return True, tried


def _changed(own: Mapping[int, Round], times: Mapping[int, Times], tried: Moves, at: datetime) -> Iterator[Move]:
    """Yield the rounds whose times change, with the new ones."""
    stamps = [rounds.stamp(round_) for _pk, round_ in sorted(own.items())]
    tried.stamp = hashlib.sha256("".join(stamps).encode()).hexdigest()
    for pk, (opens_at, closes_at) in times.items():
        round_ = own.get(pk)
        if round_ is None:
            tried.unknown += 1
        elif [at.replace(microsecond=0) for at in (round_.opens_at, round_.closes_at)] == [opens_at, closes_at]:
            tried.unchanged += 1
        elif rounds.is_past_opening(round_, at):
            tried.faults.append(gettext("%(round)s has opened already.") % {"round": round_})
        else:
            yield round_, opens_at, closes_at


def _save(
    request: StaffRequest, waiting: Sequence[Move], tried: Moves, at: datetime
) -> Iterator[tuple[int, ValidationError]]:
    """Save rounds at their new times; yield the refusals by primary key."""
    for round_, opens_at, closes_at in waiting:
        moved = copy.copy(round_)
        moved.opens_at, moved.closes_at = opens_at, closes_at
        try:
            check_year(opens_at)
            moved.validate_constraints()
            rounds.save(moved, at=at, by=request.user)
        except ValidationError as error:
            yield round_.pk, error
        else:
            tried.changed.append((round_, moved))


def _effects(request: StaffRequest, tried: Moves, at: datetime) -> dict[str, list[str]]:
    """Return the clashes of a year that the moves bring and end."""
    weeks = rows.list_weeks(timezone.localdate(at), 4 * LINE)
    plan = rows.read(request.user, weeks[0], weeks[-1] + season_sheet.WEEK, at)
    moved = {after.pk: after for _before, after in tried.changed}
    changed = replace(plan, rounds=[moved.get(round_.pk, round_) for round_ in plan.rounds])
    return compare(season_sheet.build(plan, weeks, at), season_sheet.build(changed, weeks, at))
