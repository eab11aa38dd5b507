"""Clients of letslogic.com, modelled exactly on their source: their requests, and the responses they require."""

import io
import json
import re
import zipfile
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import pytest

from contest.players import api_tokens
from tests import cast

_LARGEST = 2**31


def as_i32(value: Any) -> int:
    assert type(value) is int
    assert -_LARGEST <= value < _LARGEST
    return value


def as_record(value: Any) -> dict[str, int]:
    """Parse a best by one count: the crate's Record, and JSoko's Result. Both members are required."""
    return {name: as_i32(value[name]) for name in ("rank", "points", "moves", "pushes")}


@dataclass
class Crate:
    """The letslogic crate (Rust): serde parses every field by its type, and only an Option may be null.

    JSoko's submitter (Java) also requires status 200, and decodes with the default charset of its machine.
    """

    client: Any
    key: str

    def _json(self, path: str, **fields: str) -> Any:
        body = urlencode({"key": self.key, **fields})
        answer = self.client.post(f"/letslogic/api/v1/{path}", body, content_type="application/x-www-form-urlencoded")
        assert answer.status_code == 200
        assert answer.content.isascii()
        shown = json.loads(answer.content)
        if isinstance(shown, dict) and "error" in shown:
            assert list(shown) == ["error"]
            assert isinstance(shown["error"], str)  # msg.as_str().unwrap()
            raise LookupError(shown["error"])
        return shown

    def collections(self) -> list[dict[str, Any]]:
        shown = self._json("collections")
        assert isinstance(shown, list)
        for collection in shown:
            as_i32(collection["id"])
            as_i32(collection["levels"])
            assert isinstance(collection["title"], str)
            assert isinstance(collection["author"], str)
            assert collection.get("description") is None or isinstance(collection["description"], str)
        return shown

    def levels(self, collection: int) -> list[dict[str, Any]]:
        shown = self._json(f"collection/{collection}")
        assert isinstance(shown, list)
        for level in shown:
            as_i32(level["id"])
            assert isinstance(level["title"], str)
            assert level.get("author") is None or isinstance(level["author"], str)
            assert len(level["map"]) == as_i32(level["width"]) * as_i32(level["height"])
            assert re.fullmatch("[0-7]+", level["map"])
            for name in ("blue_moves", "blue_pushes", "green_moves", "green_pushes"):
                assert level.get(name) is None or as_i32(level[name]) >= 0
        return shown

    def submit(self, level: int, solution: str) -> dict[str, Any]:
        shown = self._json(f"level/{level}", solution=solution)
        assert isinstance(shown["result"], str)
        return {"result": shown["result"], **{name: as_record(shown[name]) for name in ("blue", "green")}}

    def records(self) -> dict[int, dict[str, dict[str, int]]]:
        answer = self.client.post("/letslogic/api/v1/records", {"key": self.key})
        with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
            (name,) = packed.namelist()
            shown = json.loads(packed.read(name))
        bests = {level: {name: as_record(best[name]) for name in ("blue", "green")} for level, best in shown.items()}
        return {as_i32(int(level)): both for level, both in bests.items()}


def number_in(text: str) -> int | None:
    """Return the number as JSoko reads it from a file: after the last "id:" of a line; the first such line counts."""
    for line in text.splitlines():
        _before, found, number = line.lower().rpartition("id:")
        if found and number.strip().isdecimal():
            return int(number)
    return None


@pytest.fixture
def key(db, during_round, settings):
    settings.LETSLOGIC = True
    return api_tokens.make(cast.send("Ada", "u").submission.player, None, cast.DURING).text


@pytest.fixture
def crate(client, key):
    return Crate(client, key)
