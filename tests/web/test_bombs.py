"""Forms of many parts that would cost much to take apart are refused, and cost little."""

import gzip
import time

import pytest
from django.test import Client

EDGE = "edge"
SECONDS = 1.0


def part(name, text="", file=""):
    named = f'; filename="{file}"' if file else ""
    return f'--{EDGE}\r\nContent-Disposition: form-data; name="{name}"{named}\r\n\r\n{text}\r\n'


BOMBS = {
    "thousands of fields": "".join(part(f"f{number}") for number in range(3_000)),
    "thousands of files": "".join(part(f"f{number}", "x", "a.sok") for number in range(2_500)),
    "the same field again and again": part("text") * 3_500,
    "a head without end": f"--{EDGE}\r\nX-A: " + "a" * 250_000,
    "heads without number": f"--{EDGE}\r\n" + "X-A: b\r\n" * 30_000 + "\r\n\r\n",
    "edges alone": f"--{EDGE}\r\n" * 25_000,
    "an edge that is nearly one": f"\r\n--{EDGE[:-1]}" * 25_000,
    "a name with many parameters": f"--{EDGE}\r\nContent-Disposition: form-data" + "; a=b" * 40_000 + "\r\n\r\n\r\n",
    "an encoding of its own": part("a", "=" * 200_000).replace("\r\n", "\r\nContent-Transfer-Encoding: base64\r\n", 1),
}


@pytest.mark.parametrize("bomb", BOMBS)
@pytest.mark.parametrize("address", ["/en/propose/", "/en/submit/", "/en/check/"])
def test_a_form_of_many_parts_costs_little(during_round, address, bomb):
    client = Client(raise_request_exception=False)
    client.get(address)  # what is made once is made
    body = f"{BOMBS[bomb]}--{EDGE}--\r\n".encode()
    began = time.process_time()
    answer = client.generic("POST", address, body, content_type=f"multipart/form-data; boundary={EDGE}")
    assert answer.status_code < 500, answer.status_code
    assert time.process_time() - began < SECONDS


def test_more_than_can_be_meant_is_not_understood(during_round):
    for bomb in ("thousands of fields", "thousands of files"):
        body = f"{BOMBS[bomb]}--{EDGE}--\r\n".encode()
        answer = Client().generic("POST", "/en/propose/", body, content_type=f"multipart/form-data; boundary={EDGE}")
        assert answer.status_code == 400


def test_a_packed_body_is_not_unpacked(during_round):
    """What says that it is gzip is read as it came, and is no submission."""
    packed = gzip.compress(b'{"nickname": "player", "moves": "rR"}')
    says = {"Content-Encoding": "gzip"}
    answer = Client().post("/api/v1/submissions/", packed, content_type="application/json", headers=says)
    assert answer.status_code in (400, 415)
