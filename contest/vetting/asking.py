"""Solver questions of visitors: about a level of their own, or for a hint in practice (docs/explanation/vetting.md).

Every question starts a new search. No stored result of vetting, a study or another question answers it, so neither the
answer nor its delay reveals whether a board is waiting for a round (rule 7.4).
"""

import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, Sum
from django.utils.translation import gettext as _

from contest import visibility
from contest.infra import rate_limits
from contest.models import URGENCY, Level, Search, SearchKind
from contest.models.work.search import SearchQuerySet
from contest.rules.ground import ground_of
from contest.vetting import orders, withholding
from contest.visibility import Viewer
from contest.wording.verdicts import describe_error, describe_problem
from solvers import sokoban
from solvers.errors import PuzzleError
from solvers.sokoban import Moves, replay
from solvers.sokoban.formats.single import read_one
from solvers.sokoban.level import BOX, PLAYER
from solvers.sokoban.playback import Playback
from solvers.sokoban.reading.readers import find_solution

MOST_WAITING = 60
MOST_PER_PLAYER = 2
MOST_PER_NETWORK = 10
LONGEST_TEXT = 50_000
LONGEST_SOLUTION = 200_000
ACTS = ("solve", "prove", "optimize", "coach")
AIMS = ("any", "pushes", "moves")
_DAY = timedelta(days=1)


class Refused(ValidationError):
    """A refused question: the message, its form field, an error code, and the HTTP status."""

    def __init__(self, message: str, *, field: str = "", code: str = "refused", status: int = 422) -> None:
        super().__init__({field: [message]} if field else message)
        self.message, self.field, self.reason, self.status = message, field, code, status


@dataclass(frozen=True)
class Asker:
    """Client with a question, identified by a proved player and by network; neither is disclosed."""

    viewer: Viewer
    address: str

    @property
    def owner(self) -> str:
        return f"player:{min(self.viewer.players)}" if self.viewer.players else ""

    @property
    def network(self) -> str:
        return rate_limits.wide_network_of(self.address)


@dataclass(frozen=True)
class Question:
    """Question about a level that the client sends."""

    text: str
    act: str = "solve"
    aim: str = "any"
    lurd: str = field(default="", repr=False)
    seconds: int = 10


def count_question(asker: Asker) -> None:
    """Count a question of *asker*'s network; views call it before they parse the question. Raise Refused."""
    try:
        rate_limits.pass_door(rate_limits.QUESTION, asker.address)
    except rate_limits.Busy as busy:
        message = _("Your network may ask %(most)s questions per minute. Ask again in %(wait)s seconds.")
        wait = busy.wait or rate_limits.SPAN_SECONDS
        raise Refused(message % {"most": busy.most, "wait": wait}, code="quota", status=429) from None


def ask(question: Question, asker: Asker, *, at: datetime) -> Search:
    """Queue a question. Raise Refused: invalid board, level in play, unknown act, quota exceeded."""
    if question.act not in ACTS or question.aim not in AIMS:
        raise Refused(_("There is no such question."), field="act", code="unknown_choice")
    board = _parse_board(question.text)
    lurd = _replay_solution(board, question.lurd) if question.act in ("optimize", "coach") else ""
    seconds = max(1, min(question.seconds, settings.ASKED_SECONDS))
    _refuse_in_play(board, at)
    search = Search(kind=SearchKind.ASKED, text=board.published_text, sha256=board.sha256, ground=ground_of(board))
    search.task, search.aim, search.given, search.seconds = question.act, question.aim, lurd, seconds
    return _store_question(search, asker, at)


def ask_for_hint(level: Level, moves: str, asker: Asker, *, at: datetime) -> Search:
    """Ask for the next push after *moves* on a revealed level, or why it is lost (rules 4.9, 20.1).

    Raise Refused if the level, turned or mirrored, is in play, or is not revealed yet.
    """
    if not visibility.playable_levels(asker.viewer, at).filter(pk=level.pk).exists():
        raise Refused(_("Hints are available only in practice."), code="not_practice", status=403)
    _refuse_in_play(level.board, at)
    board, played = _play(level.board, moves)
    search = Search(kind=SearchKind.HINT, text=board.published_text, sha256=board.sha256, ground=ground_of(board))
    search.level, search.task, search.aim, search.given = level, "solve", "any", played
    search.seconds = settings.HINT_SECONDS
    return _store_question(search, asker, at)


def find_question(public_id: str, at: datetime) -> Search | None:
    """Return the question with that id; None while its board is a level in play, a position or near copy of one.

    An answer that helps with a level in play is left out, even if it was found before that round.
    """
    searches = Search.objects.filter(public_id=public_id, kind__in=withholding.QUESTIONS)
    search = searches.select_related("level__round").first()
    if search is None or visibility.is_in_play(search.board, at, ground=search.ground):
        return None
    withholding.hide(search, at)
    return search


