"""SokoPlayer links: levels that live in an address. Nothing is stored and nothing is loaded."""

from hashlib import sha256

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from contest.web.play.sentences import of_scripts
from contest.wording.verdicts import error_words
from solvers.errors import PuzzleError
from solvers.sokoban.formats import sokoplayer


@require_safe
def sokoplayer_page(request: HttpRequest) -> HttpResponse:
    """The level of the query, whoever made the link."""
    query = request.META.get("QUERY_STRING", "")
    words: dict[str, object] = {"is_empty": not query}
    status = 200
    if query:
        try:
            link = sokoplayer.parse(f"?{query}")
        except PuzzleError as error:
            words["error"] = error_words(error)
            status = 422
        else:
            words |= {"rows": str(link.level), "level": link.level, "has_other_size": bool(link.remarks)}
            if not link.level.unjudgeable:
                words["play_key"] = sha256(link.level.published_text.encode()).hexdigest()
                words["facts"] = {"sentences": of_scripts(), "numbers": None}
    return render(request, "contest/sokoplayer.html", words, status=status)
