"""The pages of the lab. Their theory is Markdown in docs/site, their scripts are in static/contest/lab."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import get_language, gettext, gettext_lazy
from django.views.decorators.http import require_safe

from contest.infra import identity
from contest.rendering import markdown as marked
from contest.rendering.boards import drawing
from contest.web.lab import covers, sentences
from contest.web.lab.knight import DEFAULT, Crossing, KnightForm
from contest.web.lab.records import charts, record_rows
from contest.web.pages import reading
from solvers.klotski import Layout, draw
from solvers.klotski.names import CLASSICS, Classic
from solvers.logic import Formula, reduce_formula
from solvers.logic.draw import in_signs
from solvers.logic.draw import svg as graph_svg
from solvers.logic.landscape import classes_svg, routes_svg
from solvers.sokoban import Level
from solvers.sokoban.drawing.draw import symbols
from solvers.sokoban.formats import compact
from solvers.sokoban.machines.passages import TURNSTILE_LEVEL
from solvers.sokoban.making import series

FIRST = "横刀立马"
# Initial examples of the Sokoban sections: a level with blocks, a solution, boards for a very slow search.
EXAMPLE = "-#######-|##--#--##|#---$---#|#-#-#-#-#|#-$---.-#|##.#@##-#|-#------#|-########"
MOVES = "drUluRR"
TINY = (
    (gettext_lazy("Corridor of 3"), "#####|#@$.#|#####"),
    (gettext_lazy("Corridor of 3, unsolvable"), "#####|#.@$#|#####"),
    (gettext_lazy("Corridor of 4"), "######|#@$-.#|######"),
    (gettext_lazy("Corner of 5"), "####-|#--##|#@$.#|#####"),
    (gettext_lazy("Room of 6"), "#####|#-@-#|#.$-#|#####"),
)
# Examples of the formula page; the first one is shown initially.
FORMULAS = (
    (gettext_lazy("For every x there is a y that differs"), "p cnf 2 2\na 1 0\ne 2 0\n1 2 0\n-1 -2 0\n"),
    (gettext_lazy("There is a y that differs from every x"), "p cnf 2 2\ne 2 0\na 1 0\n1 2 0\n-1 -2 0\n"),
    (gettext_lazy("Some x and y differ"), "p cnf 2 2\ne 1 2 0\n1 2 0\n-1 -2 0\n"),
    (gettext_lazy("A contradiction"), "p cnf 1 2\ne 1 0\n1 0\n-1 0\n"),
    (gettext_lazy("Each x is true or not"), "p cnf 1 1\na 1 0\n1 -1 0\n"),
    (gettext_lazy("The same with two variables"), "p cnf 2 2\na 1 2 0\n1 -1 0\n2 -2 0\n"),
    (gettext_lazy("Three variables"), "p cnf 3 3\ne 1 0\na 2 0\ne 3 0\n2 3 0\n-2 -3 0\n1 3 0\n"),
)


@dataclass(frozen=True)
class ClassicLayout:
    """A classic layout on the Klotski page."""

    classic: Classic
    name: str

    @property
    def svg(self) -> str:
        return draw.svg(self.classic.layout, title=self.name, names=covers.names_language())


@require_safe
def lab(request: HttpRequest) -> HttpResponse:
    """List the lab's puzzles, with a picture of each."""
    pictures = {
        "solver": covers.solver(),
        "machine": covers.machine(),
        "klotski": covers.klotski(_first_layout()),
        "sokoban": covers.sokoban(Level.parse(EXAMPLE)),
        "logic": covers.logic(Formula.parse(FORMULAS[2][1])),
        "pictures": covers.pictures(),
        "speed": covers.speed(),
        "knight": covers.knight(),
        "games": covers.games(),
    }
    return render(request, "contest/lab/lab.html", {"covers": pictures})


@require_safe
def klotski(request: HttpRequest) -> HttpResponse:
    """Play the classic layouts and their mirror games."""
    layouts = [ClassicLayout(layout, _classic_name(layout)) for layout in CLASSICS]
    facts = {
        "classics": [{"cells": layout.classic.layout.cells, "moves": layout.classic.moves} for layout in layouts],
        "addresses": {"atlas": reverse("lab-klotski-atlas"), "strict": reverse("lab-klotski-strict")},
        "sentences": sentences.klotski(),
    }
    first = next(layout for layout in layouts if layout.classic.chinese == FIRST)
    context = {"tales": layouts, "first": first, "records": record_rows(), "charts": charts(get_language() or "")}
    return _render_page(request, "klotski", facts, **context)


@require_safe
def knight(request: HttpRequest) -> HttpResponse:
    """Show a knight's path between two squares, chosen in a form or, with JavaScript, by two clicks."""
    form = KnightForm(request.GET or DEFAULT)
    crossing = Crossing(**form.cleaned_data) if form.is_valid() else None
    return _render_page(request, "knight", {"sentences": sentences.knight()}, form=form, crossing=crossing)


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    """Play impartial games against a perfect player, implemented in the page's script."""
    return _render_page(request, "games", {"sentences": sentences.games()})


@require_safe
def logic(request: HttpRequest) -> HttpResponse:
    """Show formulas and equivalent graphs; without JavaScript, only the first example."""
    formula = Formula.parse(FORMULAS[0][1])
    title = gettext("The graph of the formula: edges with arrows, from the variables down to the goal")
    context = {
        "examples": FORMULAS,
        "formula": in_signs(formula),
        "graph": mark_safe(graph_svg(formula, reduce_formula(formula), title=title)),  # noqa: S308 - no foreign text
    }
    language = covers.names_language()
    context["classes"] = mark_safe(classes_svg(language))  # noqa: S308 - fixed words
    context["routes"] = mark_safe(routes_svg(language))  # noqa: S308 - fixed words
    level = Level.parse(TURNSTILE_LEVEL)
    context["turnstile"] = drawing(level)
    context["turnstile_link"] = f"{reverse('editor')}#level={compact.write(level)}"
    facts = {"examples": [text for _name, text in FORMULAS], "sentences": sentences.logic()}
    return _render_page(request, "logic", facts, **context)


@require_safe
def sokoban(request: HttpRequest) -> HttpResponse:
    """Show four studies of Sokoban; the page's script does the computations."""
    facts = {"addresses": {"editor": reverse("editor")}, "sentences": sentences.sokoban()}
    context = {"tiny": TINY, "level": Level.parse(EXAMPLE), "moves": MOVES, "ladder": drawing(series.ladder(7).level)}
    context["symbols"] = mark_safe(symbols())  # noqa: S308 - made of numbers and class names
    return _render_page(request, "sokoban", facts, **context)


def _render_page(request: HttpRequest, name: str, facts: dict[str, Any], **context: Any) -> HttpResponse:
    """Render a page with its theory; its script stores the page for offline use."""
    context["facts"] = {**facts, "worker": reverse("play-worker") if settings.OFFLINE_PLAY else ""}
    return render(request, f"contest/lab/{name}.html", {"theory": theory_of(name), **context})


def theory_of(name: str) -> marked.Page:
    """Return the theory text of a lab page, in the reader's language."""
    language = get_language() or ""
    return reading.page(f"lab-{name}", language if language in dict(settings.LANGUAGES) else identity.language())


def _first_layout() -> Layout:
    return next(classic.layout for classic in CLASSICS if classic.chinese == FIRST)


def _classic_name(classic: Classic) -> str:
    return classic.chinese if (get_language() or "").startswith("zh") else classic.english
