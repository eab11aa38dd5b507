"""Views of the solver: ask about a level of your own, ask for a hint in practice, read the result."""

from typing import Any

from django.http import Http404
from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from contest.api.authentication import viewer_of
from contest.api.base import View
from contest.api.schema import NOTHING, reads, takes
from contest.api.serializers.bodies import NothingSerializer, read
from contest.api.serializers.searches import PositionSerializer, QuestionSerializer, SearchSerializer, search_row
from contest.api.throttling import QuestionThrottle
from contest.api.views.rounds import LevelView
from contest.celery import waking
from contest.infra import client_ip, clock
from contest.infra.site_address import absolute_url
from contest.models import Search
from contest.vetting import asking
from contest.vetting.asking import Asker, Question

_REFUSALS = [400, 401, 403, 413, 415, 422, 429]


class Ask(View):
    throttle_classes = [QuestionThrottle]

    @takes(QuestionSerializer, {202: SearchSerializer}, "Ask the solver about a level of your own.", _REFUSALS)
    def post(self, request: Request) -> Response:
        return _respond_accepted(request, asking.ask(_read_question(request), _asker_of(request), at=self.at))


class Hint(LevelView):
    throttle_classes = [QuestionThrottle]

    @takes(
        PositionSerializer, {202: SearchSerializer}, "Ask for the next push in practice (rule 20.4).", [*_REFUSALS, 404]
    )
    def post(self, request: Request, **_names: Any) -> Response:
        return _respond_accepted(
            request, asking.ask_for_hint(self.get_level(), _read_moves(request), _asker_of(request), at=self.at)
        )


class Answer(View):
    @reads(SearchSerializer, "State and result of a question, for anybody with its id.")
    def get(self, request: Request, search_id: str) -> Response:
        search = _get_search(search_id)
        return Response(_render_search(request, search), headers={"Retry-After": "1"} if search.is_waiting else {})


class Cancel(View):
    @takes(
        NOTHING, {200: SearchSerializer}, "Stop a search; what it found until then is lost.", [400, 401, 404, 415, 429],
        name="sendNothing"
    )  # fmt: skip
    def post(self, request: Request, search_id: str) -> Response:
        read(NothingSerializer, request.data)
        asking.cancel(_get_search(search_id))
        return Response(_render_search(request, _get_search(search_id)))


def _read_question(request: Request) -> Question:
    question = read(QuestionSerializer, request.data)
    return Question(
        question["level"],
        question.get("act") or "solve",
        question.get("aim") or "any",
        question.get("lurd") or "",
        question.get("seconds") or 10,
    )


def _read_moves(request: Request) -> str:
    return read(PositionSerializer, request.data).get("moves") or ""


def _asker_of(request: Request) -> Asker:
    return Asker(viewer_of(request), client_ip.sender_of(request))


def _respond_accepted(request: Request, search: Search) -> Response:
    waking.wake_solver()
    shown = _render_search(request, search)
    return Response(shown, status=202, headers={"Location": shown["url"]})


def _get_search(search_id: str) -> Search:
    search = asking.find_question(search_id, clock.now())
    if search is None:
        raise Http404
    return search


def _render_search(request: Request, search: Search) -> dict[str, Any]:
    url = absolute_url(request, reverse("api-solver-answer", args=[search.public_id]))
    return dict(SearchSerializer(search_row(search, url)).data)
