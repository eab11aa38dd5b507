import json
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import Client

from contest import judging, results
from contest.infra import clock
from contest.models import Round
from tests import cast
from tests.api import contract
from tests.contest.conftest import limits, own_redis

__all__ = ["limits", "own_redis"]  # fixtures


class Bot:
    def __init__(self, language: str = "en", token: str = "") -> None:
        self.language = language
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.client = Client(headers={"Accept-Language": language, **headers})

    def get(self, path: str, **headers: str) -> Any:
        return self._documented("get", self.client.get(f"/api/v1/{path.rpartition('/api/v1/')[2]}", headers=headers))

    def post(
        self, body: object, content_type: str = "application/json", *, path: str = "submissions/", **headers: str
    ) -> Any:
        data = body if isinstance(body, str | bytes) else json.dumps(body)
        return self._documented(
            "post", self.client.post(f"/api/v1/{path}", data, content_type=content_type, headers=headers)
        )

    def _documented(self, method: str, answer: Any) -> Any:
        contract.check(method, answer)
        return answer


def problem_of(answer: Any) -> dict[str, Any]:
    assert answer["Content-Type"] == "application/problem+json"
    body: dict[str, Any] = answer.json()
    assert body.keys() >= {"type", "title", "status", "code", "detail", "errors"}
    assert body["status"] == answer.status_code
    assert body["detail"]
    return body


def code_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, problem_of(answer)["code"]


def fields_of(answer: Any) -> tuple[int, list[str]]:
    """Return the status of a refusal, and the members or parameters that it names."""
    return answer.status_code, [error["field"] for error in problem_of(answer)["errors"]]


@pytest.fixture
def english():
    return Bot()


@pytest.fixture
def round_(db):
    with clock.set_to(cast.DURING):
        yield cast.a_round()


@pytest.fixture
def played(round_):
    for name, moves in (("Ann", "rR"), ("Bob", "rlrR"), ("Cleo", "rlrlrR"), ("Dora", "u")):
        cast.send(name, moves)
    judging.judge_until_empty()
    return round_


@pytest.fixture
def final(played):
    with clock.set_to(cast.AFTER):
        results.finalise(played, at=cast.AFTER, by=None)
        Round.objects.update(complete_at=cast.AFTER)  # as recorded once all is judged and chained
        yield Round.objects.get()


@pytest.fixture
def one_connection():
    """Keep the test's transaction open from request to request, as Django's own test client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def judge_immediately(monkeypatch):
    def judge(submission, _seconds):
        judging.judge_until_empty()
        submission.refresh_from_db()
        return submission

    monkeypatch.setattr("contest.submissions.wait_for_verdict", judge)


@pytest.fixture
def program(round_):
    return Bot(token=cast.token_of("Robo"))
