"""The page on which levels are drawn. Nothing is stored: a level is in the form, or in the browser."""

import json
from hashlib import sha256

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from contest import levels
from contest.infra import client_ip, rate_limits
from contest.web.play.sentences import of_scripts
from contest.wording.verdicts import error_words, problem_templates
from solvers.errors import PuzzleError
from solvers.sokoban import Level
from solvers.sokoban.draw import LIGHT, svg
from solvers.sokoban.gate import faults
from solvers.sokoban.pictures import Style, png
from solvers.sokoban.problems import Fault

LONGEST = 50_000  # characters: the largest board, and blanks at its ends
_NOT_OF_THE_BOARD = frozenset({Fault.NO_SOLUTION, Fault.TEXT_EMPTY})


class DrawnForm(forms.Form):
    """A board as text; without its script the page is this form."""

    pasted = forms.CharField(
        label=_("The level as text (XSB)"),
        required=False,
        strip=False,
        max_length=LONGEST,
        widget=forms.Textarea(
            {"class": "moves", "rows": 12, "spellcheck": "false", "autocapitalize": "off", "autocomplete": "off"}
        ),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def editor_page(request: HttpRequest) -> HttpResponse:
    """The board to draw on; posted, what the gate says of it, or the player with it."""
    form = DrawnForm(request.POST if request.method == "POST" else None, label_suffix="")
    level = _level(form) if form.is_bound else None
    if level and request.POST.get("do") == "play" and not level.unjudgeable:
        key = sha256(level.published_text.encode()).hexdigest()
        facts = {"sentences": of_scripts(), "numbers": None}
        words = {"level": level, "play_key": key, "rows": str(level), "facts": facts}
        return render(request, "contest/drawn.html", words)
    words = {"form": form, "problem_words": json.dumps(problem_templates()), **(_looked(level) if level else {})}
    return render(request, "contest/editor.html", words, status=422 if form.errors else 200)


@require_POST
def picture(request: HttpRequest) -> HttpResponse:
    """The board as a file to keep: `do` says as what."""
    form = DrawnForm(request.POST, label_suffix="")
    level = _level(form)
    if level is None:
        words = {"form": form, "problem_words": json.dumps(problem_templates())}
        return render(request, "contest/editor.html", words, status=422)
    try:
        rate_limits.pass_address(client_ip.sender_of(request))
    except rate_limits.Busy as busy:
        return HttpResponse(status=429, headers={"Retry-After": str(busy.wait or rate_limits.SPAN_SECONDS)})
    kind = "svg" if request.POST.get("do") == "svg" else "png"
    content = svg(level, theme=LIGHT) if kind == "svg" else png(level, Style(cell=32))
    response = HttpResponse(content, content_type="image/svg+xml" if kind == "svg" else "image/png")
    response["Content-Disposition"] = f'attachment; filename="level.{kind}"'
    return response


def _level(form: DrawnForm) -> Level | None:
    """The level in the form; None, with words in the form, where there is none."""
    if not form.is_valid():
        return None
    try:
        return Level.parse(form.cleaned_data["pasted"])
    except PuzzleError as error:
        form.add_error("pasted", error_words(error))
        return None


def _looked(level: Level) -> dict[str, object]:
    """What the gate says of the board alone."""
    found = faults(level, None)
    problems = [problem for problem in (*found.errors, *found.warnings) if problem.code not in _NOT_OF_THE_BOARD]
    cells = frozenset(cell for problem in problems for cell in problem.cells)
    return {
        "picture": drawing(level, cells, ruler=True),
        "problems": [levels.words_with_cells(problem, level) for problem in problems],
    }


def drawing(board: Level, cells: frozenset[int] = frozenset(), *, ruler: bool = False, title: str = "") -> SafeString:
    """The board as SVG with *cells* marked: made of numbers and class names; `svg` escapes the title."""
    return mark_safe(svg(board, marks=cells, ruler=ruler, title=title or gettext("Board")))  # noqa: S308 - svg escapes it
