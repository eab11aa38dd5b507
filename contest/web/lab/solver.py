"""Ask the solver: paste a level, follow the search, see its result (docs/explanation/vetting.md)."""

from typing import Any

from django import forms
from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from contest.celery import waking
from contest.infra import client_ip, clock
from contest.infra.rate_limits import BOARD, QUESTION, costs, pass_door
from contest.models import Search, SearchKind
from contest.rendering.boards import drawing
from contest.vetting import asking
from contest.vetting.asking import Asker, Question, Refused
from contest.web.lab.views import theory_of
from contest.web.shell.request import Request

_BOARD = {"class": "moves", "spellcheck": "false", "autocapitalize": "off", "autocomplete": "off"}
# The choices of the form, as act-aim of a search.
_WISHES = {
    "solve-any": pgettext_lazy("ask the solver", "any solution"),
    "solve-pushes": pgettext_lazy("ask the solver", "a solution with few pushes"),
    "solve-moves": pgettext_lazy("ask the solver", "a solution with few moves"),
    "prove-pushes": pgettext_lazy("ask the solver", "the fewest pushes, with a proof"),
    "prove-moves": pgettext_lazy("ask the solver", "the fewest moves, with a proof"),
    "optimize-pushes": pgettext_lazy("ask the solver", "improve my solution: fewer pushes"),
    "optimize-moves": pgettext_lazy("ask the solver", "improve my solution: fewer moves"),
}
_FIELDS = {"level": "level", "lurd": "lurd", "act": "wish"}


class AskForm(forms.Form):
    """A level and a search request for it."""

    level = forms.CharField(label=_("Level (XSB)"), strip=False, widget=forms.Textarea({**_BOARD, "rows": 10}))
    wish = forms.ChoiceField(label=_("What to look for"), choices=list(_WISHES.items()))
    seconds = forms.IntegerField(label=_("CPU seconds"), min_value=1, initial=10)
    lurd = forms.CharField(
        label=_("Your own solution (LURD)"),
        required=False,
        widget=forms.Textarea({**_BOARD, "rows": 3}),
        help_text=_("Only needed to improve it."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        self.fields["seconds"].widget.attrs["max"] = settings.ASKED_SECONDS
        self.fields["seconds"].help_text = _("Up to %(most)s.") % {"most": settings.ASKED_SECONDS}

    def question(self) -> Question:
        given = self.cleaned_data
        act, _dash, aim = given["wish"].partition("-")
        return Question(given["level"].strip("\r\n"), act, aim, given["lurd"], given["seconds"])


def asker_of(request: Request) -> Asker:
    return Asker(request.viewer, client_ip.sender_of(request))


@costs(QUESTION)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: Request) -> HttpResponse:
    form = AskForm(request.POST or None, initial={"level": request.GET.get("level", "")[: asking.LONGEST_TEXT]})
    status = 200
    if form.is_bound:
        status = 422
        if form.is_valid():
            try:
                search = asking.ask(form.question(), asker_of(request), at=clock.now())
            except Refused as refusal:
                form.add_error(_FIELDS.get(refusal.field), refusal.message)
                status = refusal.status
            else:
                waking.wake_solver()
                return redirect("lab-solver-answer", search.public_id)
    context = {"form": form, "theory": theory_of("solver"), "is_closed": not settings.ASKED_SECONDS}
    return render(request, "contest/lab/solver.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def answer(request: Request, search_id: str) -> HttpResponse:
    """Show a search's progress or result to any client with the link; the page polls `part` while it runs."""
    search = _get_search(search_id)
    if request.method == "POST":
        asking.cancel(search)
        return redirect("lab-solver-answer", search_id)
    if request.GET.get("part") == "progress":
        return render(request, "contest/desk/vetting/_search_progress.html", {"search": search})
    pass_door(BOARD, client_ip.sender_of(request), len(search.text))  # a large board takes as long as in the editor
    context = {
        "search": search,
        "picture": drawing(search.board, ruler=True),
        "watched": search.best_by(search.aim if search.aim != "any" else "pushes"),
        "rows": str(search.board),
    }
    return render(request, "contest/lab/solver_answer.html", context)


@never_cache
@require_safe
def moves(request: Request, search_id: str) -> HttpResponse:  # noqa: ARG001 - a view's first argument
    """Return the solution as text, for the page that plays it."""
    search = _get_search(search_id)
    found = search.best_by(search.aim if search.aim != "any" else "pushes")
    if found is None:
        raise Http404
    return HttpResponse(found["lurd"], content_type="text/plain; charset=utf-8")


def _get_search(search_id: str) -> Search:
    search = asking.find_question(search_id, clock.now())
    if search is None or search.kind != SearchKind.ASKED:
        raise Http404
    return search
