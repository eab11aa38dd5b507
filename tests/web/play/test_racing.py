from datetime import timedelta

import pytest

from contest.infra import clock
from contest.models import Level, Submission
from tests import cast, sizes

SCRIPT = "contest/beat/main"
PLAY = "/en/rounds/1/main/play/"


def test_no_race_before_the_solutions_are_public(client, during_round):
    submission = cast.enter(during_round, "Ann", 12, 8, at=cast.DURING)
    Submission.objects.update(lurd=Level.objects.get(round=during_round, slot="main").solution)
    race = f"#beat=1-{submission.number}"
    assert SCRIPT not in client.get(PLAY).content.decode()
    assert race not in client.get(submission.get_absolute_url()).content.decode()
    client = cast.browser_of("Ann")
    with clock.set_to(cast.AFTER):
        assert SCRIPT in client.get(PLAY).content.decode()
        assert race in client.get(submission.get_absolute_url()).content.decode()
        assert race in client.get(f"/en/rounds/1/replays/{submission.number}/").content.decode()


@pytest.mark.parametrize("turn", sizes.cases([1, 6], range(8)))
def test_no_race_on_a_closed_rounds_level_that_is_in_play_turned_or_mirrored(client, during_round, turn):
    board = Level.objects.get(round=during_round, slot="main").board
    later = cast.a_round(2, opens_at=cast.AFTER, closes_at=cast.AFTER + timedelta(days=7))
    later.levels.all().delete()
    cast.a_level(later, text=board.transform(turn).published_text)
    with clock.set_to(cast.AFTER + timedelta(hours=1)):
        assert SCRIPT not in client.get(PLAY).content.decode()
    with clock.set_to(cast.AFTER + timedelta(days=8)):
        assert SCRIPT in client.get(PLAY).content.decode()


def test_a_race_on_a_collections_level_does_not_tell_that_the_level_is_in_play(client, during_round):
    """Rule 26.3: such a link has the moves of its sender alone."""
    cast.a_collection("twins", [Level.objects.get(round=during_round, slot="main").text])
    assert SCRIPT in client.get("/en/collections/twins/1/play/").content.decode()
