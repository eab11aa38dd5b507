"""Watching solutions: none before the close, all after it."""

import html
import re
from datetime import timedelta

import pytest

from contest import judging
from contest.infra import clock
from contest.models import Player, Round, SeenSolutions, Submission
from tests import cast

pytestmark = pytest.mark.django_db

# Steps to and fro that occur in no other text of the site.
SENTINEL = "rl" * 9


@pytest.fixture
def round_(during_round):
    cast.send("Ann", f"{SENTINEL}rR", round=1)
    cast.send("Ben", "rR", round=1)
    judging.judge_until_empty()
    return during_round


def number_of(nickname):
    return Submission.objects.get(player__nickname=nickname).number


def test_moves_are_hidden_until_the_close(round_, page):
    """Rules 7.2, 7.3, 7.8: before that the gallery says when it opens."""
    number = number_of("Ann")
    gallery = page("/en/rounds/1/replays/", cast.DURING)
    assert ("Replays appear here" in gallery, "2026-11-22 20:00" in gallery, "Ann" in gallery) == (True, True, False)
    assert f"{SENTINEL}rR" in page(f"/en/rounds/1/replays/{number}/", cast.AFTER)
    assert page(f"/rounds/1/replays/{number}.txt", cast.AFTER) == f"{SENTINEL}rR"
    assert f"{SENTINEL}rR" in page(f"/rounds/1/replays/{number}.sok", cast.AFTER)


def test_the_gallery_shows_the_front_from_fewest_moves_to_fewest_pushes(during_round, page):
    """Rules 7.3, 12.1, 12.2: unless the round never shows solutions."""
    rows = [("A", 500, 120), ("B", 510, 110), ("C", 505, 125), ("D", 530, 100)]
    cast.enter_all(during_round, rows)
    text = page("/en/rounds/1/replays/", cast.AFTER)
    assert [name for name in "ABCD" if f'<span class="by">{name}</span>' in text] == ["A", "B", "D"]
    assert text.index(">A</span>") < text.index(">B</span>") < text.index(">D</span>")
    Round.objects.update(settings=during_round.settings | {"solutions_public": "never"})
    assert ">A</span>" not in page("/en/rounds/1/replays/", cast.AFTER)
    page(f"/en/rounds/1/replays/{number_of('A')}/", cast.AFTER, 404)


def test_a_replay_belongs_to_its_round_and_rejected_submissions_have_none(round_, page):
    """Rules 6.14, 7.4, 7.5."""
    with clock.set_to(cast.DURING):
        cast.send("Cat", "u", round=1)
        judging.judge_until_empty()
        cast.a_round(2, announced_at=None, **cast.earlier(9))
    page(f"/en/rounds/1/replays/{number_of('Cat')}/", cast.AFTER, 404)
    page("/en/rounds/2/replays/", cast.AFTER, 404)
    Round.objects.filter(number=2).update(announced_at=cast.OPENS - timedelta(weeks=10))
    page("/en/rounds/2/replays/", cast.AFTER)
    page(f"/en/rounds/2/replays/{number_of('Ann')}/", cast.AFTER, 404)


def test_two_solutions_of_the_same_level_are_shown_side_by_side(round_, page):
    """The frame for other sites supports any nickname."""
    cast.send("Cat", cast.SOLUTIONS["extra"], round=1)
    judging.judge_until_empty()
    ann, ben = number_of("Ann"), number_of("Ben")
    Player.objects.filter(nickname="Ann").update(nickname='"><b>Ann')
    text = page(f"/en/rounds/1/replays/{ann}/?with={ben}", cast.AFTER)
    assert f'data-other-moves="/rounds/1/replays/{ben}.txt"' in text
    copied = html.unescape(re.search(r'<textarea\s+id="embed"[^>]*>(.*?)</textarea>', text)[1])
    assert re.fullmatch(r'<iframe src="[^"<>]+" width="480" height="420" title="[^"<>]+"></iframe>', copied)
    for other in (number_of("Cat"), "99", "x", "9" * 5000):
        page(f"/en/rounds/1/replays/{ann}/?with={other}", cast.AFTER, 404)


def test_watching_a_solution_is_recorded(round_, client):
    """Rule 20.3."""
    with clock.set_to(cast.DURING):
        posted = client.post("/en/submit/", {"moves": "rlrR", "nickname": "Dan", "round": 1})
        assert posted.status_code == 302
    with clock.set_to(cast.AFTER):
        client.get(f"/en/rounds/1/replays/{number_of('Ann')}/")
    assert SeenSolutions.objects.get().player == Player.objects.get(nickname="Dan")


def test_a_void_result_gives_its_reason_and_one_with_withheld_moves_says_so(round_, page):
    """Rules 3.3, 15.4: also for results imported without their moves."""
    ben = Submission.objects.filter(player__nickname="Ben")
    address = f"/en/rounds/1/replays/{number_of('Ben')}/"
    ben.update(voided_at=cast.AFTER, void_reason_en="Sent by two hands")
    assert "Sent by two hands" in page(address, cast.AFTER)
    ben.update(voided_at=None, is_unpublished=True)
    assert address not in page("/en/rounds/1/submissions/", cast.AFTER)
    assert "are not published" not in page(address, cast.DURING, 404)
    shown = page(address, cast.AFTER, 404)
    assert ("The moves of this result are not published" in shown, "rR" in shown) == (True, False)
    page(f"/en/rounds/1/replays/{2**63}/", cast.AFTER, 404)
    ben.update(is_unpublished=False, lurd="", why="not_replayed", is_imported=True)
    shown = page(address, cast.AFTER)
    assert ("nothing to watch" in shown, "data-board" in shown) == (True, False)
