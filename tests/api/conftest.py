import json
from typing import Any

import pytest
from django.test import Client

from contest import clock
from tests import cast


class Bot:
    """A program that speaks JSON and reads one language."""

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self.client = Client(headers={"Accept-Language": language})

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(f"/api/v1/{path}", headers=headers)

    def post(self, body: object, content_type: str = "application/json", **headers: str) -> Any:
        data = body if isinstance(body, str | bytes) else json.dumps(body)
        return self.client.post("/api/v1/submissions/", data, content_type=content_type, headers=headers)


@pytest.fixture(params=["en", "zh-Hans"])
def bot(request):
    return Bot(request.param)


@pytest.fixture
def english():
    return Bot()


@pytest.fixture
def round_(db):
    with clock.set_to(cast.DURING):
        yield cast.a_round()
