import errno

import pytest
from django.db import IntegrityError, InternalError, OperationalError
from django.template import TemplateSyntaxError
from psycopg.errors import IdleInTransactionSessionTimeout, InFailedSqlTransaction

from contest.infra.database.passing_trouble import is_temporary


def internal(cause):
    error = InternalError("terminating connection")
    error.__cause__ = cause
    return error


def following(error, cause):
    error.__context__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "passes"),
    [
        (OperationalError("the connection is lost"), True),
        (internal(IdleInTransactionSessionTimeout()), True),
        (internal(InFailedSqlTransaction()), False),
        (OSError(errno.EMFILE, "Too many open files"), True),
        (following(TemplateSyntaxError("no such tag"), OSError(errno.EMFILE, "Too many open files")), True),
        (OSError(errno.EROFS, "Read-only file system"), True),
        (OSError(errno.ENOENT, "No such file"), False),
        (IntegrityError("twice"), False),
        (None, False),
    ],
)
def test_transient_errors_are_distinguished_from_permanent_ones(error, passes):
    assert is_temporary(error) is passes
