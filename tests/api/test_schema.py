"""The OpenAPI file: valid, complete, and readable for people."""

import json
from pathlib import Path

from drf_spectacular.validation import validate_schema

from contest.api import schema
from contest.api.urls import urlpatterns
from tests.api.contract import validator
from tests.api.same_file import differences

PUBLISHED = Path(__file__).parent / "openapi.json"


def test_the_file_is_valid_openapi_3_1(english, db):
    file = english.get("openapi.json").json()
    assert file["openapi"].startswith("3.1")
    assert file["servers"][0]["url"]
    validate_schema(file)


def test_the_file_says_what_clients_were_told(db):
    """A change of the API changes both files; texts, order and component names may differ."""
    assert differences(json.loads(PUBLISHED.read_text()), schema.document()) == []


def test_every_address_is_in_the_file(db):
    routes = [str(one.pattern) for one in urlpatterns if str(one.name) not in {"api-nothing", "api-file"}]
    assert len(schema.document()["paths"]) == len(routes) > 20


def test_every_operation_says_what_it_does_and_has_a_name_of_its_own():
    operations = [one for methods in schema.document()["paths"].values() for one in methods.values()]
    assert len({one["operationId"] for one in operations}) == len(operations)
    assert all(one["summary"] for one in operations)


def test_people_are_shown_the_file_by_our_own_scripts_alone(client, db):
    page = client.get("/api/docs/try/")
    assert page.status_code == 200
    assert "http" not in page.content.decode().replace("http-equiv", "")


def _operations():
    found = (one for methods in schema.document()["paths"].values() for one in methods.values())
    return {one["operationId"]: one for one in found}


def test_every_example_of_a_body_is_one():
    for operation, examples in schema.EXAMPLES.items():
        content = _operations()[operation]["requestBody"]["content"][schema.JSON]
        kinds = [one["$ref"].rpartition("/")[2] for one in content["schema"].get("anyOf", [content["schema"]])]
        for example in examples.values():
            assert any(validator(kind).is_valid(example["value"]) for kind in kinds)


def test_every_link_leads_to_an_operation_with_what_it_takes():
    operations = _operations()
    for answer in (answer for one in operations.values() for answer in one["responses"].values()):
        for link in answer.get("links", {}).values():
            needed = {one["name"] for one in operations[link["operationId"]]["parameters"] if one.get("required")}
            assert needed == set(link["parameters"])
