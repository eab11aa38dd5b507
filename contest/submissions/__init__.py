"""The one way in: `acceptance` stores what a door was sent; `dry_run` judges without entering; `collected` takes what
solves levels of collections.
"""

from contest.submissions.acceptance import (
    MAX_TEXT_BYTES,
    Entry,
    Receipt,
    Refused,
    accept,
    judge_now,
    offered,
    verdict_soon,
)

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
