"""Multipart forms that are expensive to parse."""

import gzip

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def part(name, text="", file=""):
    named = f'; filename="{file}"' if file else ""
    return f'--edge\r\nContent-Disposition: form-data; name="{name}"{named}\r\n\r\n{text}\r\n'


TOO_MANY = {
    "thousands of fields": "".join(part(f"f{number}") for number in range(3_000)),
    "thousands of files": "".join(part(f"f{number}", "x", "a.sok") for number in range(2_500)),
    "the same field again and again": part("text") * 3_500,
}


@pytest.mark.parametrize("bomb", TOO_MANY)
def test_too_many_parts_are_refused_with_400(bomb):
    body = f"{TOO_MANY[bomb]}--edge--\r\n".encode()
    client = Client(raise_request_exception=False)
    answer = client.generic("POST", "/en/propose/", body, content_type="multipart/form-data; boundary=edge")
    assert answer.status_code == 400


def test_a_compressed_body_is_not_decompressed(client):
    """A body with Content-Encoding gzip is read as it is, and is not a submission."""
    packed = gzip.compress(b'{"nickname": "player", "moves": "rR"}')
    headers = {"Content-Encoding": "gzip"}
    answer = client.post("/api/v1/submissions/", packed, content_type="application/json", headers=headers)
    assert answer.status_code in (400, 415)
