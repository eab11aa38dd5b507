"""Which tests are asked of the second database too."""

import re
from collections.abc import Sequence

import pytest

# Whoever asks for one of these may read or write rows.
ROWS = frozenset({"db", "transactional_db", "live_server", "django_db_setup"})


def may_differ(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Return those of *items* that another database could answer otherwise.

    Left out are those that reach no database or are marked `one_database`, and those in Chinese whose like in English
    is among *items*: a page asks the database the same in both languages. What is marked `postgres` stays.
    """
    names = {item.nodeid for item in items}
    return [
        item
        for item in items
        if item.get_closest_marker("postgres") or (reaches_rows(item) and in_english(item.nodeid) not in names)
    ]


def reaches_rows(item: pytest.Item) -> bool:
    if item.get_closest_marker("one_database"):
        return False
    return item.get_closest_marker("django_db") is not None or bool(ROWS & set(getattr(item, "fixturenames", ())))


def in_english(name: str) -> str:
    """Return the name of the same test for an English reader; "" for one that names no Chinese reader."""
    english = re.sub("zh-hans", "en", name, flags=re.IGNORECASE)
    return english if english != name else ""
