"""Acts that lock rows or are recorded run in one transaction. Checked in the source, since tests run in one anyway."""

import ast
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "contest"
# Functions that lock for the caller's transaction, and acts that only write their record.
NONE_OF_THEIR_OWN = """
    admin/rounds.save_model judging/record.write_alone library/collection_import.find_solutions
    library/standing.remove_used ops/outages.notice_silence players/acts.lock players/acts.lock_levels
    players/reports.send_link players/reports.show_link rounds/lifecycle.lock rounds/testers.bind
    staff/account_acts.log_and_notify
"""


def _actions(function: ast.FunctionDef) -> set[str]:
    calls = (node.func for node in ast.walk(function) if isinstance(node, ast.Call))
    return {ast.unparse(call).rpartition(".")[2] for call in calls if isinstance(call, ast.Attribute | ast.Name)}


def test_functions_that_lock_rows_or_record_are_transactions_or_private():
    found = []
    for file in SOURCE.rglob("*.py"):
        functions = (node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.FunctionDef))
        found += [
            f"{file.relative_to(SOURCE).with_suffix('')}.{function.name}"
            for function in functions
            if not function.name.startswith("_") and _actions(function) & {"select_for_update", "record"}
            and "transaction.atomic" not in ast.unparse(function)
        ]  # fmt: skip
    assert sorted(found) == NONE_OF_THEIR_OWN.split()
