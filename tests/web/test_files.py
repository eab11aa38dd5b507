"""Texts for programs: answers of the API, feeds and tables, compared with those that somebody has approved."""

import hashlib
import json
import random
import secrets
from collections import defaultdict

import pytest
from django.db import connection

from contest.web.sharing.feeds import FEEDS
from tests import cast
from tests.browser import whole_site

pytestmark = [pytest.mark.django_db, pytest.mark.clock(cast.DURING)]
# Computed from packages, or the state of the machine.
_NOT_APPROVED = ("/admin/", "/api/v1/openapi", "/api/schema", "/readyz", "/metrics", "/healthz", "/static/")
# Parameters of addresses that are not of pages.
_VALUES = {
    "act": (), "app_label": (), "content_type_id": (), "id": (), "night": (), "object_id": (), "url": (),
    "feed": FEEDS, "look": ["light"], "old": [1], "section": ["rounds", "levels", "players"], "size": [1],
}  # fmt: skip
_JSON = ("application/json", "application/problem+json", "application/feed+json")
_TEXTS = (*_JSON, "application/x-ndjson", "application/atom+xml", "application/xml", "image/svg", "text/c", "text/p")


def _read(answer) -> str:
    kind = answer.get("Content-Type", "")
    lines = [f"{answer.status_code} {kind} {answer.get('Location', '')}"]
    if kind.startswith(_TEXTS):
        body = (answer.getvalue() if answer.streaming else answer.content).decode("utf-8", "replace")
        members = json.loads(body) if kind in _JSON else None
        if isinstance(members, dict):
            lines += [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in members.items()]
        else:
            lines += body.splitlines()
    return _shorten("\n".join(lines))


def _shorten(text: str) -> str:
    """Return 30 lines of a text and the beginning of each long line, with digests of what is left out."""
    lines = [line if len(line) <= 400 else f"{line[:300]} … {_digest(line)}" for line in text.splitlines()]
    return "\n".join(lines if len(lines) <= 30 else [*lines[:30], f"… {_digest(text)}"])


def _digest(text: str) -> str:
    return f"SHA-256 {hashlib.sha256(text.encode()).hexdigest()[:16]}"


@pytest.fixture
def nothing_by_lot(settings, monkeypatch, db) -> None:
    """Draw the same keys and lucky numbers, and count rows from 1, whatever ran before."""
    chance = random.Random(1)
    settings.SECRET_KEY = "the-same-each-time-0123456789-0123456789"
    monkeypatch.setattr(secrets, "token_bytes", lambda count=32: chance.randbytes(count))
    monkeypatch.setattr(secrets, "randbelow", chance.randrange)
    monkeypatch.setattr(secrets, "choice", chance.choice)
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM sqlite_sequence")


def test_answers_to_programs_are_as_approved(cache_of_its_own, nothing_by_lot, file_regression):
    site = whole_site.load()
    site.values = {**site.values, **_VALUES}
    paths = [path for path in whole_site.urls(site, {}) if not path.startswith(_NOT_APPROVED)]
    sections = defaultdict(list)
    for path in paths:
        if "/api/" in path or (not path.endswith("/") and "/desk/" not in path):
            first = path.split("/")[1] if path.count("/") > 1 else "root"
            sections[first].append(f"== {path}\n{_read(site.client(whole_site.STRANGER).get(path))}\n")
    assert sum(map(len, sections.values())) > 100
    for section, texts in sections.items():
        if connection.vendor == "sqlite":  # rows have other numbers elsewhere
            file_regression.check("\n".join(texts), basename=section.strip("."))
