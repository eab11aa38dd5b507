import json
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contest import results
from contest.models import Placing, Player, Submission
from contest.rankings import personal_bests
from contest.rules import tabulation
from contest.rules.settings import RoundSettings
from contest.rules.tabulation import Lucky, Publication, Result
from tests import cast
from tests.contest.results.worked import MAIN, finalise, revise

pytestmark = pytest.mark.django_db


def test_a_merged_lucky_player_stays_lucky_under_the_new_name(round_):
    """Rules 4.13, 14.5."""
    cast.enter_all(round_, [*MAIN, ("G", 700, 300)])
    finalise(round_)
    round_.refresh_from_db()
    before = Placing.objects.get(is_lucky=True).player
    other = Player.objects.get(nickname="A")
    Submission.objects.of(before).update(player=other)
    Player.objects.filter(pk=before.pk).update(merged_into=other)
    personal_bests.recount([round_.levels.get(slot="main")], [before, other])
    document = revise(round_).document
    assert (document["draw"]["lucky"], document["draw"]["kept_from"]) == (other.archive_number, 1)


def test_the_points_of_every_rank_are_shown_and_add_up(during_round):
    """Rules 9.1, 9.2, 9.4: the parts of a row, level by level."""
    during_round.settings |= {"scoring_levels": ["main", "extra"], "push_points": [19.5, 18.5]}
    during_round.save()
    cast.enter_all(during_round, [("Ann", 50, 20), ("Bo", 40, 22), ("Cy", 60, 21)])
    cast.enter_all(during_round, [("Dee", 9, 3), ("Ann", 10, 2)], slot="extra")
    rows = results.table(results.live(during_round, cast.AFTER)).rows
    for row in rows:
        assert sum(score.half_points for score in row.scores if score.metric == "moves") == row.by_moves
        assert sum(score.half_points for score in row.scores if score.metric == "pushes") == row.by_pushes
    assert [(score.slot, score.metric, score.rank, score.points) for score in rows[0].scores] == [
        ("main", "moves", 2, "19"),
        ("main", "pushes", 1, "19.5"),
        ("extra", "moves", 2, "19"),
        ("extra", "pushes", 1, "19.5"),
    ]
    bo = next(row for row in rows if row.player.nickname == "Bo")
    assert [(score.rank, score.points) for score in bo.scores] == [(1, "20"), (3, "0"), (None, "0"), (None, "0")]


RESULTS = st.lists(
    st.tuples(st.integers(1, 12), st.sampled_from(["human", "bot"]), st.sampled_from(["main", "extra"]),
              st.integers(1, 9), st.integers(1, 9), st.integers(0, 9)),
    max_size=40,
)  # fmt: skip
SETTINGS = st.builds(
    RoundSettings,
    scoring_levels=st.sampled_from([("main",), ("main", "extra"), ("extra",), ()]),
    second_champion=st.sampled_from(["move_rank_2", "push_rank_2", "none"]),
    leagues=st.sampled_from(["separate", "together"]),
    lucky=st.booleans(),
)
LUCKY = Lucky("0" * 64, 17, "0" * 32, is_typed=False)


def create_results(rows):
    """Create results with one league for each player, numbered in order."""
    leagues = {player: league for player, league, *_ in rows}
    return [
        Result(number, player, leagues[player], slot, moves, pushes, cast.DURING + timedelta(seconds=second))
        for number, (player, _league, slot, moves, pushes, second) in enumerate(rows, 1)
    ]


def outcome(settings_, rows):
    tabulated = tabulation.compute_tables(settings_, rows, LUCKY)
    return tabulation.document(settings_, tabulated, LUCKY, Publication(1, 1, 1, [], {}))


@given(SETTINGS, RESULTS, st.data())
def test_a_snapshot_does_not_depend_on_order_or_worse_results(settings_, rows, data):
    """Rules 5.7, 8.3, 8.5, 14.3, 17: for any results and settings; a round may have no draw."""
    created = create_results(rows)
    document = outcome(settings_, created)
    assert (document["draw"] is not None) == settings_.lucky
    assert tabulation.differences(json.loads(tabulation.canonical(document))) == []
    if created:
        best = data.draw(st.sampled_from(created))
        moves, pushes = best.moves + data.draw(st.integers(0, 3)), best.pushes + 1
        worse = Result(10_000, best.player, best.league, best.slot, moves, pushes, cast.AFTER)
        assert outcome(settings_, data.draw(st.permutations([*created, worse]))) == document
