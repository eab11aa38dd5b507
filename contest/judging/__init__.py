"""The one judge: `judge` claims rows and replays them, with `suggestions` for what solves nothing as sent; `record`
writes its verdicts; `cost` says what a text may take it.

`rejudge` judges again on an organiser's order · `consistency` looks for rows that contradict each other ·
`receipt_chain` links the receipts.
"""

from contest.judging.judge import Told, dry_run, judge_all, judge_row, judge_until_empty, stop, take_at_their_word

__all__ = [
    "Told",
    "dry_run",
    "judge_all",
    "judge_row",
    "judge_until_empty",
    "stop",
    "take_at_their_word",
]
