"""What requests write, and which of it remembers the visit alone."""

import re

_WRITING = re.compile(r"\s*(INSERT|UPDATE|DELETE|REPLACE)\b.*?\"(\w+)\"", re.IGNORECASE | re.DOTALL)
_SAVEPOINT = re.compile(r'(ROLLBACK TO )?SAVEPOINT "(\w+)"')
KEPT_OF_VISITS = {"django_session"}
# Events get their numbers from whoever asks first; films are ordered by whoever opens their page.
KEPT_OF_READING = {"django_session", "contest_event", "contest_film"}
# Of who has a name: that they have seen solutions, which ends a start of their own, and when their token was used last.
KEPT_OF_NAMES = KEPT_OF_READING | {"contest_seensolutions", "contest_virtualstart", "contest_token"}


class Writes:
    """The tables that requests write to; what is rolled back, as the desk's preview of a round is, is no writing."""

    def __init__(self) -> None:
        self.tables: set[str] = set()
        self._before: dict[str, set[str]] = {}  # the tables written to when each savepoint was set

    def __call__(self, execute, sql, params, many, context):
        if found := _WRITING.match(sql):
            self.tables.add(found[2])
        elif found := _SAVEPOINT.fullmatch(sql):
            is_rolled_back, name = found.groups()
            if is_rolled_back:
                self.tables = self._before[name]
            else:
                self._before[name] = set(self.tables)
        return execute(sql, params, many, context)
