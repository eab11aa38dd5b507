"""The one way in: `acceptance` takes what a door was sent; `sealed_answers` takes hashes and opens them; `at_once`
judges what is no submission: trials, what testers send, solutions to levels of collections.

`entry` what was sent, and the refusal · `eligibility` for which round it comes, and from whom · `limits` how much is
taken, and whose turn is when · `store` many in one transaction.
"""

from contest.submissions.acceptance import Sent, accept, accept_all, accept_together, judge_now, verdict_soon
from contest.submissions.entry import MAX_TEXT_BYTES, Entry, Receipt, Refused, entry_of_offer

__all__ = [
    "MAX_TEXT_BYTES",
    "Entry",
    "Receipt",
    "Refused",
    "Sent",
    "accept",
    "accept_all",
    "accept_together",
    "entry_of_offer",
    "judge_now",
    "verdict_soon",
]
