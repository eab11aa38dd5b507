"""The library on the desk: search it, edit one level, queue many at once."""

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from contest import visibility
from contest.desk.access import StaffRequest, staff
from contest.desk.forms import LevelForm, QueueForm, SearchForm, UseForm
from contest.desk.levels import importing, queueing
from contest.infra import clock
from contest.infra.integers import whole_number
from contest.library import shelf
from contest.models import LibraryLevel, QueuedLevel
from contest.rendering.boards import drawing
from contest.staff import track_owners

PER_PAGE = 40
_MOST_WORDS = 8
_ORDERS = {
    "": ("-added_at", "-pk"),
    "oldest": ("added_at", "pk"),
    "boxes": ("boxes", "pk"),
    "size": ("width", "height", "pk"),
    "title": ("title", "pk"),
}


@staff("add_librarylevel")
@require_http_methods(["GET", "HEAD", "POST"])
def levels(request: StaffRequest) -> HttpResponse:
    """Search the library; queue the ticked levels, or all matches, in the displayed order."""
    at = clock.now()
    form = SearchForm(request.GET)
    asked = form.cleaned_data if form.is_valid() else {}
    found = _search(visibility.levels_in_library(request.user), asked)
    if request.method == "POST":
        return _queue(request, found)
    waits = Exists(QueuedLevel.objects.filter(level=OuterRef("pk")).order_by())
    shown = found.select_related("used_in").defer("solution").annotate(waits=waits)
    page = Paginator(shown, PER_PAGE).get_page(request.GET.get("page"))
    queue = queueing.queue_form(request)
    context = {
        "chosen": page,
        "matches": page.paginator.count,
        "shown": [
            {
                "level": level,
                "picture": drawing(level.board),
                "may_tick": queue and _is_free(level),
                "page": _round_url(request.user, level, at),
            }
            for level in page
        ],
        "form": form,
        "is_narrowed": any(value not in ("", None) for value in asked.values()),
        "queue": queue if page.paginator.count else None,
        "series": request.GET.get("series", ""),
    }
    return render(request, "contest/desk/levels/library.html", context)


def _is_free(level: Any) -> bool:
    return level.state == LibraryLevel.State.READY and not level.waits


def _queue(request: StaffRequest, found: QuerySet[LibraryLevel]) -> HttpResponse:
    """Queue the ticked levels, or all that match the search."""
    if not queueing.may_queue(request):
        raise Http404
    is_all = request.POST.get("do") == "all"
    if not is_all:
        keys = [whole_number(key) for key in request.POST.getlist("level")[:PER_PAGE]]
        found = found.filter(pk__in=[key for key in keys if key is not None])
    try:
        queue = queueing.read_choice(request)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return redirect(request.get_full_path())
    wanted = list(found.values_list("pk", flat=True)[: shelf.MOST_AT_ONCE])
    series = queue.cleaned_data["series"]
    done = shelf.enqueue_all(wanted, series, queue.slots, by=request.user)
    if not wanted:
        messages.warning(request, _("Tick the levels first."))
    queueing.report_outcome(request, series, done)
    return redirect("desk-series", series.pk) if is_all else redirect(request.get_full_path())


def _search(found: QuerySet[LibraryLevel], asked: dict[str, Any]) -> QuerySet[LibraryLevel]:
    """Filter and sort by the search form."""
    for word in asked.get("q", "").split()[:_MOST_WORDS]:
        found = found.filter(Q(title__icontains=word) | Q(author__icontains=word) | Q(tags__icontains=word))
    bounds = {name: value for name, value in asked.items() if "__" in name and value is not None}
    if state := asked.get("state"):
        is_free = {"state": LibraryLevel.State.READY, "queued": None}
        found = found.filter(**is_free if state == "free" else {"state": state})
    if rights := asked.get("rights"):
        found = found.exclude(rights="") if rights == "given" else found.filter(rights="")
    if difficulty := asked.get("difficulty"):
        found = found.filter(difficulty=difficulty)
    return found.filter(**bounds).order_by(*_ORDERS.get(asked.get("by", ""), _ORDERS[""]))


