"""The doors to the solver: ask about a level of one's own, ask for a hint in practice, see what became of it."""

from typing import Any

from django.http import Http404
from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from contest.api.authentication import viewer_of
from contest.api.base import View, level_of
from contest.api.objects import bodies
from contest.api.objects.searches import NOTHING, POSITION, QUESTION, SEARCH, SearchRow
from contest.api.schema import reads, takes
from contest.api.throttling import QuestionThrottle
from contest.celery import waking
from contest.infra import client_ip, clock
from contest.infra.site_address import absolute
from contest.models import Search
from contest.vetting import asking
from contest.vetting.asking import Asker, Question

_REFUSALS = [400, 401, 403, 413, 415, 422, 429]


class Ask(View):
    throttle_classes = [QuestionThrottle]

    @takes(["Question"], {202: "Search"}, "Ask the solver about a level of your own.", _REFUSALS)
    def post(self, request: Request) -> Response:
        return _accepted(request, asking.ask(_question(request), _asker(request), at=clock.now()))


class Hint(View):
    throttle_classes = [QuestionThrottle]

    @takes(["Position"], {202: "Search"}, "Ask for the next push in practice (rule 20.4).", [*_REFUSALS, 404])
    def post(self, request: Request, number: int, slot: str) -> Response:
        at = clock.now()
        level = level_of(request, number, slot, at)
        return _accepted(request, asking.hint(level, _moves(request), _asker(request), at=at))


class Answer(View):
    @reads("Search", "What became of a question, for whoever holds its id.")
    def get(self, request: Request, search_id: str) -> Response:
        search = _get_search(search_id)
        return Response(_object(request, search), headers={"Retry-After": "1"} if search.is_waiting else {})


class Cancel(View):
    @takes(["Nothing"], {200: "Search"}, "Stop a search; what it found until then is lost.", [400, 401, 404, 415])
    def post(self, request: Request, search_id: str) -> Response:
        bodies.read(NOTHING, request.data)
        asking.cancel(_get_search(search_id))
        return Response(_object(request, _get_search(search_id)))


def _question(request: Request) -> Question:
    given = bodies.read(QUESTION, request.data)
    return Question(
        given["level"],
        given.get("act") or "solve",
        given.get("aim") or "any",
        given.get("lurd") or "",
        given.get("seconds") or 10,
    )


def _moves(request: Request) -> str:
    return bodies.read(POSITION, request.data).get("moves") or ""


def _asker(request: Request) -> Asker:
    return Asker(viewer_of(request), client_ip.sender_of(request))


def _accepted(request: Request, search: Search) -> Response:
    waking.wake_solver()
    shown = _object(request, search)
    return Response(shown, status=202, headers={"Location": shown["url"]})


def _get_search(search_id: str) -> Search:
    search = asking.question_by_id(search_id, clock.now())
    if search is None:
        raise Http404
    return search


def _object(request: Request, search: Search) -> dict[str, Any]:
    url = absolute(request, reverse("api-solver-answer", args=[search.public_id]))
    return SEARCH.show(SearchRow(search, url))
