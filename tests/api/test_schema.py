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


def test_the_file_equals_the_published_file(db):
    """A change of the API changes both files; texts, order and component names may differ."""
    assert differences(json.loads(PUBLISHED.read_text()), schema.document()) == []


def test_every_url_is_in_the_file(db):
    routes = [str(route.pattern) for route in urlpatterns if str(route.name) not in {"api-nothing", "api-file"}]
    assert len(schema.document()["paths"]) == len(routes) > 20


def test_every_operation_has_a_summary_and_a_unique_name():
    operations = [operation for methods in schema.document()["paths"].values() for operation in methods.values()]
    assert len({operation["operationId"] for operation in operations}) == len(operations)
    assert all(operation["summary"] for operation in operations)


def test_the_page_for_people_uses_only_our_own_scripts(client, db):
    page = client.get("/api/docs/try/")
    assert page.status_code == 200
    assert "http" not in page.content.decode().replace("http-equiv", "")


def _operations():
    operations = (operation for methods in schema.document()["paths"].values() for operation in methods.values())
    return {operation["operationId"]: operation for operation in operations}


def test_every_example_of_a_body_is_valid():
    for operation, examples in schema.EXAMPLES.items():
        content = _operations()[operation]["requestBody"]["content"][schema.JSON]
        kinds = [part["$ref"].rpartition("/")[2] for part in content["schema"].get("anyOf", [content["schema"]])]
        for example in examples.values():
            assert any(validator(kind).is_valid(example["value"]) for kind in kinds)


def test_every_link_has_the_required_parameters_of_its_operation():
    operations = _operations()
    for answer in (answer for item in operations.values() for answer in item["responses"].values()):
        for link in answer.get("links", {}).values():
            needed = {item["name"] for item in operations[link["operationId"]]["parameters"] if item.get("required")}
            assert needed == set(link["parameters"])
