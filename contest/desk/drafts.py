"""A round before it opens: create, edit, preview, publish."""

import copy
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, QuerySet
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from contest import rounds
from contest.desk.access import StaffRequest, staff
from contest.desk.forms import RoundForm, limit_tracks
from contest.desk.places import on_round
from contest.desk.retries import find_twin
from contest.infra import clock
from contest.library import clashes, shelf
from contest.models import AuditEntry, LibraryLevel, Round, Track
from contest.organising import checklist
from contest.organising.acts import add_errors
from contest.organising.checklist import Name
from contest.staff import track_owners
from contest.staff.track_owners import OWN
from contest.visibility import Viewer
from contest.web.pages import views
from contest.web.pages.boards import render_level, with_talk_and_study
from contest.wording import settings as setting_texts
from contest.wording import times


@staff("add_round", OWN)
@require_http_methods(["GET", "POST"])
def new(request: StaffRequest) -> HttpResponse:
    """Create a draft with the usual number and times."""
    track = track_owners.default_track(request.user, "add_round")
    if track is None:
        raise Http404
    suggested = rounds.suggest_round(clock.now(), track)
    form = RoundForm(request.POST or None, initial={**suggested, "track": track})
    form.instance.number, form.by = suggested["number"], request.user
    limit_tracks(form, request.user, "add_round")
    with transaction.atomic():
        is_valid = form.is_bound and form.is_valid()
        # The number of the first form is taken when the same is sent again.
        if form.is_bound and not form.errors.keys() - {"number"}:
            names = [field.name for field in form.facts if field.name != "number"]
            if twin := find_twin(form.instance, names, "make round", by=request.user, at=clock.now()):
                return redirect("desk-round", twin)
        if is_valid:
            round_ = form.save(commit=False)
            try:
                rounds.save(round_, at=clock.now(), by=request.user)
            except ValidationError as error:
                add_errors(form, error)
            else:
                _warn(request, round_)
                return redirect("desk-round", round_)
    context = {"form": form, "title": _("New round")}
    return render(request, "contest/desk/rounds/edit.html", context, status=422 if form.errors else 200)


def _rounds_with_track_choice() -> QuerySet[Any]:
    """Return rounds annotated with `has_tracks`: whether there is a track to choose."""
    return Round.objects.annotate(has_tracks=Exists(Track.objects.beside_main()))


@staff("change_round", OWN)
@require_http_methods(["GET", "POST"])
@on_round("change_round", among=_rounds_with_track_choice)
def edit(request: StaffRequest, round_: Any) -> HttpResponse:
    """Edit a round. Preview changes that players would see; do not overwrite another organiser's changes."""
    at = clock.now()
    with transaction.atomic():
        if request.method == "POST":
            rounds.lock_calendar()
            still_own = track_owners.filter_rows(request.user, _rounds_with_track_choice(), "change_round")
            round_ = get_object_or_404(still_own.select_for_update(no_key=True, of=("self",)), pk=round_.pk)
        stored, stamp = copy.copy(round_), rounds.stamp(round_)
        form = RoundForm(request.POST or None, instance=round_)
        form.by = request.user
        limit_tracks(form, request.user, "change_round")
        is_behind = form.is_bound and request.POST.get("stamp") != stamp
        changes: list[tuple[str, str, str]] = []
        if form.is_bound and form.is_valid():
            changes = _changes(stored, form)
            is_public = rounds.is_announced(stored, at)
            if not is_behind and (not is_public or request.POST.get("do") == "save"):
                try:
                    rounds.save(round_, at=at, by=request.user)
                except ValidationError as error:
                    add_errors(form, error)
                else:
                    messages.success(request, _("Saved."))
                    _warn(request, round_)
                    return redirect("desk-round", round_)
    is_public = rounds.is_announced(stored, at)
    context = {
        "form": form,
        "round": stored,
        "title": _("Edit %(round)s") % {"round": stored},
        "stamp": stamp,
        "is_behind": is_behind,
        "who": _last_editor(stored, request.user) if is_behind else "",
        "changes": changes,
        "blocked": list(_blocked_turns(stored, form.instance, at)) if changes and is_public else [],
        "is_public": is_public,
        "is_unchanged": is_public and form.is_bound and not form.errors and not changes,
    }
    status = 409 if is_behind else 422 if form.errors else 200
    return render(request, "contest/desk/rounds/edit.html", context, status=status)


def _last_editor(round_: Round, user: User) -> str:
    """Return the name of the organiser who last changed *round_*, if *user* may know it.

    The audit log names a round by its number, and a draft of another track may have had that number before (rule 2.1).
    Only users who may see every round are therefore shown a name.
    """
    last = AuditEntry.objects.filter(target=f"round {round_.number}").first()
    may_read = user.has_perm("contest.view_round")
    return last.actor_name if last and may_read else _("Another organiser")


def _warn(request: StaffRequest, round_: Round) -> None:
    """Show what is wrong with the times of a draft; the draft may be saved anyway."""
    for warning in checklist.find_missing(Name.SCHEDULE, round_, clock.now()) or ():
        messages.warning(request, warning)


