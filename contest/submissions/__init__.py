"""The only entry point for submissions: `acceptance` stores what a door received; `sealed_answers` stores hashes and
opens them; `at_once` judges texts that are not submissions: trials, testers' moves, solutions to collection levels;
`runs` accepts runs through such levels.

`entry` the sender's input, and refusals · `arrival` with what is known of it · `eligibility` of round, time and
player · `limits` on amounts, and turns in the queue · `store` many submissions in one transaction · `repeats` of a
request.
"""

from contest.submissions.acceptance import Sent, accept, accept_all, accept_batch, judge_now, wait_for_verdict
from contest.submissions.entry import MAX_TEXT_BYTES, Entry, Postponed, Receipt, Refused, entry_of_offer

__all__ = [
    "MAX_TEXT_BYTES",
    "Entry",
    "Postponed",
    "Receipt",
    "Refused",
    "Sent",
    "accept",
    "accept_all",
    "accept_batch",
    "entry_of_offer",
    "judge_now",
    "wait_for_verdict",
]
