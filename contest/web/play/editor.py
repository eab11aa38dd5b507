"""The level editor. The server stores nothing: a level exists only in the form or in the browser."""

import json
from hashlib import sha256
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from contest import levels
from contest.infra import clock
from contest.infra.rate_limits import BOARD, costs
from contest.levels.alike import similar_levels
from contest.rendering.boards import drawing
from contest.web.play.sentences import script_messages
from contest.web.shell.request import Request
from contest.wording.verdicts import describe_error, problem_templates
from solvers.errors import PuzzleError
from solvers.sokoban import Level
from solvers.sokoban.checks.gate import faults
from solvers.sokoban.drawing.draw import svg
from solvers.sokoban.drawing.pictures import Style, png
from solvers.sokoban.drawing.sprites import LIGHT
from solvers.sokoban.formats.single import read_one
from solvers.sokoban.problems import Fault

LONGEST = 50_000  # characters: the largest board plus surrounding whitespace
_SOLUTION_FAULTS = frozenset({Fault.NO_SOLUTION, Fault.TEXT_EMPTY})


class DrawnForm(forms.Form):
    """A board as text; without JavaScript the page consists of this form."""

    pasted = forms.CharField(
        label=_("The level as text (XSB)"),
        required=False,
        strip=False,
        max_length=LONGEST,
        widget=forms.Textarea(
            {"class": "moves", "rows": 12, "spellcheck": "false", "autocapitalize": "off", "autocomplete": "off"}
        ),
    )


@costs(BOARD)
@require_http_methods(["GET", "HEAD", "POST"])
def editor_page(request: Request) -> HttpResponse:
    """Show the editor; for a posted level show its problems or similar levels, play it, or redirect to the solver."""
    form = DrawnForm(request.POST if request.method == "POST" else None, label_suffix="")
    level = _read_level(form) if form.is_bound else None
    action = request.POST.get("do")
    if level and action == "ask":
        return redirect(f"{reverse('lab-solver')}?{urlencode({'level': str(level)})}")
    if level and action == "play" and not level.unjudgeable:
        key = sha256(level.published_text.encode()).hexdigest()
        facts = {"sentences": script_messages(), "numbers": None}
        context = {"level": level, "play_key": key, "rows": str(level), "facts": facts}
        return render(request, "contest/editor/drawn.html", context)
    context = _form_context(request, form)
    if level:
        context |= _describe_problems(level)
        if action == "alike" and len(level.players) == 1:
            context |= {"alike": similar_levels(request.viewer, clock.now(), level), "is_compared": True}
    return render(request, "contest/editor/editor.html", context, status=422 if form.errors else 200)


@costs(BOARD)
@require_POST
def picture(request: HttpRequest) -> HttpResponse:
    """Download the board as PNG or SVG, chosen by `do`."""
    form = DrawnForm(request.POST, label_suffix="")
    level = _read_level(form)
    if level is None:
        return render(request, "contest/editor/editor.html", _form_context(request, form), status=422)
    kind = "svg" if request.POST.get("do") == "svg" else "png"
    content = svg(level, theme=LIGHT) if kind == "svg" else png(level, Style(cell=32))
    response = HttpResponse(content, content_type="image/svg+xml" if kind == "svg" else "image/png")
    response["Content-Disposition"] = f'attachment; filename="level.{kind}"'
    return response


def _form_context(request: HttpRequest, form: DrawnForm) -> dict[str, object]:
    user = request.user
    return {
        "form": form,
        "problem_words": json.dumps(problem_templates()),
        "may_keep": user.is_staff and user.has_perm("contest.add_librarylevel"),
    }


def _read_level(form: DrawnForm) -> Level | None:
    """Return the level in *form*; return None and add an error to *form* if it is invalid."""
    if not form.is_valid():
        return None
    try:
        return read_one(form.cleaned_data["pasted"]).level
    except PuzzleError as error:
        form.add_error("pasted", describe_error(error))
        return None


def _describe_problems(level: Level) -> dict[str, object]:
    """Return the publication check's problems of the board, ignoring the missing solution."""
    found = faults(level, None)
    problems = [problem for problem in (*found.errors, *found.warnings) if problem.code not in _SOLUTION_FAULTS]
    cells = frozenset(cell for problem in problems for cell in problem.cells)
    return {
        "picture": drawing(level, cells, ruler=True),
        "problems": [levels.message_with_cells(problem, level) for problem in problems],
    }
