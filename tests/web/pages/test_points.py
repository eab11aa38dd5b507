"""Links from points on a round's page: to the scored solutions, titles and certificates."""

import re
from datetime import timedelta

import pytest

from contest.models import Placing, Player, Round, Submission
from tests import cast
from tests.web.pages.conftest import finalise

pytestmark = pytest.mark.django_db


def replay_link(name, moves):
    number = Submission.objects.get(player__nickname=name, moves=moves).number
    return f'href="/en/rounds/1/replays/{number}/"'


def test_points_link_to_the_scored_solutions(round_, page):
    """Rules 3.3, 7.3: B's fewest moves and fewest pushes are two solutions, linked by their numbers on this site."""
    Submission.objects.filter(player__nickname="B", moves=500).update(original_number=10**9)
    text = page("/en/rounds/1/results/", cast.AFTER)
    by_moves, by_pushes = replay_link("B", 500), replay_link("B", 520)
    assert text.count(by_moves) == text.count(by_pushes) == 2, "beside the points, and beside the ranks"
    assert re.search(rf"<a\s+{re.escape(by_moves)}\s*>500/118</a>", text)


def test_points_do_not_link_to_hidden_solutions(round_, page):
    """Rules 7.3, 7.4, 15.4: nor to a withdrawn one."""
    assert replay_link("B", 500) not in page("/en/rounds/1/results/", cast.DURING)
    Submission.objects.filter(player__nickname="B", moves=500).update(is_unpublished=True)
    text = page("/en/rounds/1/results/", cast.AFTER)
    assert (replay_link("B", 500) in text, replay_link("B", 520) in text) == (False, True)
    Round.objects.update(settings=round_.settings | {"solutions_public": "never"})
    text = page("/en/rounds/1/results/", cast.AFTER)
    assert replay_link("B", 520) not in text
    assert "500/118" in text


@pytest.fixture
def titles_without_points(during_round):
    """Ann and Bo are champions of the main level; only the extra level scores, which Cy and Dee have solved."""
    during_round.settings["scoring_levels"] = ["extra"]
    during_round.save()
    cast.enter_all(during_round, [("Ann", 500, 120), ("Bo", 510, 110)])
    cast.enter_all(during_round, [("Cy", 50, 12), ("Dee", 51, 12)], slot="extra")
    return during_round


def _titled(text):
    lines = text.partition('<dl class="facts">\n<dt>★')[2].partition("</dl>")[0]
    return re.findall(r" ([\w ]+)</dt>\s*<dd>\s*(?:<a [^>]*>)?(\w+)", lines)


def test_a_title_holder_without_points_is_named_and_has_a_certificate(titles_without_points, page):
    """Rules 7.4, 9.4, 10.4, 11.6: the main level decides the champions, whichever levels score."""
    champion = Player.objects.get(nickname="Ann").pk
    address = f"/en/rounds/1/results/certificates/{champion}/"
    page(address, cast.AFTER, 404)
    finalise(titles_without_points)
    lucky, later = Placing.objects.get(is_lucky=True).player.nickname, cast.AFTER + timedelta(hours=1)
    titled = [("Moves champion", "Ann"), ("Pushes champion", "Bo"), ("Lucky player", lucky)]
    for where in ("rounds/1/results", "rounds/1", "screen/1"):
        assert _titled(page(f"/en/{where}/", later)) == titled, where
    assert f'href="{address}"' in page("/en/rounds/1/results/", later)
    assert "Moves champion" in page(address, later)
