"""Each API object is declared once: the OpenAPI file, the responses and the docs are generated from it."""

import re
from pathlib import Path

from rest_framework import serializers

from contest.api import schema, tables
from contest.api.serializers.base import AnswerSerializer
from contest.api.serializers.fields import CountField

ROOT = Path(__file__).parents[2]
DOORS = sorted((ROOT / "contest/api").rglob("*.py"))


class _Sizes(AnswerSerializer):
    size = CountField(source="level.size", allow_null=True)
    name = serializers.CharField(required=False)


class _Row:
    name = None

    @property
    def level(self):
        raise AttributeError


def test_an_optional_member_is_absent_and_one_that_may_be_null_is_null_where_there_is_nothing():
    assert _Sizes(_Row()).data == {"size": None}


def test_the_fast_serializer_writes_what_that_of_drf_writes():
    rows = [_Row()]
    rows[0].name = "Ann"
    assert list(_Sizes(rows, many=True).data) == [serializers.Serializer.to_representation(_Sizes(), rows[0])]


def test_every_object_that_is_declared_is_in_the_file():
    declared = (re.findall(r"^class (\w+)Serializer\(", one.read_text(), re.MULTILINE) for one in DOORS)
    named = {name for names in declared for name in names} - INSIDE
    assert named <= schema.document()["components"]["schemas"].keys()


INSIDE = {"Answer", "Mapping", "Body", "Nothing", "Rank", "Ranking", "Judged"}


def test_the_tables_of_the_docs_are_up_to_date():
    """If not, run `python3 dev.py manage api_docs`."""
    page = (ROOT / "docs/api.md").read_text()
    assert tables.with_tables(page) == page


def test_no_door_writes_an_object_by_hand():
    assert [door.name for door in DOORS if re.search(r"Response\(\s*\{", door.read_text())] == []
