"""What one text costs the judge at most, however it is written."""

import time

import pytest

from contest.judging import outcomes
from contest.models import Level, Reader, Slot, Submission
from contest.submissions import MAX_TEXT_BYTES
from solvers import sokoban

# A third of a second where a million turns of a plain loop take 45 ms; on a busy machine both take longer.
TURNS = 7_400_000
HALL = "|".join(["#" * 50, *["#" + "-" * 48 + "#"] * 30, "#" + "-" * 20 + "@$.-$.-" + "-" * 21 + "#", "#" * 50])
TEXTS = {
    "letters": "lr" * 499_999,
    "too many letters": "lr" * (MAX_TEXT_BYTES // 2),
    "a bomb": "499999(lr)",
    "counts": "1l1r" * 9_500 + "lr" * 450_000,
    "too many counts": "1l1r" * (MAX_TEXT_BYTES // 4),
    "nothing, counted": "0l" * (MAX_TEXT_BYTES // 2),
    "brackets": "(l)(r)" * 9_500 + "lr" * 450_000,
    "too many brackets": "(l)(r)" * (MAX_TEXT_BYTES // 6),
    "deep brackets": ("(" * 64 + "l" + ")" * 64) * 16_000,
    "blanks": "l   r" * 400_000,
    "a wall behind blanks": "l   r" * 200_000 + "u" * 60,
    "lines": "l\nr\n" * 19_500,
    "other text": "hello\nlr\n" * 19_500,
    "heads": "Solution 1/1: l\n" * 39_000,
    "heads with counts": "Moves: 1 Pushes: 1 l\n" * 13_000,
    "counts beside moves": "1/1 l r 2 " * 20_000 + "l " * 400_000,
    "words beside moves": "1 " + "l r x " * 160_000,
    "wrapped lines": "lr-\n" * 39_000,
    "quotes": "> l\n> r\n" * 19_500,
    "walls": "H\n" * 39_000,
    "arrows": "←→" * 300_000,
    "blocks of bombs": "50000(lr)\nfoo\n" * 8_000,
    "paragraphs": "400000(lr)\n\n" * 150,
}


class Halls:
    """A round whose four levels let anybody walk for as long as they like."""

    max_moves = 1_000_000
    takes_spectators = True


def halls() -> list[Level]:
    texts = (HALL.replace("--@", f"{'-' * (2 - at)}@{'-' * at}", 1) for at in range(3))
    boards = [sokoban.Level.parse(HALL), *map(sokoban.Level.parse, texts)]
    return [
        Level(slot=slot, text=board.published_text, sha256=board.sha256, boxes=len(board.boxes))
        for slot, board in zip(Slot, boards, strict=False)
    ]


def seconds_of(turns: int) -> float:
    """CPU seconds of so many turns of a plain loop, reckoned from a tenth of them."""
    started, number = time.thread_time(), 0
    for turn in range(turns // 10):
        number ^= turn * 7
    return (time.thread_time() - started) * 10


@pytest.mark.parametrize("reader", [Reader.RUN_LENGTH, Reader.LENIENT, Reader.LEGACY])
@pytest.mark.parametrize("name", TEXTS)
def test_a_text_of_any_kind_is_judged_with_all_second_looks_in_a_third_of_a_second(name, reader):
    """Rules 5.8, 6.8 to 6.10."""
    sent = Submission(text=TEXTS[name].encode(), reader=reader)
    sent._state.fields_cache["round"] = Halls()
    levels = halls()

    def cost(attempt: int) -> float:
        sent.text = bytes(sent.text) + b" " * attempt  # what was read before is not read again
        started = time.thread_time()
        outcomes.outcome_of(sent, levels)
        return time.thread_time() - started

    assert any(cost(attempt) < seconds_of(TURNS) for attempt in range(4))
