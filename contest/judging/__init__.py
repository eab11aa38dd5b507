"""The judge: `claims` claims rows; `judge` replays them; `outcomes` computes verdicts, with `suggestions` for texts
that solve nothing as sent; `record` writes the verdicts.

`rejudge` judges again on an organiser's order, with the `rank_changes` to expect, `rewriting` writes the new verdicts ·
`pruning` shortens long rejected texts · `consistency` finds rows that
contradict each other · `receipt_chain` links the receipts and proves inclusion, with `leaves` and the `closings` of
rounds.
"""

from contest.judging.claims import has_waiting
from contest.judging.judge import accept_as_reported, judge_all, judge_next, judge_until_empty, stop
from contest.judging.outcomes import Statement, dry_run

__all__ = [
    "Statement",
    "accept_as_reported",
    "dry_run",
    "has_waiting",
    "judge_all",
    "judge_next",
    "judge_until_empty",
    "stop",
]
