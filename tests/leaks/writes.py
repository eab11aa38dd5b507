"""Writes by requests, and which of them only record the visit."""

import re

_WRITING = re.compile(r"\s*(?:(?:INSERT|REPLACE)(?: OR \w+)? INTO|UPDATE|DELETE FROM)\s+\"?(\w+)", re.IGNORECASE)
_SAVEPOINT = re.compile(r'(ROLLBACK TO )?SAVEPOINT "(\w+)"')
WRITTEN_BY_VISITS = {"django_session"}
# The first reader of events numbers them; opening a film's page orders the film.
WRITTEN_BY_READING = {"django_session", "contest_event", "contest_film"}
# Of proved players: seen solutions, which end their own virtual start, and the last use of a token.
WRITTEN_BY_PLAYERS = WRITTEN_BY_READING | {"contest_seensolutions", "contest_virtualstart", "contest_token"}


class Writes:
    """The tables that requests write to, without rolled back writes such as the desk's preview of a round."""

    def __init__(self) -> None:
        self.tables: set[str] = set()
        self._before: dict[str, set[str]] = {}  # tables written to before each savepoint

    def __call__(self, execute, sql, params, many, context):
        if found := _WRITING.match(sql):
            self.tables.add(found[1])
        elif found := _SAVEPOINT.fullmatch(sql):
            is_rolled_back, name = found.groups()
            if is_rolled_back:
                self.tables = self._before[name]
            else:
                self._before[name] = set(self.tables)
        return execute(sql, params, many, context)
