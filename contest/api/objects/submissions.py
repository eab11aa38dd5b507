"""What is sent, and what becomes of it: entries, receipts, submissions, trials, a player's best results."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from contest.api.objects.kinds import (
    ADDRESS,
    BOOLEAN,
    COUNT,
    HASH,
    HELD,
    INTEGER,
    MAYBE_TEXT,
    METRIC,
    PENDING,
    SLOT,
    STATE,
    TEXT,
    TIME,
    VERDICT,
    Kind,
    Member,
    Shape,
    inside,
    many,
    maybe,
    one_of,
)
from contest.api.objects.problems import PROBLEM
from contest.models import Best, Level, State, Submission
from contest.rankings import standings
from contest.submissions import Receipt
from contest.wording import bilingual, verdicts
from solvers.sokoban import Level as Board

LARGEST_BATCH = 100
NO_RANKS: Mapping[str, int | None] = {"moves": None, "pushes": None}


@dataclass(frozen=True)
class SubmissionRow:
    """A line of what a player has sent; *text* as it was sent, where that is asked for."""

    row: Submission
    url: str
    text: str | None = None


@dataclass(frozen=True)
class ReceiptRow:
    """What stands in a receipt."""

    receipt: Receipt
    url: str

    @property
    def row(self) -> Submission:
        return self.receipt.submission


@dataclass(frozen=True)
class FromMoves:
    """A level rebuilt from moves, and the address of its page."""

    level: Board
    url: str | None


@dataclass(frozen=True)
class TrialRow:
    """A trial, and the ranks it would take."""

    row: Submission
    ranks: Mapping[str, int | None]


def _state(row: Submission) -> str:
    return HELD if row.state == State.QUARANTINED else row.state


def _ranks(row: Submission) -> Mapping[str, int | None]:
    return standings.ranks(row) if row.is_accepted else NO_RANKS


def slot_of(row: Submission) -> str | None:
    """Where *row* stands; None of a board of one's own, too, which has no slot."""
    return row.level.slot or None if row.level else None