def cancel(search: Search) -> None:
    """Stop a question; partial results are lost."""
    orders.cancel_searches(Search.objects.filter(pk=search.pk))


def _parse_board(text: str) -> sokoban.Level:
    if len(text) > LONGEST_TEXT:
        message = _("A level has up to %(most)s characters here.") % {"most": f"{LONGEST_TEXT:,}"}
        raise Refused(message, field="level", code="too_large", status=413)
    try:
        board = read_one(text).level
    except PuzzleError as error:
        raise Refused(describe_error(error), field="level", code=str(error.code)) from None
    if board.unjudgeable:
        raise Refused(describe_problem(board.unjudgeable), field="level", code=str(board.unjudgeable.code))
    return board


def _replay_solution(board: sokoban.Level, text: str) -> str:
    """Return the solution to improve, as replayed."""
    if solution := find_solution(board, text, limit=LONGEST_SOLUTION):
        return solution
    try:
        Moves.parse(text, limit=LONGEST_SOLUTION)
    except PuzzleError as error:
        raise Refused(describe_error(error), field="lurd", code=str(error.code)) from None
    raise Refused(_("These moves do not solve the level."), field="lurd", code="not_solved")


def _play(board: sokoban.Level, text: str) -> tuple[sokoban.Level, str]:
    """Return *board* after the moves *text* as a level, and the moves as replayed."""
    try:
        moves = Moves.parse(text, limit=LONGEST_SOLUTION)
    except PuzzleError as error:
        raise Refused(describe_error(error), field="moves", code=str(error.code)) from None
    played = replay(board, moves)
    if played.step or played.is_solved:
        raise Refused(_("These moves lead to no position of this level."), field="moves", code="bad_moves")
    if not moves.steps:
        return board, ""
    last = Playback(board, played.lurd)[played.moves]
    cells = bytearray(cell & ~(BOX | PLAYER) for cell in board.cells)
    for cell in last.boxes:
        cells[cell] |= BOX
    cells[last.player] |= PLAYER
    return sokoban.Level(board.width, board.height, bytes(cells)), played.lurd


def _refuse_in_play(board: sokoban.Level, at: datetime) -> None:
    if visibility.is_in_play(board, at):
        text = _(
            "This level, or one much like it, belongs to a round that is not over, perhaps rotated or mirrored. "
            "Players are solving it now (rule 4.9)."
        )
        raise Refused(text, field="level", code="in_play", status=403)


@transaction.atomic
def _store_question(search: Search, asker: Asker, at: datetime) -> Search:
    admit(search, asker, at)
    search.public_id = secrets.token_urlsafe(16)
    search.save()
    return search


def admit(search: Search, asker: Asker, at: datetime) -> None:
    """Let *asker* queue *search*, which is not saved, within the quotas of player, network and site. Raise Refused."""
    if not settings.ASKED_SECONDS:
        raise Refused(_("The solver takes no questions on this site."), code="closed", status=403)
    search.compare_seconds = withholding.compare_seconds(search.board, at)
    try:
        rate_limits.pass_stored(asker.address, len(search.text) + len(search.given))
    except rate_limits.Busy:
        message = _("Your network has sent as much as this site accepts in a day. Ask again later.")
        raise Refused(message, code="quota", status=429) from None
    recent = Search.objects.filter(kind__in=(*withholding.PUBLIC_KINDS, SearchKind.MACHINE))
    # Stored answers of the coach that are only compared again fill no places.
    unanswered, limits = recent.waiting().filter(answer=""), {"most": MOST_WAITING, "most_of_network": MOST_PER_NETWORK}
    if not rate_limits.has_room(unanswered, asker.network, **limits):
        raise Refused(_("Too many questions wait already. Ask again in a minute."), code="quota", status=429)
    if asker.owner:
        _check_quota(recent.filter(owner=asker.owner), search, MOST_PER_PLAYER, settings.ASKED_SECONDS_PER_DAY, at)
    if asker.network:
        most, seconds = MOST_PER_NETWORK, settings.NETWORK_SECONDS_PER_DAY
        _check_quota(recent.filter(network=asker.network), search, most, seconds, at)
    search.urgency, search.megabytes, search.asked_at = URGENCY[SearchKind(search.kind)], settings.SOLVER_MEGABYTES, at
    search.owner, search.network = asker.owner, asker.network


def _check_quota(recent: SearchQuerySet, search: Search, most: int, seconds: int, at: datetime) -> None:
    if recent.waiting().count() >= most:
        raise Refused(_("Wait for the answers to your other questions first."), code="quota", status=429)
    spent = recent.filter(asked_at__gt=at - _DAY).aggregate(all=Sum(F("seconds") + F("compare_seconds")))["all"] or 0
    if spent + search.seconds + search.compare_seconds > seconds:
        message = _("The limit is %(seconds)s CPU seconds per day. Ask again tomorrow.") % {"seconds": f"{seconds:,}"}
        raise Refused(message, code="quota", status=429)
