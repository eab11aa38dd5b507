"""The highest cost of judging one text, in any notation: the number of replayed steps is limited."""

from typing import Any

import pytest

from contest.judging import outcomes
from contest.models import Level, Reader, Slot, State, Submission
from contest.submissions import MAX_TEXT_BYTES
from contest.wording.verdicts import describe_verdict
from solvers import sokoban
from solvers.sokoban.reading import readers
from tests import sizes

HALL = "|".join(["#" * 50, *["#" + "-" * 48 + "#"] * 30, "#" + "-" * 20 + "@$.-$.-" + "-" * 21 + "#", "#" * 50])
TEXTS = {
    "letters": "lr" * 499_999,
    "too many letters": "lr" * (MAX_TEXT_BYTES // 2),
    "a bomb": "499999(lr)",
    "counts": "1l1r" * 9_500 + "lr" * 450_000,
    "too many brackets": "(l)(r)" * (MAX_TEXT_BYTES // 6),
    "deep brackets": ("(" * 64 + "l" + ")" * 64) * 16_000,
    "a wall behind blanks": "l   r" * 200_000 + "u" * 60,
    "heads with counts": "Moves: 1 Pushes: 1 l\n" * 13_000,
    "wrapped lines": "lr-\n" * 39_000,
    "arrows": "←→" * 300_000,
    "prose": "The quick brown fox jumps, dull as it may be; " * 45_000,
    "tags": "<b>l" * 500_000,
    "blocks of bombs": "50000(lr)\nfoo\n" * 8_000,
    "paragraphs": "400000(lr)\n\n" * 150,
}
IN_SHORT = ("letters", "a bomb", "a wall behind blanks", "wrapped lines", "arrows", "paragraphs")
OTHERS = [(name, reader) for name in TEXTS for reader in Reader if reader != Reader.SEALED]


class Halls:
    max_moves = 1_000_000
    takes_spectators = True


def round_of(*texts: str) -> list[Level]:
    boards = map(sokoban.Level.parse, texts)
    return [
        Level(slot=slot, text=board.published_text, sha256=board.sha256, boxes=len(board.boxes))
        for slot, board in zip(Slot, boards, strict=False)
    ]


def judged(text: str, levels: list[Level], reader: Reader = Reader.PASTED) -> dict[str, Any]:
    sent = Submission(text=text.encode(), reader=reader)
    sent._state.fields_cache["round"] = Halls()
    return outcomes.outcome_of(sent, levels).fields


@pytest.mark.parametrize(("name", "reader"), sizes.cases([(name, Reader.PASTED) for name in IN_SHORT], OTHERS))
def test_for_a_text_of_any_kind_no_more_steps_are_played_than_for_one_of_the_longest(monkeypatch, name, reader):
    """Rules 5.8, 6.8 to 6.10: second readings use the steps that remain."""
    texts, plays_for = [], readers.plays_for
    monkeypatch.setattr(readers, "plays_for", lambda limit: texts.append(plays_for(limit)) or texts[-1])
    halls = round_of(HALL, *(HALL.replace("--@", f"{'-' * (2 - at)}@{'-' * at}", 1) for at in range(3)))
    judged(TEXTS[name], halls, reader)
    assert texts
    assert all(plays.played <= 4 * plays.steps for plays in texts)


# The moves of LONG go on for 450,000 steps in the corridor, and solve the room at the end.
CORRIDOR = "#######|#######|#-@-$.#|#######"
ROOM = "#######|#--####|#-@-$.#|#######"
CLOSED = "#####|#@$.#|#####"
LONG = "lr" * 225_000 + "ud" * 175_000 + "lr" * 6 + "rR"


@pytest.mark.parametrize("boards", [(CORRIDOR, ROOM), (ROOM, CORRIDOR), (CORRIDOR, CORRIDOR, CORRIDOR, ROOM)])
def test_a_long_solution_without_a_slot_counts_whatever_the_order_of_the_levels(boards):
    fields = judged(LONG, round_of(*boards))
    assert (fields["verdict"], fields["moves"]) == ("accepted", 800_014)
    assert fields["level"].text == sokoban.Level.parse(ROOM).published_text


@pytest.mark.parametrize("boards", [(CORRIDOR, ROOM, CLOSED), (ROOM, CORRIDOR, CLOSED)])
def test_the_answer_names_the_levels_on_which_not_all_was_tried(boards):
    """Rule 6.8: two texts in one have too many moves for the levels on which both are possible for long."""
    fields = judged(f"{LONG[:-1]}l\n\nor\n\n{LONG[:-1]}u", round_of(*boards))
    sent = Submission(**{name: value for name, value in fields.items() if name != "level"}, state=State.JUDGED)
    assert (sent.verdict, sent.why_values["untried"]) == ("not_solved", ["main", "extra"])
    assert "Not all of the text was tried on Main, Extra" in describe_verdict(sent)
