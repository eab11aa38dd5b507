"""The library and the series on the desk."""

import copy
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from contest import rounds, visibility
from contest.desk.access import StaffRequest, staff
from contest.desk.forms import LevelForm, QueueForm, SearchForm, SeriesForm, UseForm
from contest.desk.levels import importing
from contest.infra import clock
from contest.infra.integers import whole_number
from contest.library import series as series_acts
from contest.library import shelf
from contest.models import AuditEntry, LibraryLevel, QueuedLevel, Round, Series, Slot
from contest.staff import audit_log
from contest.web.play.editor import drawing

PER_PAGE = 40
_MOST_WORDS = 8
_ORDERS = {
    "": ("-added_at", "-pk"),
    "boxes": ("boxes", "pk"),
    "size": ("width", "height", "pk"),
    "title": ("title", "pk"),
}


@staff("add_librarylevel")
@require_safe
def levels(request: StaffRequest) -> HttpResponse:
    """The library, searched."""
    form = SearchForm(request.GET)
    asked = form.cleaned_data if form.is_valid() else {}
    found = visibility.levels_in_library(request.user).select_related("used_in").defer("solution")
    page = Paginator(_sought(found, asked), PER_PAGE).get_page(request.GET.get("page"))
    words = {
        "chosen": page,
        "matches": page.paginator.count,
        "shown": [{"level": level, "picture": drawing(level.board)} for level in page],
        "form": form,
        "is_narrowed": any(value not in ("", None) for value in asked.values()),
    }
    return render(request, "contest/desk/library.html", words)


def _sought(found: QuerySet[LibraryLevel], asked: dict[str, Any]) -> QuerySet[LibraryLevel]:
    """What the search form lets through, in its order."""
    for word in asked.get("q", "").split()[:_MOST_WORDS]:
        found = found.filter(Q(title__icontains=word) | Q(author__icontains=word) | Q(tags__icontains=word))
    bounds = {name: value for name, value in asked.items() if "__" in name and value is not None}
    if state := asked.get("state"):
        found = found.filter(state=state)
    if rights := asked.get("rights"):
        found = found.exclude(rights="") if rights == "given" else found.filter(rights="")
    if difficulty := asked.get("difficulty"):
        found = found.filter(difficulty=difficulty)
    return found.filter(**bounds).order_by(*_ORDERS.get(asked.get("by", ""), _ORDERS[""]))


@staff("add_librarylevel")
@require_http_methods(["GET", "POST"])
def level(request: StaffRequest, pk: int) -> HttpResponse:
    """One level of the library: look, mend, queue it, use it, put it away."""
    at = clock.now()
    kept = get_object_or_404(visibility.levels_in_library(request.user), pk=pk)
    do = request.POST.get("do", "")
    use, queue = UseForm(drafts=importing.drafts(at)), QueueForm(label_suffix="")
    form = LevelForm(initial=_initial(kept))
    if request.method == "POST" and do in ("save", "look"):
        form = LevelForm(request.POST)
        if form.is_valid() and do == "save" and importing.fill_and_keep(request, form, kept, at):
            return redirect("desk-library-level", pk)
    elif request.method == "POST":
        if not request.user.has_perm("contest.change_librarylevel"):
            raise Http404
        try:
            return _done(request, kept, do)
        except ValidationError as error:
            messages.error(request, " ".join(error.messages))
    words = {
        "level": kept,
        "form": form,
        "looked": importing.looked_at(form, request.user, kept),
        "use": use,
        "queue": queue,
        "queued": QueuedLevel.objects.filter(level=kept).select_related("series").first(),
        "may_use": request.user.has_perm("contest.change_librarylevel"),
        "has_series": Series.objects.filter(is_running=True).exists(),
    }
    return render(request, "contest/desk/library_level.html", words, status=422 if form.errors else 200)


def _initial(kept: LibraryLevel) -> dict[str, Any]:
    names = ("solution", "title", "author", "tags", "difficulty", "rights", "unsolved_reason")
    return {
        "text": str(kept.board),
        **{name: getattr(kept, name) for name in names},
        "confirmed": kept.state != "draft",
    }