@staff("add_librarylevel")
@require_http_methods(["GET", "POST"])
def level_page(request: StaffRequest, pk: int) -> HttpResponse:
    """Show one level of the library: view, edit, queue, use or retire it."""
    at = clock.now()
    level = get_object_or_404(visibility.levels_in_library(request.user), pk=pk)
    do = request.POST.get("do", "")
    use, queue = UseForm(drafts=importing.editable_rounds(at, request.user)), queueing.queue_form(request, QueueForm)
    form = LevelForm(initial=_initial_values(level))
    if request.method == "POST" and do in ("save", "look"):
        form = LevelForm(request.POST)
        if form.is_valid() and do == "save" and importing.save_in_library(request, form, level, at):
            return redirect("desk-library-level", pk)
    elif request.method == "POST":
        if not _may_do(request, do):
            raise Http404
        try:
            return _handle_action(request, level, do)
        except ValidationError as error:
            messages.error(request, " ".join(error.messages))
    looked = importing.examine_form(form, request.user, level)
    queued = _place_in_queue(level)
    may_put_away, is_used = request.user.has_perm("contest.change_librarylevel"), level.state == LibraryLevel.State.USED
    context = {
        "level": level,
        "form": form,
        "looked": looked,
        **importing.questions_to_ask(form, looked),
        "use": use,
        "queue": queue,
        "queued": queued,
        "may_see_queue": queued and track_owners.may(request.user, "change_series", queued.series.track_id),
        "page": _round_url(request.user, level, at),
        "may_use": track_owners.may(request.user, "change_round") and level.state == LibraryLevel.State.READY,
        "may_put_away": may_put_away and not is_used,
        "offers_solution": may_put_away and not is_used and looked.is_solved_by_search,
        "offers_queue": queue is not None and not queued,
    }
    return render(request, "contest/desk/levels/library_level.html", context, status=422 if form.errors else 200)


def _initial_values(level: LibraryLevel) -> dict[str, Any]:
    names = ("solution", "title", "author", "tags", "difficulty", "rights", "unsolved_reason")
    return {
        "text": str(level.board),
        **{name: getattr(level, name) for name in names},
        "confirmed": level.state != "draft",
    }


def _may_do(request: StaffRequest, do: str) -> bool:
    """Return True if the user may do *do*. Organisers of tracks may only "use" and "queue" levels, in own tracks."""
    if do == "use":
        return track_owners.may(request.user, "change_round")
    if do == "queue":
        return queueing.may_queue(request)
    return request.user.has_perm("contest.change_librarylevel")


def _place_in_queue(level: LibraryLevel) -> QueuedLevel | None:
    return QueuedLevel.objects.filter(level=level).select_related("series").first()


def _round_url(user: User, level: LibraryLevel, at: datetime) -> str:
    """Return the URL of the level's round for *user*: on the desk, or the public page once the round has opened."""
    round_ = level.used_in
    if round_ is None:
        return ""
    if track_owners.may(user, "view_round", round_.track_id):
        return reverse("desk-round", args=[round_])
    return round_.get_absolute_url() if visibility.is_opened(round_, at) else ""


def _is_in_other_track(user: User, level: LibraryLevel) -> bool:
    """Return True if the level is in another track's round or queue, so that *user* may not move it."""
    queued = _place_in_queue(level)
    if queued and not track_owners.may(user, "change_series", queued.series.track_id):
        return True
    return level.used_in is not None and not track_owners.may(user, "change_round", level.used_in.track_id)


def _handle_action(request: StaffRequest, level: LibraryLevel, do: str) -> HttpResponse:
    """Perform the action of the pressed button."""
    at, by = clock.now(), request.user
    if do in ("use", "queue") and _is_in_other_track(by, level):
        raise ValidationError(_("Only a level that is ready can be used."))
    if do == "take":
        shelf.take_solution(level, at=at, by=by)
    elif do == "away":
        shelf.hide_level(level, by=by)
    elif do == "back":
        shelf.show_level(level, by=by)
    elif do == "queue":
        queue = queueing.read_choice(request, QueueForm)
        shelf.enqueue(level, queue.cleaned_data["series"], queue.cleaned_data["slot"], by=by)
        return redirect("desk-series", queue.cleaned_data["series"].pk)
    elif do == "use":
        use = UseForm(request.POST, drafts=importing.editable_rounds(at, by))
        if not use.is_valid():
            raise ValidationError(_("Choose a round that has not opened."))
        with transaction.atomic():
            round_ = use.cleaned_data["round"] or importing.create_round(by, at)
            shelf.use_level(level, round_, use.cleaned_data["slot"], at=at, by=by)
        return redirect("desk-round", round_)
    return redirect("desk-library-level", level.pk)
