"""An imported collection on the desk: its progress, its levels, and the choice of levels for the library."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Count, Q, QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from contest import levels, visibility
from contest.celery import waking
from contest.desk.access import StaffRequest, staff
from contest.desk.levels import queueing
from contest.desk.levels.importing import destination
from contest.infra.integers import whole_number
from contest.library import collection_import, collection_solutions, publishing
from contest.library import queueing as queues
from contest.models import Intake, IntakeLevel, LibraryLevel, SearchBudget, Series
from contest.rendering.boards import drawing
from contest.vetting import orders
from contest.wording.readings import describe_reading
from contest.wording.verdicts import describe_unread
from solvers.sokoban.problems import Fault, Problem

PER_PAGE = 40
AT_ONCE = 200  # up to this many levels are saved within the request; a worker saves more
_MOST_WORDS = 8
_SHOWN_ELSEWHERE = {Fault.NO_SOLUTION, Fault.TEXT_EMPTY}


class ChooseForm(forms.Form):
    """Values for all chosen levels."""

    tags = forms.CharField(label=_("Tags"), required=False, max_length=200, help_text=_("Separate with commas."))
    rights = forms.CharField(
        label=_("Rights"),
        required=False,
        max_length=300,
        help_text=_("Who gave permission to publish the levels, and when."),
    )
    is_confirmed = forms.BooleanField(label=_("I have read the warnings"), required=False)


class BudgetForm(forms.Form):
    """CPU time allowed for finding a solution."""

    seconds = forms.IntegerField(label=_("CPU seconds a level"), min_value=1, max_value=orders.MOST_SECONDS)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})


@dataclass(frozen=True)
class BoardTile:
    """A board of the collection, prepared for the template."""

    level: IntakeLevel
    picture: SafeString | str
    problems: list[str]
    may_be_chosen: bool

    @property
    def facts(self) -> list[str]:
        """Return the known facts: author, size, and whether there is a solution."""
        size = f"{self.level.width} × {self.level.height}" if self.level.width else ""
        solved = gettext("with a solution") if self.level.solution else ""
        return [fact for fact in (self.level.author, size, solved) if fact]


@staff("add_librarylevel")
@require_http_methods(["GET", "HEAD", "POST"])
def intake_page(request: StaffRequest, pk: int) -> HttpResponse:
    """Show the collection by pages; the page polls `part` while a worker is busy with the collection."""
    intake = get_object_or_404(visibility.intakes(request.user).defer("data"), pk=pk)
    is_vetted = visibility.may_see_vetting(request.user)
    if request.method == "POST" and request.POST.get("do") in ("solve", "unsolve") and is_vetted:
        return _start_or_cancel_search(request, intake)
    if request.method == "POST":
        return _handle_action(request, intake)
    if request.GET.get("part") == "progress":
        context = {"intake": intake, "copied": publishing.copied(intake)}
        return render(request, "contest/desk/levels/_progress.html", context)
    return _render_page(request, intake, ChooseForm(label_suffix=""))


def _render_page(request: StaffRequest, intake: Intake, form: ChooseForm) -> HttpResponse:
    counted = IntakeLevel.objects.filter(intake=intake).values_list("standing").order_by()
    counts = {standing: (of_all, sought) for standing, of_all, sought in counted.annotate(**_count_aggregates(request))}
    unsolved = counts.get(IntakeLevel.Standing.UNSOLVED, (0, 0))[0]
    search = _search_counts(request, intake, unsolved) if unsolved else {}
    if search.get("solved") and collection_solutions.take_solutions(intake):
        return _render_page(request, intake, form)
    paginator = Paginator(_find_levels(request, intake).select_related("kept_as"), PER_PAGE)
    paginator.count = sum(sought for _of_all, sought in counts.values())  # already counted in the query for the states
    page = paginator.get_page(request.GET.get("page"))
    total = sum(of_all for of_all, _sought in counts.values())
    context = {
        "intake": intake,
        "copied": publishing.copied(intake) if intake.is_busy else 0,
        "readings": [describe_reading(*remark) for remark in intake.remarks],
        "chosen": page,
        "matches": paginator.count,
        "shown": [_show_level(level, is_busy=intake.is_busy) for level in page],
        "standings": [(*state, counts[state[0]][0]) for state in IntakeLevel.Standing.choices if state[0] in counts],
        "total": total,
        "may_publish": bool(total) and not intake.is_busy and request.user.has_perm("contest.change_librarylevel"),
        "may_solve": bool(search.get("unsolved")) and not intake.is_busy,
        "may_keep": bool(paginator.count) and not intake.is_busy,
        "queue": queueing.queue_form(request) if paginator.count and not intake.is_busy else None,
        "queued": _queueing_outcome(intake),
        "standing": request.GET.get("standing", ""),
        "sought": request.GET.get("q", ""),
        "is_new": "new" in request.GET,
        "form": form,
        "search": search,
        "budget": BudgetForm(initial={"seconds": SearchBudget().seconds}) if search else None,
        **destination(request),
    }
    return render(request, "contest/desk/levels/intake.html", context, status=422 if form.errors else 200)


def _search_counts(request: StaffRequest, intake: Intake, unsolved: int) -> dict[str, int]:
    """Return counts of the solver's results for levels without a solution; empty for users who may not see vetting."""
    if not visibility.may_see_vetting(request.user):
        return {}
    return {"unsolved": unsolved, **collection_solutions.search_counts(intake)}