def _changes(stored: Round, form: RoundForm) -> list[tuple[str, str, str]]:
    """Return the changed fields: name, stored value, new value."""
    found = []
    for name in (field.name for field in form.facts):
        before, after = getattr(stored, name), getattr(form.instance, name)
        if before != after:
            found.append((str(form.fields[name].label), _format_value(before), _format_value(after)))
    if not form.errors:
        found += setting_texts.changes(stored.settings, form.instance.settings)
    return found


def _blocked_turns(stored: Round, changed: Round, at: datetime) -> Iterator[str]:
    """Return the rounds of series that the changed times keep from opening."""
    if stored.cancelled_at:
        return iter(())
    before = (stored.opens_at, stored.closes_at)
    return clashes.messages(changed.track_id, changed.opens_at, changed.closes_at, at, but=before)


def _format_value(value: Any) -> str:
    if isinstance(value, datetime):
        return times.format_minute(value)
    return str(value)


@staff("add_round", OWN)
@require_POST
@on_round("add_round")
def clone(request: StaffRequest, round_: Round) -> HttpResponse:
    at, names = clock.now(), ("track_id", "title_zh", "title_en", "prizes_zh", "prizes_en")
    with transaction.atomic():
        rounds.lock_calendar()
        twin = find_twin(round_, names, "make round", by=request.user, at=at)
        new_ = twin or rounds.clone(round_, at=at, by=request.user)
    messages.success(request, _("%(new)s has the texts and settings of %(old)s.") % {"new": new_, "old": round_})
    return redirect("desk-round", new_)


@staff("change_round", OWN)
@require_POST
@on_round("change_round")
def clear_slot(request: StaffRequest, round_: Round, slot: str) -> HttpResponse:
    try:
        saved = shelf.remove_level(round_, slot, at=clock.now(), by=request.user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        if saved:
            messages.success(
                request, _("%(level)s was removed from the round and is now in the library.") % {"level": saved}
            )
    return redirect("desk-round", round_)


@staff("change_round", OWN)
@require_POST
@on_round("change_round")
def throw_away(request: StaffRequest, round_: Round) -> HttpResponse:
    """Delete a mistaken draft; its levels are saved in the library."""
    try:
        saved = shelf.delete_draft(round_, at=clock.now(), by=request.user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return redirect("desk-round", round_)
    messages.success(
        request, _("The draft was deleted.") + "".join(f" {message}" for message in _saved_messages(saved))
    )
    return redirect("desk")


def _saved_messages(saved: list[LibraryLevel]) -> list[str]:
    return [_("%(level)s is in the library.") % {"level": level} for level in saved]


@staff("view_round", OWN)
@require_safe
@on_round("view_round")
def preview(request: StaffRequest, round_: Round, slot: str = "") -> HttpResponseBase:
    """Show the public page as a stranger will see it when the round opens, with a button to publish it."""
    at = clock.now()
    if rounds.is_past_opening(round_, at) or round_.cancelled_at:
        return redirect(round_.get_absolute_url())
    opens_at = max(round_.opens_at, at)
    boards = round_.levels.defer("solution")
    strange = copy.copy(request)
    strange.user = AnonymousUser()  # type: ignore[assignment]  # the page must treat the user as a stranger
    strange.viewer = Viewer()
    strange.preview = {  # type: ignore[attr-defined]  # for base.html
        "round": round_,
        "levels": boards,
        "slot": slot,
        "may_publish": not rounds.is_announced(round_, at)
        and track_owners.may(request.user, "change_round", round_.track_id),
        "opens_at": opens_at,
    }
    shown = views.with_context(Round.objects.filter(pk=round_.pk), Viewer(), opens_at).get()
    # Pretend that the round was announced and has opened; these values are never saved.
    shown.announced_at = shown.opens_at = opens_at
    shown.has_awards = round_.prizes.exists()
    if shown.closes_at <= opens_at or not shown.commitment or rounds.overlapping_round(shown):
        lacking = checklist.find_missing(Name.SCHEDULE, round_, at) or checklist.find_missing(Name.PUBLISH, round_, at)
        for error in lacking or ():
            messages.error(request, error)
        return redirect("desk-round", round_)
    for level in boards:
        level.round = shown
    if not slot:
        return views.render_round(strange, shown, list(boards), opens_at)
    level = get_object_or_404(with_talk_and_study(boards, Viewer(), opens_at), slot=slot)
    level.round = shown
    return render_level(strange, level, opens_at)


@staff("change_round", OWN, fresh=True)
@require_POST
@on_round("change_round")
def publish(request: StaffRequest, round_: Round) -> HttpResponse:
    """Announce the round: its number and times become public, and it opens by itself (rules 2.8, 3.6)."""
    at = clock.now()
    try:
        if missing := checklist.find_unannounceable(round_, at):
            raise ValidationError(missing)
        round_ = rounds.announce(round_, at=at, by=request.user)
    except ValidationError as error:
        for message in error.messages:
            messages.error(request, message)
    else:
        messages.success(request, _("%(round)s is published.") % {"round": round_})
    return redirect("desk-round", round_)
