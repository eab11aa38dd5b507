"""Each API object is declared once: the OpenAPI file, the responses and the docs are generated from it."""

from pathlib import Path

from rest_framework import serializers

from contest.api import tables
from contest.api.serializers.base import AnswerSerializer
from contest.api.serializers.fields import CountField

ROOT = Path(__file__).parents[2]


class _Sizes(AnswerSerializer):
    size = CountField(source="level.size", allow_null=True)
    name = serializers.CharField(required=False)


class _Row:
    name = None

    @property
    def level(self):
        raise AttributeError


def test_without_a_value_an_optional_member_is_absent_and_a_nullable_member_is_null():
    assert _Sizes(_Row()).data == {"size": None}


def test_the_fast_serializer_writes_the_same_as_drf():
    rows = [_Row()]
    rows[0].name = "Ann"
    assert list(_Sizes(rows, many=True).data) == [serializers.Serializer.to_representation(_Sizes(), rows[0])]


def test_the_tables_of_the_docs_are_up_to_date():
    """If not, run `python3 dev.py manage api_docs`."""
    page = (ROOT / "docs/reference/api.md").read_text()
    assert tables.with_tables(page) == page