def _done(request: StaffRequest, kept: LibraryLevel, do: str) -> HttpResponse:
    """Do what the pressed button says."""
    at, by = clock.now(), request.user
    if do == "take":
        shelf.take_solution(kept, at=at, by=by)
    elif do == "away":
        shelf.put_away(kept, by=by)
    elif do == "back":
        shelf.take_back(kept, by=by)
    elif do == "queue":
        queue = QueueForm(request.POST)
        if not queue.is_valid():
            raise ValidationError(_("Choose a series."))
        shelf.enqueue(kept, queue.cleaned_data["series"], queue.cleaned_data["slot"], by=by)
        return redirect("desk-series", queue.cleaned_data["series"].pk)
    elif do == "use":
        if not request.user.has_perm("contest.change_round"):
            raise Http404
        use = UseForm(request.POST, drafts=importing.drafts(at))
        if not use.is_valid():
            raise ValidationError(_("Choose a round that has not opened."))
        with transaction.atomic():
            round_ = use.cleaned_data["round"] or Round(**rounds.suggestion(at))
            if round_.pk is None and not request.user.has_perm("contest.add_round"):
                raise Http404
            if round_.pk is None:
                rounds.save(round_, at=at, by=by)
            shelf.use(kept, round_, use.cleaned_data["slot"], at=at, by=by)
        return redirect("desk-round", round_.number)
    return redirect("desk-library-level", kept.pk)


@staff("view_series")
@require_http_methods(["GET", "POST"])
def all_series(request: StaffRequest) -> HttpResponse:
    """Every series, and a form for another."""
    form = SeriesForm(request.POST or None)
    if form.is_bound and not request.user.has_perm("contest.add_series"):
        raise Http404
    if form.is_bound and form.is_valid():
        with transaction.atomic():
            made = form.save()
            audit_log.record(request.user, "make series", made, after=_facts(made))
        return redirect("desk-series", made.pk)
    at = clock.now()
    listed = [(one, series_acts.next_openings(one, at), series_acts.waiting(one)) for one in Series.objects.all()]
    words = {"listed": listed, "form": form}
    return render(request, "contest/desk/all_series.html", words, status=422 if form.errors else 200)


@staff("change_series")
@require_http_methods(["GET", "POST"])
def series(request: StaffRequest, pk: int) -> HttpResponse:
    """One series: its beat, its queues, its turns. What another organiser saved meanwhile is not lost."""
    at = clock.now()
    do = request.POST.get("do", "")
    with transaction.atomic():
        one = get_object_or_404(Series.objects.select_for_update(), pk=pk)
        stored, before, stamp = copy.copy(one), _facts(one), series_acts.stamp(one)
        form = SeriesForm(request.POST if do == "save" else None, instance=one)
        is_behind = form.is_bound and request.POST.get("stamp") != stamp
        if do in ("first", "out"):
            queued = get_object_or_404(QueuedLevel, series=one, pk=whole_number(request.POST.get("queued", "")))
            (shelf.to_the_front if do == "first" else shelf.dequeue)(queued, by=request.user)
            return redirect("desk-series", pk)
        if form.is_bound and form.is_valid() and not is_behind:
            form.save()
            audit_log.record(request.user, "change series", one, before=before, after=_facts(one))
            return redirect("desk-series", pk)
    queues: dict[str, list[QueuedLevel]] = {slot: [] for slot in Slot.values}
    for queued in stored.queue.select_related("level"):
        queues[queued.slot].append(queued)
    words = {
        "series": stored,
        "form": form,
        "stamp": stamp,
        "is_behind": is_behind,
        "last": AuditEntry.objects.filter(target=audit_log.target_name(stored)).first() if is_behind else None,
        "queues": [(slot, queues[slot]) for slot in Slot],
        "turns": stored.turns.select_related("round").order_by("-number")[:10],
        "openings": series_acts.next_openings(stored, at, 4),
        "troubles": series_acts.troubles(at),
    }
    status = 409 if is_behind else 422 if form.errors else 200
    return render(request, "contest/desk/series.html", words, status=status)


def _facts(one: Series) -> dict[str, Any]:
    names = ("name_zh", "name_en", "every_weeks", "length_days", "is_running")
    return {**{name: getattr(one, name) for name in names}, "first_opens_at": one.first_opens_at.isoformat()}
