"""Acts that lock rows or are recorded run in one transaction. Checked in the source, since tests run in one anyway."""

import ast
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "contest"
LOCKS = {"select_for_update", "lock", "lock_calendar", "_lock"}
WRITES = {"save", "create", "update", "delete", "get_or_create", "bulk_create"}
# Functions that lock for the caller's transaction, and acts that only write their record.
NONE_OF_THEIR_OWN = """
    admin/rounds.save_model judging/record.write_alone library/collection_import.find_solutions
    library/standing.remove_used ops/outages.notice_silence players/acts.lock players/acts.lock_levels
    players/reports.send_link players/reports.show_link rounds/calendar.check_times rounds/lifecycle.lock
    rounds/testers.bind staff/account_acts.log_and_notify
"""
PRIVATE_AND_IN_THE_CALLERS = """
    judging/rejudge._write library/series._turn library/shelf._turn ops/outages._note_failure
    players/claims._end_secrets
"""


def _actions(function: ast.FunctionDef) -> set[str]:
    calls = (node.func for node in ast.walk(function) if isinstance(node, ast.Call))
    return {ast.unparse(call).rpartition(".")[2] for call in calls if isinstance(call, ast.Attribute | ast.Name)}


def _outside_transactions() -> list[tuple[str, str, set[str]]]:
    """Return module, name and calls of each function that neither is a transaction nor begins one."""
    return [
        (f"{file.relative_to(SOURCE).with_suffix('')}", node.name, _actions(node))
        for file in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef) and "transaction.atomic" not in ast.unparse(node)
    ]


def test_public_functions_that_lock_rows_or_record_are_transactions():
    found = [
        f"{module}.{name}"
        for module, name, actions in _outside_transactions()
        if not name.startswith("_") and actions & {*LOCKS, "record"}
    ]
    assert sorted(found) == NONE_OF_THEIR_OWN.split()


def test_private_functions_that_lock_rows_and_write_are_transactions():
    found = [
        f"{module}.{name}"
        for module, name, actions in _outside_transactions()
        if name.startswith("_") and actions & LOCKS and actions & WRITES
    ]
    assert sorted(found) == PRIVATE_AND_IN_THE_CALLERS.split()
