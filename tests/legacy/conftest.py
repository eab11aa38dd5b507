"""The older programs, modelled exactly on their source: the bytes they send, and the texts they look for."""

from urllib.parse import quote_plus

import pytest

MARKERS = (
    "correct (for ",
    "not correct",
    "competition has ended",
    "not begin yet",
    "name cannot be empty",
)


def shown_by_client(text: str) -> str:
    """Return the message that a program shows: it lower-cases the text and takes the first marker in it."""
    return next((marker for marker in MARKERS if marker in text.lower()), "unknown situation")


def android(nickname: str, lurd: str, country: str = "CN", email: str = "") -> bytes:
    """Return the body of the Android program: Java's URLEncoder with GBK; other characters become question marks."""
    fields = {"nickname": nickname, "country": country, "email": email, "lurd": lurd}
    return "&".join(f"{name}={quote_plus(value.encode('gbk', 'replace'))}" for name, value in fields.items()).encode()


@pytest.fixture
def post(client):
    """Send a body to the endpoint; return the text of the response, which must have status 200."""

    def send(body: bytes, content_type: str = "application/x-www-form-urlencoded", **extra) -> str:
        answer = client.post("/submit_result.php", body, content_type=content_type, **extra)
        assert answer.status_code == 200
        assert answer["Content-Type"] == "text/plain; charset=utf-8"
        assert answer.content.isascii()
        return answer.content.decode()

    return send


@pytest.fixture
def get(client):
    def fetch(address: str) -> dict:
        answer = client.get(address)
        assert answer.status_code == 200
        assert answer["Content-Type"] == "application/json; charset=utf-8"
        assert answer.content.isascii()
        return answer.json()

    return fetch
