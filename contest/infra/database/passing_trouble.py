"""Temporary errors: of the database, and of a machine without free file descriptors or disk space."""

import errno
from collections.abc import Iterator

from django.db import InterfaceError, OperationalError
from psycopg.errors import IdleInTransactionSessionTimeout

_MACHINE_ERRORS = {errno.EMFILE, errno.ENFILE, errno.ENOSPC, errno.EROFS, errno.EDQUOT}


def is_temporary(error: BaseException | None) -> bool:
    """Return whether *error* is temporary, so that the response is 503 and not 500.

    Django raises an internal error when PostgreSQL terminates a transaction that was idle too long. A process without
    free file descriptors can fail anywhere, and the exception raised may be only a consequence of that.
    """
    return any(
        isinstance(cause, OperationalError | InterfaceError | IdleInTransactionSessionTimeout)
        or (isinstance(cause, OSError) and cause.errno in _MACHINE_ERRORS)
        for cause in _error_chain(error)
    )


def _error_chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield the error and all its causes and contexts."""
    seen: set[int] = set()
    pending = [error]
    while pending:
        cause = pending.pop()
        if cause is not None and id(cause) not in seen:
            seen.add(id(cause))
            yield cause
            pending += [cause.__cause__, cause.__context__]
