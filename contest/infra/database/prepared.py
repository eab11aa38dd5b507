"""Statements that psycopg prepares, on the way from a submission to its verdict.

A prepared statement may get one plan for all values. Queries by key have no better one, and save a parse and a plan.
A page of a round with ten submissions or a million would wait for the wrong plan, so nothing else is prepared.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from django.conf import settings
from django.db import connection

T = TypeVar("T")


@contextmanager
def prepared_statements() -> Iterator[None]:
    """Have psycopg prepare each statement of this thread at its first use inside (`prepare_threshold`)."""
    connection.ensure_connection()
    session = connection.connection
    binds = connection.vendor == "postgresql" and connection.settings_dict["OPTIONS"].get("server_side_binding")
    if not (binds and settings.FAST_PATHS["prepared_statements"]):
        yield
        return
    before, session.prepare_threshold = session.prepare_threshold, 0
    try:
        yield
    finally:
        session.prepare_threshold = before


def padded(values: Sequence[T]) -> list[T]:
    """Repeat the last of *values* until their count is a power of four, so that few statements differ by their length.

    >>> padded([1, 2, 3]), padded([1])
    ([1, 2, 3, 3], [1])
    """
    return [*values, *[values[-1]] * (power_of_four(len(values)) - len(values))]


def power_of_four(count: int) -> int:
    """Return the least power of four that is not less than *count*."""
    return 1 << 2 * -(-(count - 1).bit_length() // 2)
