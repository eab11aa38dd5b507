"""The one judge: `judge` claims rows; `outcomes` says what each comes to, with `suggestions` for what solves nothing as
sent; `record` writes the verdicts.

`rejudge` judges again on an organiser's order · `consistency` looks for rows that contradict each other ·
`receipt_chain` links the receipts, and proves where they stand.
"""

from contest.judging.judge import has_waiting, judge_all, judge_row, judge_until_empty, stop, take_at_their_word
from contest.judging.outcomes import Statement, dry_run

__all__ = [
    "Statement",
    "dry_run",
    "has_waiting",
    "judge_all",
    "judge_row",
    "judge_until_empty",
    "stop",
    "take_at_their_word",
]
