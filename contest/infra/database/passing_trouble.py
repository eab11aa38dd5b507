"""Temporary errors: of the database, and of a machine without free file descriptors or disk space."""

import errno
from collections.abc import Iterator

from django.db import InterfaceError, OperationalError
from psycopg.errors import IdleInTransactionSessionTimeout

_OF_THE_MACHINE = {errno.EMFILE, errno.ENFILE, errno.ENOSPC, errno.EROFS, errno.EDQUOT}


def will_pass(error: BaseException | None) -> bool:
    """Return whether *error* is temporary, so that the response is 503 and not 500.

    Django raises an internal error when PostgreSQL terminates a transaction that was idle too long. A process without
    free file descriptors can fail anywhere, and the exception raised may be only a consequence of that.
    """
    return any(
        isinstance(one, OperationalError | InterfaceError | IdleInTransactionSessionTimeout)
        or (isinstance(one, OSError) and one.errno in _OF_THE_MACHINE)
        for one in _chain(error)
    )


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield the error and all its causes and contexts."""
    seen: set[int] = set()
    coming = [error]
    while coming:
        one = coming.pop()
        if one is not None and id(one) not in seen:
            seen.add(id(one))
            yield one
            coming += [one.__cause__, one.__context__]
