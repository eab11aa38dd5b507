"""Selection of the tests that also run on the second database."""

import re
from collections.abc import Sequence

import pytest

# A test that uses one of these fixtures may read or write rows.
ROWS = frozenset({"db", "transactional_db", "live_server", "django_db_setup"})


def may_differ(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Return those of *items* that may behave differently on another database.

    Excluded are tests that use no database or are marked `one_database`, and Chinese variants if the English variant
    is among *items*: a page runs the same queries in both languages. Tests marked `postgres` are always included.
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
    """Return the name of the same test in English, or "" if the name contains no Chinese language code."""
    english = re.sub("zh-hans", "en", name, flags=re.IGNORECASE)
    return english if english != name else ""
