"""Django's backend with parameters bound by the server, so that a statement is parsed and planned once, not each time.

Such a statement takes 65,535 parameters at most, which Django 5.2 does not know yet: this tells it where to cut.
"""

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
