"""Comparison of responses with the OpenAPI file, down to the last member."""

import json
import re
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker

from contest.api import schema


def without_additional_properties(schema: Any) -> Any:
    if isinstance(schema, list):
        return [without_additional_properties(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: without_additional_properties(part) for name, part in schema.items()}
    if "properties" in inner and inner.get("type") == "object":
        inner.setdefault("additionalProperties", False)
    return inner


@cache
def validator(component: str) -> Draft202012Validator:
    root = {
        "components": {"schemas": without_additional_properties(schema.document()["components"]["schemas"])},
        "$ref": f"#/components/schemas/{component}",
    }
    return Draft202012Validator(root, format_checker=FormatChecker())


def check(method: str, answer: Any) -> None:
    """Fail if *answer* is not documented; a streamed body can be read again afterwards."""
    body = body_of(answer)
    if answer.status_code == 304:
        assert body == b""
        return
    operation = operation_of(answer.resolver_match, method)
    if answer.resolver_match and answer.resolver_match.url_name == "api-file":
        return
    if operation is None or answer.status_code == 405:
        faults = list(validator("Problem").iter_errors(answer.json()))
        assert answer["Content-Type"] == schema.PROBLEM
    else:
        content = operation["responses"][str(answer.status_code)]["content"]
        media = content[answer["Content-Type"]]
        name = media["schema"].get("$ref", "").rpartition("/")[2]
        lines = body.splitlines() if answer["Content-Type"] == schema.LINES else [body]
        objects = [json.loads(line) for line in lines] if name else []
        faults = [fault for object_ in objects for fault in validator(name).iter_errors(object_)]
    assert faults == [], faults[0].message


def body_of(answer: Any) -> bytes:
    """Return the body of *answer*; a streamed body can be read again afterwards."""
    if answer.streaming:
        answer.streaming_content = [b"".join(answer.streaming_content)]
        (body,) = answer.streaming_content
        answer.streaming_content = [body]
        return body
    return answer.content


def operation_of(match: Any, method: str) -> Any:
    route = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", match.route) if match else ""
    return schema.document()["paths"].get(f"/{route}", {}).get(method)
