"""The sentences that the older programs search for.

They lower-case the response and search, in this order: "correct (for ", "not correct", "competition has ended",
"not begin yet", "name cannot be empty". So every sentence contains exactly one of these, or none if the program should
say "unknown situation" and show nothing wrong. No refusal contains the first. User input is never echoed.
"""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.translation import override

from contest.models import Best, Board, Metric, Round, Submission, Verdict
from contest.rankings import standings
from contest.rules.phases import Phase
from contest.submissions import Receipt, Refused
from contest.wording.verdicts import describe_counts

ENDED = "The competition has ended."
NOT_BEGUN = "The competition did not begin yet."
NO_NAME = "Name cannot be empty."
BAD_NAME = "Name cannot be empty or hold control characters."
NAME_TAKEN = "This name has an owner. Give the e-mail address used with it, or another name."
ORGANISER = "Not correct. Organisers of the round do not take part."
TROUBLE = "Temporary trouble. Nothing was stored."
# A program sends a character missing from its character set as a question mark, so two names may become one.
MARKED_NAME = " Your name came with a question mark in it: it may hold a character that your program cannot send."
_SENTENCES = {
    "no_name": NO_NAME,
    "name_taken": NAME_TAKEN,
    "not_allowed": ORGANISER,
    "late": ENDED,
    "early": NOT_BEGUN,
}


def too_long(limit: int) -> str:
    return f"Not correct. More than {limit} moves."


def wait_and_send_again(seconds: int | None) -> str:
    return f"Please wait {seconds or 60} seconds and send again."


def out_of_time(round_: Round | None, at: datetime) -> str:
    """Return the sentence for when no round is open; *round_* is the current one."""
    return NOT_BEGUN if round_ and round_.phase(at) is Phase.SCHEDULED else ENDED


def sentence_for_refusal(refusal: Refused, round_: Round, at: datetime) -> str:
    if refusal.code == "too_large":
        return too_long(round_.max_moves)
    if refusal.code == "quota":
        return wait_and_send_again(refusal.retry_after)
    if refusal.code == "no_round":
        return out_of_time(round_, at)
    if refusal.code == "bad_name":
        return BAD_NAME if refusal.fault == "character" else f"This name cannot be used. {refusal.reason}"
    return _SENTENCES.get(refusal.code, "Please check what you sent.")


def sentence_for_receipt(receipt: Receipt, submission: Submission, name: str) -> str:
    """Return the response to a stored submission, judged or not, that was sent under *name*."""
    warning = MARKED_NAME if "?" in name else ""
    if submission.is_pending or submission.is_held:
        return f"Received as {submission.number}, still being checked. See the submission table.{warning}"
    text = _sentence_for_verdict(submission)
    if not receipt.is_new:
        text += f" Already received {format_beijing(submission.received_at)}."
    return text + warning


def _sentence_for_verdict(submission: Submission) -> str:
    slot = submission.level.slot if submission.level else ""
    if submission.verdict == Verdict.ACCEPTED:
        return f"Correct (for {slot}): {_format_counts(submission)}.{_format_cut(submission)}{_format_best(submission)}"
    if submission.verdict == Verdict.SPECTATOR:
        return f"Correct (for {slot}, all boxes but one): {_format_counts(submission)}."
    if submission.turned and not submission.turned["spectator"]:
        solved = submission.turned["slot"]
        return f"Not correct. This solves {solved} turned or reflected; please send it for the board as published."
    if submission.verdict == Verdict.ILLEGAL:
        return f"Not correct. On {slot} step {submission.step} is impossible.{_format_left_out(submission)}"
    if submission.verdict == Verdict.NOT_SOLVED:
        number = submission.round.number
        return f"Not correct. No level of round {number} is solved.{_format_left_out(submission)}"
    if submission.verdict == Verdict.TOO_LONG:
        return too_long(submission.round.max_moves)
    return "Not correct. No moves found."


def _format_counts(submission: Submission) -> str:
    with override("en"):
        return describe_counts(submission.moves, submission.pushes)


def _format_left_out(submission: Submission) -> str:
    """Name the levels not tried in full, and the lines not read in full; the text of these is user input."""
    lines = dict.fromkeys(str(part["line"]) for part in submission.left_out)
    slots = submission.why_values.get("untried")
    untried = f" Not all of the text was tried on {', '.join(slots)}: too many moves." if slots else ""
    return f"{untried} Parts of the text were not read as moves, in line {', '.join(lines)}." if lines else untried


def _format_cut(submission: Submission) -> str:
    moves = "1 move after the end was" if submission.cut == 1 else f"{submission.cut} moves after the end were"
    return f" {moves} cut." if submission.cut else ""


def _format_best(submission: Submission) -> str:
    """Return the player's best results if this submission is the best neither by moves nor by pushes; else nothing."""
    if any(standings.ranks(submission).values()):
        return ""
    bests = Best.objects.filter(level=submission.level, player=submission.player, board=Board.CONTEST)
    counts = {best.metric: f"{best.moves}/{best.pushes}" for best in bests}
    if len(counts) < len(Metric):
        return ""  # hors concours or disqualified: no best is stored
    return f" Your best stays {counts[Metric.MOVES]} by moves, {counts[Metric.PUSHES]} by pushes."


_BEIJING = ZoneInfo("Asia/Shanghai")


def format_beijing(at: datetime) -> str:
    """Format a time as the older programs do: Beijing time to the second (rule 3.5)."""
    return at.astimezone(_BEIJING).strftime("%Y-%m-%d %H:%M:%S")
