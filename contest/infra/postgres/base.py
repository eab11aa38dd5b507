"""Django's backend with parameters bound by the server, so that a statement is parsed and planned once, not each time.

Such a statement takes 65,535 parameters at most, which Django 5.2 does not know yet: this tells it where to cut.

A connection of the pool is looked at before it is given to a request, and PostgreSQL is not asked whether it is there:
whoever hangs up says so, and that can be read without a question.
"""

import select
from collections.abc import Sequence
from typing import Any

from django.db.backends.postgresql import base, features, operations

MOST_PARAMETERS = 65_535


class DatabaseFeatures(features.DatabaseFeatures):
    max_query_params = MOST_PARAMETERS


class DatabaseOperations(operations.DatabaseOperations):
    def bulk_batch_size(self, fields: Sequence[Any], objs: Sequence[Any]) -> int:
        """How many of *objs* fit into one statement."""
        return MOST_PARAMETERS // len(fields) if fields else len(objs)


class DatabaseWrapper(base.DatabaseWrapper):
    features_class = DatabaseFeatures
    ops_class = DatabaseOperations

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A new one, or one of the pool whose other end has not hung up."""
        while True:
            connection = super().get_new_connection(conn_params)
            if not self.pool or not _has_something_to_say(connection):
                return connection
            connection.close()
            self.pool.putconn(connection)  # which opens another in its place


def _has_something_to_say(connection: Any) -> bool:
    """Whether there is something to be read though nothing was asked: the last words of a server that ends, or its end.

    By poll: a select takes no file beyond the 1,024th.
    """
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))
