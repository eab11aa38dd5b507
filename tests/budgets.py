"""Database queries of pages, for the tests of query budgets."""

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

MOST_QUERIES = 8
_BOUNDS = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK")


def asked(client: Client, address: str) -> list[str]:
    """Return the SQL statements of the page at *address*, without those that only start or end a transaction."""
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    statements = (query["sql"] for query in captured.captured_queries)
    return [statement for statement in statements if not statement.startswith(_BOUNDS)]
