"""Solver searches on the desk: watch a witness, search again, cancel, set the budget."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from contest.celery import waking
from contest.desk.access import StaffRequest, staff
from contest.models import Certificate, Level, LibraryLevel, Search, SearchState
from contest.rendering.boards import drawing
from contest.vetting import orders

PER_PAGE = 40


class BudgetForm(forms.Form):
    """CPU time and memory allowed for one search."""

    seconds = forms.IntegerField(label=_("CPU seconds"), min_value=1, max_value=orders.MOST_SECONDS)
    megabytes = forms.IntegerField(label=_("Megabytes"), min_value=64, max_value=orders.MOST_MEGABYTES)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})


@staff("change_librarylevel")
@require_http_methods(["GET", "HEAD", "POST"])
def all_searches(request: StaffRequest) -> HttpResponse:
    """List all searches that the solver runs for organisers, newest first, with a form for their budget."""
    allowed = orders.get_budget()
    form = BudgetForm(request.POST or None, initial={"seconds": allowed.seconds, "megabytes": allowed.megabytes})
    if form.is_bound and form.is_valid():
        orders.set_budget(form.cleaned_data["seconds"], form.cleaned_data["megabytes"], by=request.user)
        messages.success(request, gettext("Saved."))
        return redirect("desk-vettings")
    counts = {(state, answer): count for state, answer, count in _count_answers()}
    kinds = {
        "waiting": {(state, answer) for state, answer in counts if state in (SearchState.QUEUED, SearchState.RUNNING)},
        **{
            answer: {key for key in counts if key == (SearchState.DONE, answer)}
            for answer in ("solved", "unsolvable", "unknown")
        },
        "ended": {key for key in counts if key[0] in (SearchState.CANCELLED, SearchState.FAILED)},
    }
    chosen = request.GET.get("show", "")
    found = orders.vettings().order_by("-asked_at", "-pk").defer("found", "tried")
    if chosen in kinds:
        states = {state for state, _answer in kinds[chosen]}
        found = found.filter(state__in=states)
        found = found.filter(answer=chosen) if chosen in ("solved", "unsolvable", "unknown") else found
    paginator = Paginator(found, PER_PAGE)
    paginator.count = sum(counts[key] for key in kinds.get(chosen, counts))
    page = paginator.get_page(request.GET.get("page"))
    context = {
        "chosen": page,
        "shown": [{"search": search, "picture": drawing(search.board)} for search in page],
        "kinds": [(name, _KINDS[name], sum(counts[key] for key in keys)) for name, keys in kinds.items()],
        "kind": chosen,
        "total": sum(counts.values()),
        "form": form,
    }
    return render(request, "contest/desk/vetting/vettings.html", context, status=422 if form.errors else 200)


_KINDS = {
    "waiting": _("waiting or running"),
    "solved": _("solvable"),
    "unsolvable": _("proved unsolvable"),
    "unknown": _("not known"),
    "ended": _("stopped or broken off"),
}


def _count_answers() -> Any:
    return orders.vettings().order_by().values_list("state", "answer").annotate(Count("pk"))


@staff("change_librarylevel")
@require_http_methods(["GET", "HEAD", "POST"])
def search_page(request: StaffRequest, pk: int) -> HttpResponse:
    """Show one search: answer, witness to watch, attempts; the page polls `part` while the search runs."""
    search = get_object_or_404(orders.vettings(), pk=pk)
    if request.GET.get("part") == "progress":
        return render(request, "contest/desk/vetting/_search_progress.html", {"search": search})
    do = request.POST.get("do", "")
    more = {"seconds": min(search.seconds * 4, orders.MOST_SECONDS), "megabytes": search.megabytes}
    form = BudgetForm(request.POST if do == "again" else None, initial=more)
    if do == "cancel":
        orders.cancel_searches(Search.objects.filter(pk=pk))
        return redirect("desk-vetting", pk)
    if form.is_bound and form.is_valid():
        orders.requeue(search, **form.cleaned_data, by=request.user)
        waking.wake_solver()
        return redirect("desk-vetting", pk)
    context = {
        "search": search,
        "picture": drawing(search.board, ruler=True),
        "form": form,
        "kept": LibraryLevel.objects.filter(sha256=search.sha256).defer("solution")[:5],
        "levels": Level.objects.filter(sha256=search.sha256).select_related("round").defer("solution")[:5],
        "watched": search.witness,
        "certificates": search.certificates.defer("content"),
    }
    return render(request, "contest/desk/vetting/vetting.html", context, status=422 if form.errors else 200)


@staff("change_librarylevel")
@require_safe
def moves(_request: StaffRequest, pk: int) -> HttpResponse:
    """Return the witness as text, for the page that replays it."""
    search = get_object_or_404(orders.vettings(), pk=pk)
    if search.witness is None:
        raise Http404
    return HttpResponse(search.witness["lurd"], content_type="text/plain; charset=utf-8")


@staff("change_librarylevel")
@require_safe
def certificate(_request: StaffRequest, pk: int, kind: str) -> HttpResponse:
    """Return what vetting proved, for organisers: also of levels that nobody else may know."""
    row = get_object_or_404(Certificate, search__in=orders.vettings(), search=pk, kind=kind, size__gt=0)
    disposition = {"Content-Disposition": f'attachment; filename="vetting-{pk}-{kind}.xz"'}
    return HttpResponse(bytes(row.content), content_type="application/octet-stream", headers=disposition)
