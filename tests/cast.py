"""Players of the tests, and the round they take part in."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import signing
from django.core.exceptions import ValidationError
from django.test import Client

from contest import judging, players
from contest.infra import clock
from contest.library import publishing
from contest.models import (
    Collection,
    Door,
    Level,
    LongAct,
    Player,
    Reader,
    Round,
    Scope,
    Search,
    SearchState,
    Series,
    Slot,
    State,
    Submission,
    Verdict,
)
from contest.organising import long_acts
from contest.players import api_tokens, claims, merging
from contest.rankings import personal_bests
from contest.rounds import lucky_number
from contest.submissions import Entry, Receipt, Refused, accept
from contest.vetting import asking, machine
from solvers import sokoban

OPENS = datetime(2026, 11, 1, 12, tzinfo=UTC)
CLOSES = OPENS + timedelta(days=21)
DURING = OPENS + timedelta(days=3)
AFTER = CLOSES + timedelta(hours=1)

CORRIDOR = "######|#@-$.#|######"  # solved by rR, 2 moves, 1 push
CORNER = "######|#@---#|#-$--#|#--.-#|######"  # solution in SOLUTIONS
SOLUTIONS = {Slot.MAIN: "rR", Slot.EXTRA: "rDldR"}


def a_level(round_: Round, slot: str = Slot.MAIN, text: str = CORRIDOR, solution: str = "rR") -> Level:
    board = sokoban.Level.parse(text)
    return Level.objects.create(
        round=round_,
        slot=slot,
        title=f"{slot} of {round_.number}",
        author="Author",
        text=board.published_text,
        solution=solution,
        sha256=board.sha256,
        key=board.key,
        width=board.width,
        height=board.height,
        boxes=len(board.boxes),
    )


def a_round(number: int = 1, *, opens_at: datetime = OPENS, closes_at: datetime = CLOSES, **fields) -> Round:
    """Create an announced round with a main and an extra level."""
    fields.setdefault("announced_at", opens_at - timedelta(days=7))
    round_ = Round(number=number, title_zh="回合", title_en="Round", opens_at=opens_at, closes_at=closes_at, **fields)
    lucky_number.save_committed(round_)
    a_level(round_)
    a_level(round_, Slot.EXTRA, CORNER, SOLUTIONS[Slot.EXTRA])
    return round_


def with_settings(round_: Round, **settings) -> Round:
    """Change settings of a round, as its organiser may do before it is announced."""
    round_.settings |= settings
    round_.save()
    return round_


def earlier(weeks: int) -> dict[str, datetime]:
    """Return the times of a round *weeks* before the usual one: two rounds may not be open at once."""
    return {"opens_at": OPENS - timedelta(weeks=weeks), "closes_at": CLOSES - timedelta(weeks=weeks)}


def send(nickname: str, moves: str, *, door: Door = Door.API, **fields) -> Receipt:
    return accept(Entry(nickname=nickname, moves=moves, **fields), door=door)


def claim_of(nickname: str) -> str:
    return claims.renew(Player.objects.get(nickname=nickname), None).secret


def browser_of(*nicknames: str) -> Client:
    """Return a browser that has proved *nicknames*, or a stranger's."""
    client = Client()
    proofs = {str(Player.objects.get(nickname=name).pk): claim_of(name) for name in nicknames}
    if proofs:
        client.cookies["claims"] = signing.dumps(proofs, salt="claims", compress=True)
    return client


def judged(receipt: Receipt) -> Submission:
    return Submission.objects.select_related("level", "player", "round").get(pk=receipt.submission.pk)


def submit(nickname: str, moves: str, **fields) -> Submission:
    """Send the moves and judge all that waits."""
    receipt = send(nickname, moves, **fields)
    judging.judge_until_empty()
    return judged(receipt)


def refusal_of(act: Callable, *given, **named) -> str:
    """Return the messages of the ValidationError that an organiser's *act* raises."""
    with pytest.raises(ValidationError) as refusal:
        act(*given, **named)
    return " ".join(refusal.value.messages)