def _find_levels(request: StaffRequest, intake: Intake) -> QuerySet[IntakeLevel]:
    return IntakeLevel.objects.filter(_query_filter(request), intake=intake)


def _count_aggregates(request: StaffRequest) -> dict[str, Count]:
    """Return aggregates for all levels and for the levels that match the filter."""
    return {"of_all": Count("pk"), "sought": Count("pk", filter=_query_filter(request))}


def _query_filter(request: StaffRequest) -> Q:
    """Return the filter from the query string."""
    wanted = ~Q(pk=None)
    for word in request.GET.get("q", "").split()[:_MOST_WORDS]:
        wanted &= Q(title__icontains=word) | Q(author__icontains=word)
    if (standing := request.GET.get("standing")) in IntakeLevel.Standing.values:
        wanted &= Q(standing=standing)
    return wanted & Q(is_known=False) if "new" in request.GET else wanted


def _show_level(level: IntakeLevel, *, is_busy: bool) -> BoardTile:
    if level.standing == IntakeLevel.Standing.UNREAD:
        return BoardTile(level, "", [describe_unread(**error) for error in level.problems], may_be_chosen=False)
    problems = [Problem(Fault(code), values, tuple(cells)) for code, values, cells in level.problems]
    marks = frozenset(cell for problem in problems for cell in problem.cells)
    texts = [
        levels.message_with_cells(problem, level.board) for problem in problems if problem.code not in _SHOWN_ELSEWHERE
    ]
    is_used = bool(level.kept_as and level.kept_as.state in (LibraryLevel.State.USED, LibraryLevel.State.RETIRED))
    return BoardTile(level, drawing(level.board, marks), texts, may_be_chosen=not (is_busy or is_used))


def _start_or_cancel_search(request: StaffRequest, intake: Intake) -> HttpResponse:
    """Start the search for solutions of all levels without one, or cancel it."""
    form = BudgetForm(request.POST)
    if request.POST["do"] == "unsolve":
        orders.cancel_searches(orders.vettings().filter(pk__in=collection_solutions.searches_of(intake).values("pk")))
    elif form.is_valid():
        collection_solutions.find_solutions(intake, seconds=form.cleaned_data["seconds"], by=request.user)
        waking.wake_solver()
    else:
        messages.error(request, " ".join(map(str, form.errors["seconds"])))
    return redirect(f"{reverse('desk-intake', args=[intake.pk])}?{request.GET.urlencode()}")


def _handle_action(request: StaffRequest, intake: Intake) -> HttpResponse:
    """Perform the action of the pressed button."""
    here = f"{reverse('desk-intake', args=[intake.pk])}?{request.GET.urlencode()}"
    if request.POST.get("do") == "stop":
        collection_import.stop(intake)
        return redirect(here)
    form = ChooseForm(request.POST, label_suffix="")
    if not form.is_valid():
        return _render_page(request, intake, form)
    do = request.POST.get("do")
    wanted = _find_levels(request, intake)
    if do not in ("all", "queue-all"):
        places = [whole_number(place) for place in request.POST.getlist("place")[:PER_PAGE]]
        wanted = IntakeLevel.objects.filter(intake=intake, place__in=[place for place in places if place is not None])
    plan = None
    if do in ("queue", "queue-all"):
        if not queueing.may_queue(request):
            raise Http404
        try:
            queue = queueing.read_choice(request)
        except ValidationError as error:
            form.add_error(None, error)
            return _render_page(request, intake, form)
        plan = queues.plan(wanted, queue.cleaned_data["series"], queue.slots)
        wanted = IntakeLevel.objects.filter(pk__in=plan["levels"])
    count = collection_import.choose(intake, wanted, form.cleaned_data, by=request.user, queue=plan)
    if not count and not plan:
        messages.warning(request, gettext("All chosen levels are already in the library."))
    elif 0 < count <= AT_ONCE:
        collection_import.work_on(intake)
        messages.success(request, _saved_message(count))
    elif count:
        waking.wake_intakes()
    return redirect(here)


def _queueing_outcome(intake: Intake) -> dict[str, Any] | None:
    """Return the result of queueing this collection's levels, or None until there is one."""
    queued = intake.labels.get("queued")
    series = Series.objects.filter(pk=queued["series"]).first() if queued else None
    message = (queued or {}).get("words", {}).get(get_language(), "")
    return {**queued, "series": series, "words": message} if series else None


def _saved_message(count: int) -> Any:
    return ngettext("%(count)s level is in the library.", "%(count)s levels are in the library.", count) % {
        "count": count
    }
