"""Which errors are over in some seconds: of the database, and of a machine without a file to open or room to write."""

import errno
from collections.abc import Iterator

from django.db import InterfaceError, OperationalError
from psycopg.errors import IdleInTransactionSessionTimeout

_OF_THE_MACHINE = {errno.EMFILE, errno.ENFILE, errno.ENOSPC, errno.EROFS, errno.EDQUOT}


def will_pass(error: BaseException | None) -> bool:
    """Whether what was asked for cannot be had now, and can be again soon: 503, and not 500.

    PostgreSQL ends the transaction of a process that stood still in it by what Django calls an internal error. A
    process that may open no more files fails wherever it opens one, and what it fails with may only follow from that.
    """
    return any(
        isinstance(one, OperationalError | InterfaceError | IdleInTransactionSessionTimeout)
        or (isinstance(one, OSError) and one.errno in _OF_THE_MACHINE)
        for one in _chain(error)
    )


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error, and what it came from: what it was raised from, and what was being seen to at that moment."""
    seen: set[int] = set()
    coming = [error]
    while coming:
        one = coming.pop()
        if one is not None and id(one) not in seen:
            seen.add(id(one))
            yield one
            coming += [one.__cause__, one.__context__]
