"""The doors to the solver: ask about a level of one's own, ask for a hint in practice, see what became of it."""

from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from contest import tasks
from contest.api import pages
from contest.api.base import View, level_of, viewer_of
from contest.api.errors import FieldError, Invalid
from contest.api.schema import reads, takes
from contest.infra import client_ip, clock
from contest.models import Search, SearchKind
from contest.submissions import Refused
from contest.vetting import asking
from contest.vetting.asking import Asker, Question

_REFUSALS = [400, 401, 403, 413, 415, 422, 429]


class Ask(View):
    @takes(["Question"], {202: "Search"}, "Ask the solver about a level of your own.", _REFUSALS)
    def post(self, request: Request) -> Response:
        given = _given(request.data, {"level": str, "act": str, "aim": str, "lurd": str, "seconds": int})
        question = Question(
            given.get("level") or "",
            given.get("act") or "solve",
            given.get("aim") or "any",
            given.get("lurd") or "",
            given.get("seconds") or 10,
        )
        return _ordered(request, lambda asker: asking.ask(question, asker, at=clock.now()))


class Hint(View):
    @takes(["Position"], {202: "Search"}, "Ask for the next push in practice (rule 20.4).", [*_REFUSALS, 404])
    def post(self, request: Request, number: int, slot: str) -> Response:
        at = clock.now()
        level = level_of(request, number, slot, at)
        given = _given(request.data, {"moves": str})
        return _ordered(request, lambda asker: asking.hint(level, given.get("moves") or "", asker, at=at))


class Answer(View):
    @reads("Search", "What became of a question, for whoever holds its id.")
    def get(self, request: Request, search_id: str) -> Response:
        search = _asked(search_id)
        return Response(_object(request, search), headers={"Retry-After": "1"} if search.is_waiting else {})


class Cancel(View):
    @takes(["Nothing"], {200: "Search"}, "Stop a search; what it found until then is lost.", [400, 401, 404, 415])
    def post(self, request: Request, search_id: str) -> Response:
        asking.cancel(_asked(search_id))
        return Response(_object(request, _asked(search_id)))


def _ordered(request: Request, order: Any) -> Response:
    try:
        search = order(Asker(viewer_of(request), client_ip.sender_of(request)))
    except asking.Refused as refusal:
        wait = 60 if refusal.status == 429 else None
        raise Refused(
            refusal.reason, refusal.words, status=refusal.status, field=refusal.field, retry_after=wait
        ) from None
    tasks.wake_solver()
    shown = _object(request, search)
    return Response(shown, status=202, headers={"Location": shown["url"]})


def _given(body: Any, kinds: dict[str, type]) -> dict[str, Any]:
    """The members of *body* that are asked for. Raise Invalid, naming every one that is wrong."""
    if not isinstance(body, dict):
        raise Invalid(FieldError("", "not_an_object", _("The body must be a JSON object.")))
    words = {str: ("not_a_string", _("This must be a string.")), int: ("not_an_integer", _("This must be an integer."))}
    wrong = [name for name, kind in kinds.items() if body.get(name) is not None and type(body[name]) is not kind]
    if wrong:
        raise Invalid(*(FieldError(name, *words[kinds[name]]) for name in wrong))
    return {name: body.get(name) for name in kinds}


def _asked(search_id: str) -> Search:
    search = asking.question_by_id(search_id, clock.now())
    if search is None:
        raise Http404
    return search


def _object(request: Request, search: Search) -> dict[str, Any]:
    found = search.best_by(search.aim if search.aim != "any" else "pushes") or {}
    proved = [metric for metric in ("pushes", "moves") if search.is_optimal(metric)]
    is_hint = search.kind == SearchKind.HINT
    return {
        "id": search.public_id,
        "url": pages.absolute(request, reverse("api-solver-answer", args=[search.public_id])),
        "state": search.state,
        "answer": search.answer or None,
        "limit": search.limit or None,
        "lurd": found.get("lurd"),
        "moves": None if is_hint else found.get("moves"),
        "pushes": None if is_hint else found.get("pushes"),
        "optimal": (search.aim if search.aim in proved else proved[0]) if proved and not is_hint else None,
        "lower_bound_pushes": search.least_pushes,
        "lower_bound_moves": search.least_moves,
        "bound": search.bound,
        "best": search.best,
        "depth": search.depth,
        "nodes": search.nodes,
        "cpu_seconds": search.cpu_seconds,
        "seconds": search.seconds,
    }
