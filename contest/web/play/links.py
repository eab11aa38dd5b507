"""Levels encoded in the URL: SokoPlayer links, and moves after a slash as in lurd2xsb. Nothing is stored."""

from hashlib import sha256
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from contest.infra.rate_limits import BOARD, TRIAL, costs
from contest.levels import rebuilding
from contest.web.play.sentences import script_messages
from contest.wording.verdicts import describe_error
from solvers.errors import PuzzleError
from solvers.sokoban import Level, Moves
from solvers.sokoban.formats import sokoplayer


@costs(BOARD, is_read=True)
@require_safe
def sokoplayer_page(request: HttpRequest) -> HttpResponse:
    """Show the level in the query string of a SokoPlayer link."""
    query = request.META.get("QUERY_STRING", "")
    context: dict[str, object] = {"is_empty": not query}
    status = 200
    if query:
        try:
            link = sokoplayer.parse(f"?{query}")
        except PuzzleError as error:
            context["error"] = describe_error(error)
            status = 422
        else:
            context |= {"has_other_size": bool(link.remarks), **_playable_context(link.level)}
    return render(request, "contest/play/sokoplayer.html", context, status=status)


class MovesForm(forms.Form):
    """Moves from which to rebuild a level."""

    moves = forms.CharField(
        label=gettext_lazy("Moves of a solution: capitals are pushes"),
        strip=True,
        max_length=rebuilding.MAX_STEPS,
        widget=forms.Textarea(
            {"class": "moves", "rows": 6, "spellcheck": "false", "autocapitalize": "off", "autocomplete": "off"}
        ),
    )


@costs(TRIAL, is_read=True)
@require_http_methods(["GET", "HEAD", "POST"])
def rebuilt_page(request: HttpRequest, moves: str = "") -> HttpResponse:
    """Show the smallest level that the moves in the URL solve; redirect posted moves to such a URL."""
    given = request.POST if request.method == "POST" else {"moves": moves} if moves else None
    form = MovesForm(given, label_suffix="")
    level, status = None, 200
    if form.is_bound:
        level, status = _rebuild(form)
        if level and request.method == "POST" and (address := rebuilding.address_of(form.cleaned_data["moves"])):
            return HttpResponseRedirect(address)
    context: dict[str, object] = {"moves_form": form}
    if level:
        context |= _playable_context(level, moves=Moves.parse(form.cleaned_data["moves"]).steps)
    return render(request, "contest/play/rebuilt.html", context, status=status)


def _rebuild(form: MovesForm) -> tuple[Level | None, int]:
    """Return the level and the status; on failure return None and add an error to *form*."""
    if not form.is_valid():
        return None, 422
    try:
        return rebuilding.level_of(form.cleaned_data["moves"]), 200
    except PuzzleError as error:
        form.add_error("moves", describe_error(error))
        return None, 422


def _playable_context(level: Level, *, moves: str = "") -> dict[str, Any]:
    """Return the context to show *level* and, if it can be judged, to play it and replay *moves*."""
    context: dict[str, Any] = {"rows": str(level), "level": level}
    if not level.unjudgeable:
        context["play_key"] = sha256(level.published_text.encode()).hexdigest()
        context["facts"] = {"sentences": script_messages(), "numbers": None, **({"moves": moves} if moves else {})}
    return context
