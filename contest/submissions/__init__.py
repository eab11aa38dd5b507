"""The one way in: `acceptance` stores what a door was sent; `dry_run` judges without entering; `collected` takes what
solves levels of collections.

`entry` what was sent, and the refusal · `in_time` for which round it comes · `quotas` how much is taken, and whose turn
is when.
"""

from contest.submissions.acceptance import (
    accept,
    judge_now,
    offered,
    verdict_soon,
)
from contest.submissions.entry import MAX_TEXT_BYTES, Entry, Receipt, Refused

__all__ = [
    "MAX_TEXT_BYTES",
    "Entry",
    "Receipt",
    "Refused",
    "accept",
    "judge_now",
    "offered",
    "verdict_soon",
]
