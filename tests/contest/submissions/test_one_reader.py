import pytest

from contest import judging
from contest.models import Door
from contest.wording.verdicts import describe_verdict
from tests import sizes
from tests.cast import judged, send, submit

pytestmark = pytest.mark.django_db
TEXTS = {
    "“rR”": "accepted",
    '{"lurd": "rR", "moves": 2}': "accepted",
    "Extra rR (2/1)": "accepted",
    "1. r\n2. R": "accepted",
    "右2。": "accepted",
    "I sent ruuu today": "illegal",
}


@pytest.mark.parametrize("text", sizes.cases(["Extra rR (2/1)", "I sent ruuu today"], TEXTS))
def test_each_door_gives_the_same_verdict(during_round, text):
    """Rules 1.11, 5.1, 6.1."""
    receipts = [send(f"player {door}", text, slot="main", door=door) for door in Door]
    judging.judge_until_empty()
    assert {judged(receipt).verdict for receipt in receipts} == {TEXTS[text]}


def test_a_verdict_lists_what_was_not_read_with_its_line_and_counts_moves_after_the_solution(during_round):
    message = describe_verdict(submit("player", "hello\nanswer\u200e: ruuu, sent", slot="main", door=Door.WEB))
    assert message.endswith("Not read as moves: “hello” (line 1), “answerU+200E:” (line 2), “sent” (line 2).")
    row = submit("rival", "Solution:\nrR", slot="main", door=Door.WEB)
    assert describe_verdict(row) == "Solves Main: 2 moves, 1 push. Not read as moves: “Solution:” (line 1)."
    cut = describe_verdict(submit("fourth", "rR\nrR", slot="main", door=Door.WEB))
    assert cut == "Solves Main: 2 moves, 1 push. 2 moves after the level was solved were ignored."
