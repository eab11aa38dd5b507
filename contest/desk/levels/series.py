"""The series on the desk: their schedule, queues and turns."""

import copy
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Count, Exists, Q
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from contest.desk.access import StaffRequest, staff
from contest.desk.forms import SeriesForm, limit_tracks
from contest.desk.retries import find_twin
from contest.infra import clock
from contest.infra.integers import whole_number
from contest.library import series as series_acts
from contest.library import shelf, standing
from contest.models import AuditEntry, CollectedLevel, QueuedLevel, Series, Slot, Track
from contest.organising.object_forms import TrackForm
from contest.rendering.boards import drawing
from contest.rounds import tracks
from contest.staff import audit_log, track_owners
from contest.staff.track_owners import OWN

PER_PAGE = 40  # of each slot's queue
_MOST_MOVED = 100_000  # larger than any queue
_MOST_TURNS = 10_000  # one per week in all years that a round may have
# The buttons below the queues, with the number of places that a level moves.
_MOVES = {"first": -_MOST_MOVED, "earlier": -1, "later": 1, "last": _MOST_MOVED, "out": 0, "move": 0}


class PlaceForm(forms.Form):
    """The target slot and place for queued levels; without a place, the end of the queue."""

    to = forms.ChoiceField(label=_("Slot"), choices=Slot)
    place = forms.IntegerField(
        label=pgettext_lazy("in a queue", "Place"), required=False, min_value=1, max_value=_MOST_MOVED
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})


@staff("view_series", OWN)
@require_http_methods(["GET", "POST"])
def all_series(request: StaffRequest) -> HttpResponse:
    """List all series, with a form to create one."""
    track = track_owners.default_track(request.user, "add_series")
    form = SeriesForm(request.POST or None, initial={"track": track} if track else None)
    limit_tracks(form, request.user, "add_series")
    if not request.user.has_perm("contest.add_track"):
        del form.fields["new_track"]
    if form.is_bound and not track:
        raise Http404
    if form.is_bound and form.is_valid():
        with transaction.atomic():
            if twin := find_twin(form.instance, form.Meta.fields, "make series", by=request.user, at=clock.now()):
                return redirect("desk-series", twin.pk)
            if new_track := form.cleaned_data.get("new_track"):
                tracks.save(new_track, by=request.user)
                form.instance.track = new_track
            made = form.save()
            audit_log.record(request.user, "make series", made, after=series_acts.facts(made))
        return redirect("desk-series", made.pk)
    at = clock.now()
    waiting = Count("queue", filter=Q(queue__slot=Slot.MAIN))
    several = Series.objects.annotate(waiting=waiting)
    seen = list(track_owners.filter_rows(request.user, several, "view_series"))
    openings = series_acts.next_openings_of(seen, at)
    listed = [(series, openings[series.pk], vars(series)["waiting"]) for series in seen]
    context = {"listed": listed, "form": form, "tracks": Track.objects.annotate(count=Count("rounds"))}
    return render(request, "contest/desk/series/all_series.html", context, status=422 if form.errors else 200)


