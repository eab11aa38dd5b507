"""The season on one sheet, and the form that moves a round which has not opened to another time."""

import copy
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from contest import rounds
from contest.desk.access import StaffRequest, staff
from contest.desk.forms import date_input, date_time_input
from contest.infra import clock, identity
from contest.infra.identity import ZONE_HINT
from contest.models import Round, Season
from contest.models.round import check_year
from contest.organising.acts import add_errors
from contest.organising.season import rows as season_rows
from contest.organising.season import sheet as season_sheet
from contest.organising.season.sheet import Plan, Sheet
from contest.rounds import tracks
from contest.staff import track_owners
from contest.staff.track_owners import OWN
from contest.wording import times
from contest.wording.verdicts import with_label

LINE = 13  # weeks beside each other, a quarter of a year


class SpanForm(forms.Form):
    """The weeks to show."""

    since = forms.DateField(label=_("First week"), required=False, widget=date_input(), validators=[check_year])
    weeks = forms.TypedChoiceField(
        label=_("How long"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=[(LINE, _("three months")), (2 * LINE, _("half a year")), (4 * LINE, _("a year"))],
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})


class MoveForm(forms.Form):
    """A round that has not opened, and its new opening; it stays as long as it is."""

    round = forms.ChoiceField(label=_("Round"))
    opens_at = forms.DateTimeField(
        label=_("Opens at"), widget=date_time_input(), help_text=ZONE_HINT, validators=[check_year]
    )

    def __init__(self, *args: Any, movable: list[Round], **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        cast("forms.ChoiceField", self.fields["round"]).choices = [
            (str(round_.pk), f"{round_} · {times.format_minute(round_.opens_at)}") for round_ in movable
        ]


@staff("view_round", OWN)
@require_http_methods(["GET", "POST"])
def calendar(request: StaffRequest) -> HttpResponse:
    """Show the sheet; a POST previews a move on it, or saves the move."""
    at = clock.now()
    span = SpanForm(request.GET)
    chosen: dict[str, Any] = span.cleaned_data if span.is_valid() else {"since": None, "weeks": LINE}
    first: date = chosen["since"] or timezone.localdate(at)
    weeks = season_rows.list_weeks(first, chosen["weeks"] or LINE)
    plan = season_rows.read(request.user, weeks[0], weeks[-1] + season_sheet.WEEK, at)
    movable = _movable(request, plan, at)
    context: dict[str, Any] = {"moved": None}
    if request.method == "POST":
        form = MoveForm(request.POST, movable=movable)
        if form.is_valid():
            with transaction.atomic():
                context = _move(request, form, at)
            if context["is_saved"]:
                messages.success(request, gettext("Saved."))
                return redirect(f"{request.get_full_path()}#r{context['moved'].pk}")
    else:
        form = MoveForm(movable=movable, initial=_wanted(request, movable))
    sheet = season_sheet.build(plan, weeks, at)
    if moved := context["moved"]:
        plan = replace(plan, rounds=[moved if round_.pk == moved.pk else round_ for round_ in plan.rounds])
        before, sheet = sheet, season_sheet.build(plan, weeks, at)
        context["effects"] = compare(before, sheet)
    context |= {
        "span": span,
        "form": form if movable else None,
        "lines": [sheet.weeks[first : first + LINE] for first in range(0, len(sheet.weeks), LINE)],
        "sheet": sheet,
        "tracks": plan.tracks,
        "has_tracks": len(plan.tracks) > 1,
        "is_moving": form.is_bound or bool(form.initial),
        "moved_anchor": f"r{moved.pk}" if moved else "",
        "may_change": plan.named,
        "movable": {round_.pk for round_ in movable},
        "seasons": [(season, _season_query(season)) for season in Season.objects.all()[:10]],
        "earlier": weeks[0] - timedelta(weeks=len(weeks)),
        "later": weeks[-1] + season_sheet.WEEK,
        "here": request.get_full_path(),
    }
    status = 409 if context.get("is_behind") else 422 if form.errors else 200
    return render(request, "contest/desk/calendar/calendar.html", context, status=status)


def _movable(request: StaffRequest, plan: Plan, at: datetime) -> list[Round]:
    return [
        round_
        for round_ in plan.rounds
        if not rounds.is_past_opening(round_, at) and track_owners.may(request.user, "change_round", round_.track_id)
    ]


def _wanted(request: StaffRequest, movable: list[Round]) -> dict[str, Any]:
    """Return the round that the link *Move* names, with its present opening."""
    key = request.GET.get("move", "")
    return next(({"round": key, "opens_at": round_.opens_at} for round_ in movable if str(round_.pk) == key), {})


def _season_query(season: Season) -> str:
    first = timezone.localdate(season.begins_at)
    weeks = (season.ends_at - season.begins_at) // season_sheet.WEEK + 1
    length = next((length for length in (LINE, 2 * LINE) if weeks <= length), 4 * LINE)
    return f"?since={first.isoformat()}&weeks={length}"


def own_rounds(request: StaffRequest) -> QuerySet[Round]:
    """Return the rounds that the user may change."""
    return track_owners.filter_rows(request.user, Round.objects.all(), "change_round")


def _move(request: StaffRequest, form: MoveForm, at: datetime) -> dict[str, Any]:
    """Check the move as *Edit* does, and save it if it was confirmed and nobody was faster."""
    rounds.lock_calendar()
    own = own_rounds(request).select_for_update(no_key=True)
    round_ = get_object_or_404(own, pk=form.cleaned_data["round"])
    stored, stamp = copy.copy(round_), rounds.stamp(round_)
    is_last = request.POST.get("do") == "save"
    is_behind = is_last and request.POST.get("stamp") != stamp
    act = tracks.record_revealed(rounds.check) if is_behind or not is_last else rounds.save
    try:
        _shift(round_, form.cleaned_data["opens_at"])
        act(round_, at=at, by=request.user)
    except ValidationError as error:
        add_errors(form, error)
        return {"moved": None, "is_saved": False}
    rows = [(str(form.fields["opens_at"].label), stored.opens_at, round_.opens_at)]
    rows.append((gettext("Closes at"), stored.closes_at, round_.closes_at))
    return {
        "moved": round_,
        "is_saved": act is rounds.save,
        "is_behind": is_behind,
        "is_public": rounds.is_announced(stored, at),
        "stamp": stamp,
        "changes": rows,
    }


def _shift(round_: Round, opens_at: datetime) -> None:
    """Set the opening; the round closes as many days later as before, at the same hour of the site's clocks."""
    zone = identity.zone()
    length = round_.closes_at.astimezone(zone) - round_.opens_at.astimezone(zone)
    round_.opens_at = opens_at
    round_.closes_at = opens_at.astimezone(zone) + length


def compare(before: Sheet, after: Sheet) -> dict[str, list[str]]:
    """Return what the move would bring to other entries and weeks, and what it would end."""
    was, becomes = (
        {with_label(str(entry), text) for entry in sheet.entries for text in entry.troubles}
        for sheet in (before, after)
    )
    return {"brings": sorted(becomes - was), "ends": sorted(was - becomes)}
