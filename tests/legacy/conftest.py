"""The older programs, as exact as their source: what they send, byte by byte, and what they look for."""

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
    """Which of its messages a program shows: it lower-cases and takes the first marker that is there."""
    return next((marker for marker in MARKERS if marker in text.lower()), "unknown situation")


def android(nickname: str, lurd: str, country: str = "CN", email: str = "") -> bytes:
    """The body of the Android program: Java's URLEncoder with GBK; what GBK lacks becomes a question mark."""
    fields = {"nickname": nickname, "country": country, "email": email, "lurd": lurd}
    return "&".join(f"{name}={quote_plus(value.encode('gbk', 'replace'))}" for name, value in fields.items()).encode()


@pytest.fixture
def post(client):
    """Send a body to the door; return the text of the answer, whose status must be 200."""

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
