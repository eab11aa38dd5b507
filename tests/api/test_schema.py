import json
from pathlib import Path

import pytest
from drf_spectacular.validation import validate_schema

from contest.api import schema, tables
from contest.api.examples import EXAMPLES
from contest.api.urls import urlpatterns
from tests.api.contract import validator

PUBLISHED = Path(__file__).parent / "openapi.jsonl"
ROOT = Path(__file__).parents[2]


@pytest.mark.exhaustive  # the published file was valid
def test_the_file_is_valid_openapi_3_1(english, db):
    file = english.get("openapi.json").json()
    assert file["openapi"].startswith("3.1")
    assert file["servers"][0]["url"]
    validate_schema(file)


def without_texts(part):
    if isinstance(part, list):
        return [without_texts(value) for value in part]
    if not isinstance(part, dict):
        return part
    texts = {
        name for name, value in part.items() if name in ("description", "summary", "title") and value == str(value)
    }
    return {name: without_texts(value) for name, value in part.items() if name not in {*texts, "examples"}}


def test_the_file_equals_the_published_file():
    """A change of the API changes both; the published one has a line per URL, webhook and component, without texts."""
    document = schema.document()
    parts = {part: document[part] for part in ("paths", "webhooks")} | document["components"]
    lines = [
        json.dumps({f"{part} {name}": without_texts(value)}, ensure_ascii=False, sort_keys=True)
        for part, members in parts.items()
        for name, value in members.items()
    ]
    assert PUBLISHED.read_text().splitlines() == sorted(lines)


def test_every_url_is_in_the_file(db):
    routes = [str(route.pattern) for route in urlpatterns if str(route.name) not in {"api-nothing", "api-file"}]
    assert len(schema.document()["paths"]) == len(routes) > 20


def test_the_page_for_people_uses_only_our_own_scripts(client, db):
    page = client.get("/api/docs/try/")
    assert page.status_code == 200
    assert "http" not in page.content.decode().replace("http-equiv", "")


def test_every_body_has_valid_examples():
    """An optional body has the empty object among them."""
    operations = [operation for methods in schema.document()["paths"].values() for operation in methods.values()]
    bodies = {one["operationId"]: one["requestBody"] for one in operations if "requestBody" in one}
    assert bodies.keys() == EXAMPLES.keys()
    for name, body in bodies.items():
        content = body["content"][schema.JSON]
        values = [example["value"] for example in content["examples"].values()]
        component = content["schema"].get("$ref", "").rpartition("/")[2]
        is_valid = validator(component).is_valid if component else lambda value: value == {}
        assert all(map(is_valid, values)), name
        assert body.get("required", False) == ({} not in values), name


def test_the_tables_of_the_docs_are_up_to_date():
    """If not, run `python3 dev.py manage api_docs`."""
    page = (ROOT / "docs/reference/api.md").read_text()
    assert tables.with_tables(page) == page
