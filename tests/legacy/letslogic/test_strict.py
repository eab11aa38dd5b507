"""What the letslogic crate and JSoko insist on: one that reads strictly must find every answer whole."""

import pytest

from contest.models import Level
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def main(during_round):
    return during_round.levels.get(slot="main").pk


def test_the_crate_reads_every_call(crate, main):
    (collection,) = crate.collections()
    assert crate.levels(collection["id"])[0]["id"] == main
    assert crate.submit(main, "rR")["blue"]["moves"] == 2
    assert list(crate.records()) == [main]
    assert crate.levels(1)[0]["blue_moves"] == 2


def test_a_level_without_words_has_a_title_and_no_author(crate, main):
    Level.objects.update(title="", author="")
    assert crate.collections()[0]["author"] == ""
    assert [(bool(level["title"]), level["author"]) for level in crate.levels(1)] == [(True, None)] * 2


def test_the_two_sentences_that_the_crate_knows_are_word_for_word(crate, main):
    for level, solution, words in ((main, "r", "Invalid Solution"), (999_999, "rR", "Specified level does not exist")):
        with pytest.raises(LookupError) as refused:
            crate.submit(level, solution)
        assert str(refused.value) == words


def test_the_crate_reads_a_wrong_key_in_every_call_but_the_file(crate, main):
    crate.key = "wrong"
    calls = (crate.collections, lambda: crate.levels(1), lambda: crate.submit(main, "rR"))
    for call in calls:
        with pytest.raises(LookupError, match="Invalid key"):
            call()


def test_jsoko_writes_down_what_was_sent(jsoko, main):
    assert jsoko.submit(main, "rR")[0].startswith("Well done!")
    assert "you have not improved" in jsoko.submit(main, "rlrR")[0]


def test_jsoko_shows_a_refusal(jsoko, main):
    assert jsoko.submit(main, "r") == ("", "Invalid Solution")


def test_names_and_titles_of_every_script_come_in_ascii(client, jsoko, main):
    """JSoko reads an answer in the letters of the machine it runs on."""
    Level.objects.update(title="推箱子", author="人")
    answer = client.post("/letslogic/api/v1/collection/1", {"key": jsoko.key})
    assert answer.content.isascii()
    assert answer.json()[0]["title"] == "推箱子"
    assert answer["Content-Type"] == "application/json"


def test_a_solution_that_no_ranking_has_is_answered_with_its_counts(jsoko, crate, main):
    """Rule 2.10: a void level has no ranking, and what was sent for it is kept."""
    Level.objects.filter(pk=main).update(voided_at=cast.DURING)
    assert jsoko.submit(main, "rR")[1] == ""
    assert crate.submit(main, "rR")["green"] == {"rank": 0, "points": 0, "moves": 2, "pushes": 1}
    assert crate.records() == {}