@staff("change_series", OWN)
@require_http_methods(["GET", "POST"])
def series_page(request: StaffRequest, pk: int) -> HttpResponse:
    """Show and edit one series: schedule, queues, turns. Another organiser's changes are not overwritten."""
    at = clock.now()
    do = request.POST.get("do", "")
    with transaction.atomic():
        several = Exists(Track.objects.beside_main())
        own = track_owners.filter_rows(request.user, Series.objects.all(), "change_series")
        series = get_object_or_404(own.select_for_update().annotate(has_tracks=several), pk=pk)
        stored, before, stamp = copy.copy(series), series_acts.facts(series), series_acts.version_stamp(series)
        form = SeriesForm(request.POST if do == "save" else None, instance=series)
        del form.fields["new_track"]
        limit_tracks(form, request.user, "change_series")
        is_behind = form.is_bound and request.POST.get("stamp") != stamp
        if do in _MOVES:
            _move_levels(request, series, do)
            return redirect(request.get_full_path())
        if do in ("hold", "let-go"):
            _hold_or_release(request, series, do, at)
            return redirect("desk-series", pk)
        if form.is_bound and form.is_valid() and not is_behind:
            form.save()
            after = series_acts.facts(series)
            changed = [name for name in after if before[name] != after[name]]
            was, is_now = ({name: facts[name] for name in changed} for facts in (before, after))
            audit_log.record(request.user, "change series", series, before=was, after=is_now)
            messages.success(request, gettext("Saved."))
            return redirect("desk-series", pk)
    queues: dict[str, list[QueuedLevel]] = {slot: [] for slot in Slot.values}
    for queued in stored.queue.select_related("level"):
        queues[queued.slot].append(queued)
    page = Paginator(range(max(map(len, queues.values()))), PER_PAGE).get_page(request.GET.get("page"))
    first = (page.number - 1) * PER_PAGE
    shown = {slot: queue[first : first + PER_PAGE] for slot, queue in queues.items()}
    waiting = [queued.level for queue in queues.values() for queued in queue[:1]]
    waiting += [queued.level for queue in shown.values() for queued in queue]
    public = standing.find_public(waiting) if waiting else {}
    turns = list(stored.turns.select_related("round").order_by("-number")[:10])
    coming = series_acts.upcoming(stored, turns, queues, at)
    context = {
        "series": stored,
        "form": form,
        "stamp": stamp,
        "is_behind": is_behind,
        "last": AuditEntry.objects.filter(target=audit_log.target_name(stored)).first() if is_behind else None,
        "queues": [(slot, len(queues[slot]), _with_public_copies(shown[slot], public)) for slot in Slot],
        "chosen": page,
        "first_place": first + 1,
        "place": PlaceForm() if any(queues.values()) else None,
        "turns": turns,
        "next": coming,
        "next_levels": [(queued, drawing(queued.level.board), public.get(queued.level.key)) for queued in coming.levels]
        if coming
        else [],
        "openings": series_acts.next_openings(stored, at, 4),
        "troubles": series_acts.list_troubles(at, own),
    }
    status = 409 if is_behind else 422 if form.errors else 200
    return render(request, "contest/desk/series/series.html", context, status=status)


@staff("change_track")
@require_http_methods(["GET", "POST"])
def track_page(request: StaffRequest, slug: str) -> HttpResponse:
    """Change the titles of a track, its order, and whether its rounds are rated."""
    track = get_object_or_404(Track, pk=slug)
    form = TrackForm(request.POST or None, instance=track, label_suffix="")
    if form.is_bound and form.is_valid():
        tracks.save(form.instance, by=request.user)
        messages.success(request, gettext("Saved."))
        return redirect("desk-all-series")
    context = {"track": Track.objects.get(pk=slug), "form": form}
    return render(request, "contest/desk/series/track.html", context, status=422 if form.errors else 200)


def _with_public_copies(
    queue: list[QueuedLevel], public: dict[str, CollectedLevel]
) -> list[tuple[QueuedLevel, CollectedLevel | None]]:
    return [(queued, public.get(queued.level.key)) for queued in queue]


def _move_levels(request: StaffRequest, series: Series, do: str) -> None:
    """Apply the pressed button to the ticked levels, or to the dragged one."""
    keys = {key for key in map(whole_number, request.POST.getlist("queued")[:_MOST_MOVED]) if key is not None}
    if do == "out":
        shelf.dequeue(series, keys, by=request.user)
    elif do == "move":
        form = PlaceForm(request.POST)
        if form.is_valid():
            place = form.cleaned_data["place"] or _MOST_MOVED
            shelf.move(series, keys, form.cleaned_data["to"], place, by=request.user)
        else:
            messages.error(request, gettext("Choose a slot and a place, from 1 upwards."))
            return
    else:
        shelf.step(series, keys, _MOVES[do], by=request.user)
    messages.success(request, gettext("Saved."))


def _hold_or_release(request: StaffRequest, series: Series, do: str, at: datetime) -> None:
    """Hold a turn back, or release it."""
    turn = whole_number(request.POST.get("turn", ""))
    if not turn or turn > _MOST_TURNS:
        raise Http404
    try:
        if do == "hold":
            series_acts.hold_turn(series, turn, at=at, by=request.user)
        else:
            series_acts.release_turn(series, turn, by=request.user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, gettext("Saved."))