def refused(act: Callable, /, *given, **named) -> Any:
    """Return the exception by which *act* refuses a submission, or a question to the solver."""
    with pytest.raises((Refused, asking.Refused)) as refusal:
        act(*given, **named)
    return refusal.value


def enter(round_: Round, nickname: str, moves: int, pushes: int, *, slot: str = Slot.MAIN, at: datetime) -> Submission:
    """Create an accepted submission as a row, for tests that need its counts but not its moves."""
    known = Player.objects.filter(nickname=nickname).first()
    player = known or players.create(nickname, country="", email="", at=at)[0]
    number = Submission.objects.count()
    submission = Submission.objects.create(
        receipt_id=f"receipt{number}",
        round=round_,
        player=player,
        sent_as=player,
        text=b"",
        sha256=f"{number:064}",
        door=Door.API,
        reader=Reader.RUN_LENGTH,
        received_at=at,
        turn_at=at,
        state=State.JUDGED,
        verdict=Verdict.ACCEPTED,
        judged_at=at,
        level=round_.levels.get(slot=slot),
        lurd="r" * (moves - pushes) + "R" * pushes,
        moves=moves,
        pushes=pushes,
    )
    personal_bests.recount([submission.level], [player])
    return submission


def enter_moves(round_: Round, nickname: str, lurd: str, *, slot: str = Slot.MAIN, at: datetime = DURING) -> Submission:
    """Create an accepted submission of these moves, which need not solve the level."""
    entered = enter(round_, nickname, len(lurd), sum(map(str.isupper, lurd)), slot=slot, at=at)
    entered.lurd = lurd
    entered.save()
    return entered


def enter_all(round_: Round, rows: Sequence[tuple[str, int, int]], *, slot: str = Slot.MAIN) -> list[Submission]:
    """Create an accepted submission for each row (nickname, moves, pushes), received one minute apart."""
    return [enter(round_, *row, slot=slot, at=DURING + timedelta(minutes=minute)) for minute, row in enumerate(rows)]


def a_collection(slug: str = "corridors", boards: Sequence[str] = (CORRIDOR, CORNER), **fields) -> Collection:
    """Create a published collection of *boards*, titled by their places, with nothing proved."""
    fields = {"title_en": slug.title(), "author": "Author", "rights": "by letter", **fields}
    parsed = enumerate(map(sokoban.Level.parse, boards), 1)
    levels = [(board, f"{slug} {place}", publishing.LevelFacts()) for place, board in parsed]
    return publishing.publish_levels(Collection(slug=slug, **fields), levels, at=OPENS - timedelta(days=9), by=None)


def attempt(level: Level, *, at: datetime = AFTER, **fields: Any) -> Search:
    """Create a finished attempt of the machine at *level*, which found nothing unless *fields* say so."""
    row = machine._new_attempt(level, 600, at)
    for name, value in {"state": SearchState.DONE, "answer": "unknown", "ended_at": at, **fields}.items():
        setattr(row, name, value)
    row.save()
    return row


def compared(*helped: str) -> list[dict[str, dict[str, bool]]]:
    """Return the attempts of a search that was compared with all levels; it helps with those in the slots *helped*."""
    return [{"helps": {str(level.pk): level.slot in helped for level in Level.objects.all()}}]


def a_series(first_opens_at: datetime, name: str = "Weekly", **fields) -> Series:
    """Create a series of a round a week, of six days each."""
    fields = {"name_zh": "周赛", "name_en": name, "length_days": 6, **fields}
    return Series.objects.create(first_opens_at=first_opens_at, **fields)


def token_of(name: str, scopes: Sequence[str] = (Scope.SUBMIT, Scope.READ)) -> str:
    """Return a token of a new program."""
    program, _claim = api_tokens.make_program(name, None, clock.now())
    return api_tokens.make(program, None, clock.now(), scopes=scopes).text


def carry_out(job: LongAct) -> LongAct:
    return long_acts.work_on(job)


def merge(source: Player, target: Player, by: User | None = None, *, reason: str = "") -> LongAct:
    return carry_out(merging.merge(source, target, by, reason=reason))


def unmerge(source: Player, by: User | None = None, *, reason: str = "") -> LongAct:
    return carry_out(merging.unmerge(source, by, reason=reason))
