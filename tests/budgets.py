"""Database queries of pages, for the tests of query budgets."""

from typing import Any

from django.db import connection
from django.test import Client

MOST_QUERIES = 8
Asked = tuple[list[str], Any]
_BOUNDS = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK")


def asked(client: Client, address: str) -> Asked:
    """Return the SQL statements of the page at *address*, without those of transactions, and the page."""
    statements: list[str] = []

    def note(execute, sql, *context):
        statements.append(sql)
        return execute(sql, *context)

    with connection.execute_wrapper(note):  # CaptureQueriesContext would ask SQLite to write out each statement
        answer = client.get(address)
    return [statement for statement in statements if not statement.startswith(_BOUNDS)], answer
