"""Unusual bytes in submissions: the entrance answers them as the site does."""

import io
import json

import pytest

from tests.api.test_entrance import both, people, site
from tests.contest.front.conftest import connect, serve, server

pytestmark = pytest.mark.fast_paths

__all__ = ["connect", "people", "serve", "server", "site"]  # fixtures

JSON = b"Content-Type: application/json"
HOST = b"Host: localhost"
BODY = b'{"nickname": "New", "moves": "rR"}'
CHUNKS = b"%x\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY)


def request_of(*fields, body=BODY, line=b"POST %s HTTP/1.1", path=b"/api/v1/submissions/", length=True):
    lines = [line % path, *fields, b"Connection: close", *([b"Content-Length: %d" % len(body)] if length else [])]
    return b"\r\n".join([*lines, b"", body])


USUAL = {
    "as usual": request_of(HOST, JSON),
    "HTTP/1.0": request_of(HOST, JSON, line=b"POST %s HTTP/1.0"),
    "a host with a port": request_of(b"Host: localhost:8000", JSON),
    "a host of IPv6": request_of(b"Host: [::1]:80", JSON),
    "a whole address": request_of(HOST, JSON, path=b"http://evil.example.org/api/v1/submissions/"),
    "100-continue": request_of(HOST, JSON, b"Expect: 100-continue"),
    "a name with an underscore": request_of(HOST, JSON, b"Idempotency_Key: x", b"Content_Length: 1"),
    "a long language": request_of(HOST, JSON, b"Accept-Language: " + b"zh-CN," * 5_000),
    "a sender that is none": request_of(HOST, JSON, b"X-Forwarded-For: \xff, ,::%1"),
}
UNUSUAL = {
    "HTTP/1.0 without a host": request_of(JSON, line=b"POST %s HTTP/1.0"),
    "a host of nobody": request_of(b"Host: evil.example.org", JSON),
    "a host that is none": request_of(b"Host: \xff<script>", JSON),
    "two hosts": request_of(HOST, b"Host: evil.example.org", JSON),
    "chunks": request_of(HOST, JSON, b"Transfer-Encoding: chunked", body=CHUNKS, length=False),
    "no body": request_of(HOST, JSON, body=b""),
    "two tokens": request_of(HOST, JSON, b"Authorization: Bearer x", b"Authorization: Bearer y"),
    "a key of bytes": request_of(HOST, JSON, b"Idempotency-Key: \xff\x80\xe9"),
    "a long key": request_of(HOST, JSON, b"Idempotency-Key: " + b"k" * 60_000),
}


def received_environ(server, raw):
    with server.connect(raw) as connected, connected.makefile("rb") as answered:
        while (status := answered.readline()).startswith(b"HTTP/1.1 100"):
            answered.readline()
        body = answered.read().partition(b"\r\n\r\n")[2]
    assert status.startswith(b"HTTP/1.1 200"), status
    return json.loads(body)


@pytest.mark.parametrize("case", [*USUAL, *UNUSUAL])
def test_unusual_bytes_get_the_sites_answer_and_usual_ones_do_not_reach_it(people, site, server, settings, case):
    """The test itself sends two of the requests to the site."""
    settings.ALLOWED_HOSTS = ["localhost", "[::1]", ".example.com"]
    seen = received_environ(server, (USUAL | UNUSUAL)[case])
    body = seen["body"].encode("latin-1")

    def make():
        more = {"wsgi.url_scheme": "http", "wsgi.input": io.BytesIO(body), "wsgi.errors": io.StringIO()}
        return {"HTTP_X_REQUEST_ID": "of-the-test", **seen["environ"], **more}

    expected, actual = both(site, make)
    assert actual == expected
    assert site.asked == (2 if case in USUAL else 3)
