"""Acts that lock rows or are recorded run in one transaction; `python -m tooling.lint.transactions` lists others.

The source is read, because tests of Django run in a transaction anyway.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from tooling.folders import ROOT
from tooling.terminal import print_line

LOCKS = {"select_for_update", "lock", "lock_own", "check_own", "lock_calendar", "_lock"}
WRITES = {"save", "create", "update", "delete", "get_or_create", "bulk_create"}
# Functions that lock for the caller's transaction, and acts that only write their record; then private functions.
NONE_OF_THEIR_OWN = """
    judging/record.write_alone library/collection_solutions.find_solutions
    library/standing.remove_used ops/outages.notice_silence players/acts.lock players/acts.lock_levels
    players/acts.lock_own players/acts.check_own
    players/reports.send_link players/reports.show_link rounds/calendar.check_times rounds/lifecycle.lock
    rounds/testers.bind staff/account_acts.log_and_notify
    judging/rewriting.lock_levels judging/rewriting.mark_applied judging/rewriting.restore_next
    judging/rewriting.write_next players/merging._give_next results/revisions.cancel
    library/series._turn library/shelf._turn ops/outages._note_failure
    players/claims._end_secrets
"""


def find_breaches() -> Iterator[str]:
    """Yield public functions that lock or record, and private ones that lock and write, outside a transaction."""
    found = {name for name, actions in _outside_transactions() if _needs_one(name, actions)}
    excepted = set(NONE_OF_THEIR_OWN.split())
    yield from (f"contest/{name} locks rows or records an act outside a transaction" for name in found - excepted)
    yield from (f"contest/{name} is an exception that is not needed" for name in excepted - found)


def _needs_one(name: str, actions: set[str]) -> bool:
    if "._" in name:
        return bool(actions & LOCKS and actions & WRITES)
    return bool(actions & {*LOCKS, "record"})


def _outside_transactions() -> Iterator[tuple[str, set[str]]]:
    """Yield name and calls of each function that neither is a transaction nor begins one."""
    for file in sorted((ROOT / "contest").rglob("*.py")):
        module = file.relative_to(ROOT / "contest").with_suffix("")
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and "transaction.atomic" not in ast.unparse(node):
                yield f"{module}.{node.name}", _actions(node)


def _actions(function: ast.FunctionDef) -> set[str]:
    calls = (node.func for node in ast.walk(function) if isinstance(node, ast.Call))
    return {ast.unparse(call).rpartition(".")[2] for call in calls if isinstance(call, ast.Attribute | ast.Name)}


if __name__ == "__main__":
    problems = list(find_breaches())
    for line in problems:
        print_line(line)
    sys.exit(1 if problems else 0)
