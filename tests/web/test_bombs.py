"""Forms of many parts that would cost much to take apart."""

import gzip

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db
EDGE = "edge"


def part(name, text="", file=""):
    named = f'; filename="{file}"' if file else ""
    return f'--{EDGE}\r\nContent-Disposition: form-data; name="{name}"{named}\r\n\r\n{text}\r\n'


TOO_MANY = {
    "thousands of fields": "".join(part(f"f{number}") for number in range(3_000)),
    "thousands of files": "".join(part(f"f{number}", "x", "a.sok") for number in range(2_500)),
    "the same field again and again": part("text") * 3_500,
}
BROKEN = {
    "a head without end": f"--{EDGE}\r\nX-A: " + "a" * 250_000,
    "heads without number": f"--{EDGE}\r\n" + "X-A: b\r\n" * 30_000 + "\r\n\r\n",
    "edges alone": f"--{EDGE}\r\n" * 25_000,
    "a name with many parameters": f"--{EDGE}\r\nContent-Disposition: form-data" + "; a=b" * 40_000 + "\r\n\r\n\r\n",
    "an encoding of its own": part("a", "=" * 200_000).replace("\r\n", "\r\nContent-Transfer-Encoding: base64\r\n", 1),
}


def sent(body):
    client = Client(raise_request_exception=False)
    whole = f"{body}--{EDGE}--\r\n".encode()
    return client.generic("POST", "/en/propose/", whole, content_type=f"multipart/form-data; boundary={EDGE}")


@pytest.mark.parametrize("bomb", TOO_MANY)
def test_more_parts_than_can_be_meant_are_not_understood(bomb):
    assert sent(TOO_MANY[bomb]).status_code == 400


@pytest.mark.parametrize("bomb", BROKEN)
def test_a_form_that_cannot_be_taken_apart_is_no_fault_of_ours(bomb):
    assert sent(BROKEN[bomb]).status_code < 500


def test_a_packed_body_is_not_unpacked(client):
    """What says that it is gzip is read as it came, and is no submission."""
    packed = gzip.compress(b'{"nickname": "player", "moves": "rR"}')
    says = {"Content-Encoding": "gzip"}
    answer = client.post("/api/v1/submissions/", packed, content_type="application/json", headers=says)
    assert answer.status_code in (400, 415)
