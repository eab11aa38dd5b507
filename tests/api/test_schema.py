"""The OpenAPI file: valid, complete, and shown to people."""

import pytest
from django.urls import get_resolver
from drf_spectacular.validation import validate_schema

from contest.api import schema, shapes
from contest.api.shapes import COMPONENTS
from contest.models import Slot, State, Verdict
from contest.phases import Phase


def test_the_file_is_valid_openapi_3_1(english, db):
    file = english.get("openapi.json").json()
    assert file["openapi"].startswith("3.1")
    validate_schema(file)


def test_every_address_is_in_the_file(db):
    routes = [str(one.pattern) for one in _patterns() if one.name not in ("api-nothing", "api-file")]
    assert len(schema.document()["paths"]) == len(routes) > 20


def _patterns():
    api = next(one for one in get_resolver().url_patterns if str(one.pattern) == "api/v1/")
    return api.url_patterns


def test_every_component_is_used():
    named = {ref.rpartition("/")[2] for ref in _refs(schema.document()) if "/schemas/" in ref}
    assert set(COMPONENTS) == named


def _refs(node):
    if isinstance(node, dict):
        if "$ref" in node:
            yield node["$ref"]
        node = list(node.values())
    if isinstance(node, list):
        for one in node:
            yield from _refs(one)


def test_the_choices_are_those_of_the_site():
    assert set(shapes.SLOTS) == set(Slot.values)
    assert set(shapes.VERDICTS) == {*Verdict.values, "pending"}
    assert {*shapes.STATES, "quarantined"} == {*State.values, "held"}
    assert {*shapes.PHASES, "draft"} == {*Phase}


def test_every_operation_says_what_it_does_and_has_a_name_of_its_own():
    operations = [one for methods in schema.document()["paths"].values() for one in methods.values()]
    assert len({one["operationId"] for one in operations}) == len(operations)
    assert all(one["summary"] for one in operations)


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_people_are_shown_the_file_by_our_own_scripts_alone(client, db, language):
    page = client.get("/api/docs/try/", headers={"Accept-Language": language})
    assert page.status_code == 200
    assert "http" not in page.content.decode().replace("http-equiv", "")
