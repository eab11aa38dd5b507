"""Links to beat a solution (rules 3.10, 7.3): offered where solutions are public, and never with a level in play."""

import pytest

from contest.infra import clock
from contest.models import Level, Submission
from tests import cast

SCRIPT = "contest/beat/main"
PLAY = "/en/rounds/1/main/play/"


def test_no_race_before_the_solutions_are_public(client, during_round):
    submission = cast.enter(during_round, "Ann", 12, 8, at=cast.DURING)
    Submission.objects.update(lurd=Level.objects.get(round=during_round, slot="main").solution)
    race = f"#beat=1-{submission.number}"
    assert SCRIPT not in client.get(PLAY).content.decode()
    assert race not in client.get(submission.get_absolute_url()).content.decode()
    with clock.set_to(cast.AFTER):
        assert SCRIPT in client.get(PLAY).content.decode()
        assert race in client.get(submission.get_absolute_url()).content.decode()
        assert race in client.get(f"/en/rounds/1/replays/{submission.number}/").content.decode()


@pytest.mark.parametrize("turn", range(8))
def test_no_race_on_a_level_that_is_in_play_turned_or_mirrored(client, during_round, turn):
    """The collection's level itself is played as ever (rule 26.3)."""
    board = Level.objects.get(round=during_round, slot="main").board
    cast.a_collection("twins", [board.transform(turn).published_text])
    page = client.get("/en/collections/twins/1/play/")
    assert page.status_code == 200
    assert SCRIPT not in page.content.decode()
    with clock.set_to(cast.AFTER):
        assert SCRIPT in client.get("/en/collections/twins/1/play/").content.decode()
