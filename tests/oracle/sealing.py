"""Sealed answers in random rounds: hashed by the rulebook's code, sent, and opened or not (rules 5.11 to 5.13)."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from contest import players
from contest.models import Door, Round, SealedAnswer
from contest.submissions import Refused
from contest.submissions.sealed_answers import SealedEntry, open_answer, seal
from tests.oracle import rulebook, texts

Opening = tuple[datetime, Callable[[], None]]


@dataclass
class Sealed:
    """A player's sealed answer according to the rules; *submission* is set once it is opened."""

    round: int
    slot: str
    name: str
    moves: str
    counts: tuple[int, int]
    at: datetime
    text: str
    submission: int | None = None


def seal_answer(contest: Any, round_: Round) -> list[Opening]:
    """Seal one hash for *round_*, mostly of a solution; return when a player will try to open it, if at all."""
    random, oracle = contest.random, contest.oracle
    known = [name for name in texts.NAMES if name not in oracle.leads_to and players.entering.find_player(name)]
    if not known:
        return []
    name, slot = random.choice(known), random.choice(list(contest.boards[round_.number]))
    player = players.entering.find_player(name)
    moves = texts.solution(contest.boards[round_.number][slot], random)
    judged = rulebook.play(rulebook.board(contest.boards[round_.number][slot]), moves)
    counts = [len(judged.steps), sum(step.isupper() for step in judged.steps)]
    counts[random.randrange(2)] += random.choice((0, 0, 0, 0, 1))
    salt = f"{random.getrandbits(128):032x}"
    text = rulebook.sealed_text(round_.number, slot, player.archive_number, salt, moves)
    expected = oracle.seal_refusal(round_.number, slot, contest.at) or ("bad_counts" if counts[1] > counts[0] else None)
    entry = SealedEntry(round_.number, slot, counts[0], counts[1], rulebook.sha256(text))
    sealed, refusal = result_or_refusal(lambda: seal(entry, player, door=Door.API))
    assert refusal == expected
    if sealed is None:
        return []
    answer = sealed.answer
    oracle.sealed[answer.number] = Sealed(round_.number, slot, name, moves, (counts[0], counts[1]), contest.at, text)
    tries = random.choice((0, 1, 1, 1, 2))
    ends = round_.closes_at + timedelta(days=1)
    times = [ends - random.random() * timedelta(hours=25) for _try in range(tries)]
    times += random.choices((round_.closes_at, ends, ends - timedelta(microseconds=1)), k=random.choice((0, 0, 1)))
    return [(at, lambda: open_sealed(contest, answer.number)) for at in times]


def open_sealed(contest: Any, number: int) -> None:
    """Open it, or be refused with a reason; sometimes with one letter changed."""
    oracle, sealed = contest.oracle, contest.oracle.sealed[number]
    text = sealed.text
    if contest.random.random() < 0.1:
        text = text[:-1] + contest.random.choice("lurd".replace(text[-1].lower(), ""))
    expected = oracle.opening_refusal(sealed, text, contest.at)
    receipt, refusal = result_or_refusal(lambda: open_answer(sealed.round, text, door=Door.API))
    assert refusal == expected
    if receipt is None:
        return
    assert receipt.is_new == (sealed.submission is None)
    if receipt.is_new:
        oracle.open(sealed, receipt.submission.pk)
    assert receipt.submission.pk == sealed.submission


def result_or_refusal(act: Callable[[], Any]) -> tuple[Any, str | None]:
    try:
        return act(), None
    except Refused as refused:
        return None, refused.code


def compare(oracle: Any, number: int, same: Callable[..., None]) -> None:
    shown = {
        answer.number: (answer.level.slot, answer.moves, answer.pushes, answer.received_at, answer.submission_id)
        for answer in SealedAnswer.objects.filter(level__round__number=number).select_related("level")
    }
    expected = {
        key: (answer.slot, *answer.counts, answer.at, answer.submission)
        for key, answer in oracle.sealed.items()
        if answer.round == number
    }
    same("sealed answers", shown, expected, number)