ENTRY = Shape[Any]("Entry", "A submission on its way in. Other members are ignored.", [
    Member("nickname", MAYBE_TEXT, words="1 to 32 characters; not needed with a token.", is_optional=True),
    Member("moves", TEXT, words="LURD in any letter case; white space and run-length such as 3r2(lU) allowed."),
    Member("country", MAYBE_TEXT, words="Up to 8 letters or digits, such as CN.", is_optional=True),
    Member("email", MAYBE_TEXT, words="Shown to nobody.", is_optional=True),
    Member("slot", MAYBE_TEXT, words="main, extra, extra2 or extra3; without it the level is found.", is_optional=True),
    Member("claim", MAYBE_TEXT, words="Proves a nickname that was used before.", is_optional=True),
    Member("idempotency_key", MAYBE_TEXT, words="For an item of a batch; else the header.", is_optional=True),
    Member("round", maybe(INTEGER), words="Without it: the open round that it solves a level of.",
           is_optional=True),
    Member("track", MAYBE_TEXT, words="Only its open round.", is_optional=True),
    Member("practice", maybe(BOOLEAN), words="For a round that has closed; enters no results.", is_optional=True),
])  # fmt: skip
BATCH = Shape[Any]("Batch", f"Up to {LARGEST_BATCH} submissions, each for itself.", [
    Member("submissions", many(ENTRY, minItems=1, maxItems=LARGEST_BATCH)),
])  # fmt: skip
TRIAL = Shape[Any]("Trial", "Moves to judge: on a board of one's own, or on the levels of a round.", [
    Member("moves", TEXT),
    Member("board", MAYBE_TEXT, words="XSB rows, separated by line ends or |.", is_optional=True),
    Member("slot", maybe(SLOT), is_optional=True),
    Member("round", maybe(INTEGER), is_optional=True),
    Member("track", MAYBE_TEXT, words="Only its open round.", is_optional=True),
])  # fmt: skip
SOLUTION_TEXT = Shape[Any]("SolutionText", "Moves out of which a level is rebuilt.", [
    Member("moves", TEXT, words="LURD; capitals are pushes. Run-length is read."),
])  # fmt: skip
REBUILT = Shape[FromMoves]("RebuiltLevel", "The smallest level on which moves are a solution.", [
    Member("board", TEXT, lambda one: str(one.level), "XSB rows joined by newlines; floor is -."),
    Member("width", INTEGER, lambda one: one.level.width),
    Member("height", INTEGER, lambda one: one.level.height),
    Member("boxes", INTEGER, lambda one: len(one.level.boxes)),
    Member("url", maybe(ADDRESS), words="The page on which it is played; null where the moves are too long for one."),
])  # fmt: skip
RECEIPT = Shape[ReceiptRow]("Receipt", "The submission is stored and will be judged exactly once.", [
    Member("id", TEXT, lambda one: one.row.receipt_id, "Secret; keep it."),
    Member("number", INTEGER, lambda one: one.row.number),
    Member("received_at", TIME, lambda one: one.row.received_at),
    Member("sha256", HASH, lambda one: one.row.sha256),
    Member("url", ADDRESS),
    Member("claim", TEXT, lambda one: one.receipt.claim or None,
           "Once, with a new nickname; it proves the nickname from now on.", is_optional=True),
])  # fmt: skip
BATCH_ANSWER = Shape[Any](
    "BatchAnswer",
    "For each submission, in order: a receipt, or the problem it would have been answered with alone.",
    [Member("results", many(Kind({"anyOf": [RECEIPT.schema, PROBLEM.schema]})), lambda answers: answers)],
)
TURNED = Shape[Mapping[str, Any]]("Turned", "What to send instead, so that it counts (rules 6.9, 6.10, 13.4).", [
    Member("symmetry", TEXT, lambda turned: turned["symmetry"],
           "How the board lay for which these moves are a solution; identity: as it lies."),
    Member("slot", maybe(SLOT), lambda turned: turned["slot"] or None, "Null on a board of one's own."),
    Member("lurd", TEXT, lambda turned: turned["lurd"]),
    Member("moves", COUNT, lambda turned: turned["moves"]),
    Member("pushes", COUNT, lambda turned: turned["pushes"]),
    Member("spectator", BOOLEAN, lambda turned: turned["spectator"],
           "Whether it is the possible part of a text, as a spectator answer."),
])  # fmt: skip
RANKS = Shape[Mapping[str, int | None]](
    "Ranks", "Ranks by both counts; null where this submission holds none.", [
    Member("moves", maybe(INTEGER), lambda ranks: ranks["moves"]),
    Member("pushes", maybe(INTEGER), lambda ranks: ranks["pushes"]),
])  # fmt: skip
# Rules 2.10, 15.1: the reason in the reader's language where there are words in it.
VOID = Shape[Submission | Level]("Void", "No longer counted, and why.", [
    Member("reason", TEXT, lambda row: bilingual.in_language(row.void_reason_zh, row.void_reason_en).text),
    Member("at", TIME, lambda row: row.voided_at),
])  # fmt: skip
IS_VOID = Member[Any]("void", maybe(VOID), lambda row: row if row.voided_at else None)
_VERDICT: list[Member[Submission]] = [
    Member("verdict", VERDICT, lambda row: row.verdict or PENDING),
    Member("slot", maybe(SLOT), slot_of,
           "The level it solves; if none, the one on which it got furthest. Null on a board of one's own."),
    Member("moves", maybe(COUNT), words="Taken at the first solved state."),
    Member("pushes", maybe(COUNT)),
    Member("cut", COUNT, words="Moves behind the solved state, which do not count."),
    Member("case_corrected", BOOLEAN, words="Whether capitals did not stand exactly at the pushes."),
    Member("index", maybe(COUNT), words="Where it failed: character of the text, from 0."),
    Member("step", maybe(COUNT), words="Where it failed: move, from 1."),
    Member("why", maybe(TEXT), lambda row: row.why or None, "Why it failed, as a code."),
    Member("detail", TEXT, verdicts.verdict_words, "The verdict in words, in the language of Accept-Language."),
    Member("boxes_home", maybe(COUNT)),
    Member("boxes", maybe(COUNT), lambda row: row.level.boxes if row.level else None),
    Member("turned", maybe(TURNED)),
]  # fmt: skip
SUBMISSION = Shape[Submission]("Submission", "A submission as its holder sees it.", [  # rules 6.11, 7.5
    Member("id", TEXT, lambda row: row.receipt_id),
    Member("number", INTEGER),
    Member("round", INTEGER, lambda row: row.round.number),
    Member("practice", BOOLEAN, lambda row: row.is_practice),
    Member("state", STATE, _state),
    IS_VOID,
    *_VERDICT,
    Member("ranks", RANKS, _ranks),
    Member("received_at", TIME),
    Member("judged_at", maybe(TIME)),
    Member("chain_link", maybe(HASH), lambda row: row.chain_link.link if hasattr(row, "chain_link") else None),
    Member("nonce", maybe(TEXT), lambda row: (row.chain_link.nonce or None) if hasattr(row, "chain_link") else None,
           "Opens the leaf of the chain; a secret until your moves are public."),
])  # fmt: skip
SENT = Shape[SubmissionRow]("Sent", "A line of what a player has sent.", [
    Member("text", TEXT, words="As it was sent, where that is asked for.", is_optional=True),
    *inside("row", [
        Member[Submission]("id", TEXT, lambda row: row.receipt_id),
        Member[Submission]("number", INTEGER),
        Member[Submission]("round", INTEGER, lambda row: row.round.number),
        Member[Submission]("slot", maybe(SLOT), slot_of),
        Member[Submission]("practice", BOOLEAN, lambda row: row.is_practice),
        Member[Submission]("state", STATE, _state),
        Member[Submission]("verdict", VERDICT, lambda row: row.verdict or PENDING),
        Member[Submission]("moves", maybe(COUNT)),
        Member[Submission]("pushes", maybe(COUNT)),
        Member[Submission]("received_at", TIME),
        IS_VOID,
    ]),
    Member("url", ADDRESS),
])  # fmt: skip
BEST = Shape[Best]("", "The best on one board of a level by one count.", [
    Member("round", INTEGER, lambda best: best.level.round.number),
    Member("slot", SLOT, lambda best: best.level.slot),
    Member("board", one_of("contest", "spectator", "practice")),
    Member("by", METRIC, lambda best: best.metric),
    Member("moves", COUNT),
    Member("pushes", COUNT),
    Member("number", INTEGER, lambda best: best.submission_id, "Of the submission."),
    Member("received_at", TIME),
])  # fmt: skip
BEST_LIST = Shape[Any]("BestList", "A player's best results.", [Member("results", many(BEST), lambda bests: bests)])
TRIED = Shape[TrialRow]("Tried", "What the verdict would be; nothing was stored.", [
    Member("round", maybe(INTEGER), lambda tried: tried.row.level.round.number if tried.row.level else None,
           "Null on a board of one's own."),
    *inside("row", _VERDICT),
    Member("ranks", RANKS, words="Those it would take now."),
])  # fmt: skip
SENT_AND_ANSWERED = (
    ENTRY, BATCH, TRIAL, RECEIPT, BATCH_ANSWER, TURNED, RANKS, VOID, SUBMISSION, SENT, BEST_LIST, TRIED,
    SOLUTION_TEXT, REBUILT,
)  # fmt: skip
