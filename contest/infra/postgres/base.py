"""Django's backend with server-side parameter binding, so that statements can be parsed and planned once.

Such a statement takes at most 65,535 parameters, a limit that Django 5.2 does not know; it is set here.

A pooled connection is checked before a request gets it, without a query: a server that closes the connection makes
its socket readable.
"""

import select
from collections.abc import Sequence
from typing import Any

from django.db.backends.postgresql import base, features, operations

MAX_PARAMETERS = 65_535


class DatabaseFeatures(features.DatabaseFeatures):
    max_query_params = MAX_PARAMETERS


class DatabaseOperations(operations.DatabaseOperations):
    def bulk_batch_size(self, fields: Sequence[Any], objs: Sequence[Any]) -> int:
        """Return how many of *objs* fit into one statement."""
        return MAX_PARAMETERS // len(fields) if fields else len(objs)


class DatabaseWrapper(base.DatabaseWrapper):
    features_class = DatabaseFeatures
    ops_class = DatabaseOperations

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Return a new connection, or a pooled one that the server has not closed."""
        while True:
            connection = super().get_new_connection(conn_params)
            if not self.pool or not _is_readable(connection):
                return connection
            connection.close()
            self.pool.putconn(connection)  # the pool opens a replacement


def _is_readable(connection: Any) -> bool:
    """Return whether the idle socket is readable, which means that the server has closed or is closing it.

    Uses poll: select does not work for file descriptors above 1,023.
    """
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))
