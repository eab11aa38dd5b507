"""What pages ask the database, for the tests of their budgets."""

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

MOST_QUERIES = 8
_BOUNDS = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK")


def asked(client: Client, address: str) -> list[str]:
    """The statements that the page at *address* needs; where a transaction begins and ends is no question."""
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    statements = (query["sql"] for query in captured.captured_queries)
    return [statement for statement in statements if not statement.startswith(_BOUNDS)]
