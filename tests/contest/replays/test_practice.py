from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError

from contest import judging, results, submissions
from contest.infra import clock
from contest.models import Best, Board, Metric, Player, Round, SeenSolutions, Submission, VirtualStart
from contest.rankings import pareto, standings
from contest.replays import practice
from contest.submissions import Refused
from contest.visibility import Viewer
from tests import cast

pytestmark = pytest.mark.django_db


HOUR = timedelta(hours=1)
YEARS_LATER = cast.AFTER + timedelta(days=3_000)


@pytest.fixture
def over(during_round):
    """A round that has closed, with Ann's and Bo's results of it; the clock stands after it."""
    for after, name, moves in ((1, "Ann", "rlrlrR"), (5, "Bo", "rR")):
        with clock.set_to(cast.OPENS + after * HOUR):
            cast.send(name, moves)
    with clock.set_to(cast.AFTER):
        judging.judge_until_empty()
        yield during_round


@pytest.fixture
def cy(over):
    receipt = cast.send("Cy", "u", practice=True, round=1)
    player = receipt.submission.player
    return player, Viewer({player.pk: receipt.claim or ""})


def _practise(player, viewer, moves, at):
    with clock.set_to(at):
        submissions.accept(submissions.Entry(player.nickname, moves, round=1, practice=True), door="web", viewer=viewer)
        judging.judge_until_empty()


def _board(over, begun, at, metric=Metric.MOVES):
    lines = practice.board(over.levels.get(slot="main"), metric, begun, at)
    return [(line.row.rank, line.row.player.nickname, line.row.moves, line.is_virtual) for line in lines]


def test_a_closed_round_takes_practice_for_ever(over):
    """Rule 20.1."""
    with clock.set_to(YEARS_LATER):
        submission = cast.send("Cy", "rR", practice=True, round=1).submission
        judging.judge_until_empty()
    submission.refresh_from_db()
    assert (submission.verdict, submission.is_practice, submission.moves) == ("accepted", True, 2)


def test_practice_enters_no_results(over):
    """Rule 20.1."""
    before = results.live(over, cast.AFTER)
    cast.send("Cy", "rR", practice=True, round=1)
    cast.send("Bo", "rlrR", practice=True, round=1, claim=cast.claim_of("Bo"))
    judging.judge_until_empty()
    assert results.live(over, cast.AFTER) == before
    assert not Best.objects.filter(player__nickname="Cy", board=Board.CONTEST).exists()


def test_practice_stands_on_the_all_time_board_with_its_mark(over):
    """Rule 20.1."""
    level = over.levels.get(slot="main")
    cast.send("Cy", "rlrR", practice=True, round=1)
    cast.send("Ann", "RR", practice=True, round=1, claim=cast.claim_of("Ann"))
    judging.judge_until_empty()
    rows = standings.standings(level, Metric.MOVES, board=pareto.ALL_TIME)
    assert [(row.player.nickname, row.is_practice) for row in rows] == [("Bo", False), ("Ann", True), ("Cy", True)]
    assert [row.player.nickname for row in standings.standings(level, Metric.MOVES)] == ["Bo", "Ann"]


@pytest.mark.parametrize(
    ("number", "at"),
    [(1, cast.DURING), (1, cast.OPENS - HOUR), (None, cast.AFTER), (99, cast.AFTER), (2**40, cast.AFTER)],
)
def test_practice_is_for_closed_rounds_that_are_named(during_round, number, at):
    """Rule 20.1."""
    with clock.set_to(at), pytest.raises(Refused, match="only for closed rounds"):
        cast.send("Cy", "rR", practice=True, round=number)


def test_a_round_whose_reveal_waits_takes_no_practice(during_round):
    """Rules 3.10, 20.1."""
    Round.objects.update(reveal_waits_until=cast.CLOSES + 24 * HOUR)
    with clock.set_to(cast.AFTER), pytest.raises(Refused):
        cast.send("Cy", "rR", practice=True, round=1)


def test_the_same_text_may_have_come_in_the_round_and_as_practice_once_each(over):
    """Rules 5.6, 20.1."""
    claim = cast.claim_of("Bo")
    first = cast.send("Bo", "rR", practice=True, round=1, claim=claim)
    again = cast.send("Bo", "rR", practice=True, round=1, claim=claim)
    assert first.is_new
    assert not again.is_new
    assert again.submission == first.submission


def test_quotas_hold_for_practice(over, settings):
    """Rules 5.9, 20.1."""
    settings.QUOTA_PER_SECONDS = {60: 2}
    claim = cast.send("Cy", "rR", practice=True, round=1).claim
    cast.send("Cy", "rrR", practice=True, round=1, claim=claim)
    with pytest.raises(Refused, match="Try again"):
        cast.send("Cy", "rrrR", practice=True, round=1, claim=claim)


def test_organisers_may_practise(over, cy):
    """Rules 4.10, 20.1: practice enters no results, so the rule against organisers has no reason there."""
    player, viewer = cy
    organiser = Viewer(viewer.claims, is_organiser=True)
    _practise(player, organiser, "rR", cast.AFTER)
    assert Submission.objects.practised().of(player).exists()


def test_an_offer_made_to_practice_is_practice_too(over):
    """Rules 6.9, 20.1."""
    receipt = cast.send("Cy", "rdldR", practice=True, round=1, slot="main")
    judging.judge_until_empty()
    entry = submissions.entry_of_offer(cast.judged(receipt), "a secret")
    assert (entry.slot, entry.practice, entry.claim) == ("extra", True, "a secret")


def test_the_clock_of_a_closed_round_starts_once(over, cy):
    """Rule 20.2."""
    player, viewer = cy
    first = practice.start(over, player, viewer=viewer, at=cast.AFTER)
    again = practice.start(over, player, viewer=viewer, at=cast.AFTER + HOUR)
    assert again.started_at == first.started_at
    assert practice.ends_at(first) == cast.AFTER + (cast.CLOSES - cast.OPENS)


def test_nobody_starts_in_somebody_elses_name_or_in_an_open_round(over, cy):
    """Rule 20.2."""
    player, viewer = cy
    with pytest.raises(ValidationError, match="owner"):
        practice.start(over, player, viewer=Viewer(), at=cast.AFTER)
    with pytest.raises(ValidationError, match="closed"):
        practice.start(over, player, viewer=viewer, at=cast.DURING)
    assert not VirtualStart.objects.exists()


def test_the_board_is_shown_as_it_stood_at_the_same_distance_from_the_opening(over, cy):
    """Rule 20.2."""
    player, viewer = cy
    begun = practice.start(over, player, viewer=viewer, at=cast.AFTER)
    assert _board(over, begun, cast.AFTER + 0.5 * HOUR) == []
    assert _board(over, begun, cast.AFTER + 2 * HOUR) == [(1, "Ann", 6, False)]
    assert _board(over, begun, cast.AFTER + 6 * HOUR) == [(1, "Bo", 2, False), (2, "Ann", 6, False)]


def test_ones_own_virtual_entry_stands_in_its_place(over, cy):
    """Rule 20.2: at equal counts the virtual entry of the third hour comes before Bo's of the fifth."""
    player, viewer = cy
    begun = practice.start(over, player, viewer=viewer, at=cast.AFTER)
    _practise(player, viewer, "rR", cast.AFTER + 3 * HOUR)
    assert _board(over, begun, cast.AFTER + 4 * HOUR) == [(1, "Cy", 2, True), (2, "Ann", 6, False)]
    assert _board(over, begun, cast.AFTER + 6 * HOUR) == [(1, "Cy", 2, True), (2, "Bo", 2, False), (3, "Ann", 6, False)]
    assert [line[1] for line in _board(over, begun, cast.AFTER + 6 * HOUR, Metric.PUSHES)] == ["Cy", "Bo", "Ann"]


def test_what_was_practised_before_the_start_or_after_the_end_is_not_virtual(over, cy):
    """Rule 20.2."""
    player, viewer = cy
    _practise(player, viewer, "rR", cast.AFTER)
    begun = practice.start(over, player, viewer=viewer, at=cast.AFTER + HOUR)
    _practise(player, viewer, "RR", practice.ends_at(begun))
    later = practice.ends_at(begun) + HOUR
    assert [name for _rank, name, _moves, is_virtual in _board(over, begun, later) if is_virtual] == []


def test_after_the_end_the_last_board_stays(over, cy):
    """Rule 20.2."""
    begun = practice.start(over, cy[0], viewer=cy[1], at=cast.AFTER)
    assert practice.shown_at(begun, YEARS_LATER) < cast.CLOSES
    assert len(_board(over, begun, YEARS_LATER)) == 2


def test_who_has_seen_solutions_is_marked(over, cy):
    """Rule 20.3."""
    player, viewer = cy
    practice.note_seen(viewer, Submission.objects.get(player__nickname="Bo"), cast.AFTER)
    assert practice.has_seen(over, player)
    assert practice.start(over, player, viewer=viewer, at=cast.AFTER).has_seen


def test_who_looks_while_the_clock_runs_is_marked_too(over, cy):
    """Rule 20.3."""
    player, viewer = cy
    begun = practice.start(over, player, viewer=viewer, at=cast.AFTER)
    practice.note_seen(viewer, Submission.objects.get(player__nickname="Bo"), cast.AFTER + HOUR)
    begun.refresh_from_db()
    assert begun.has_seen


def test_where_solutions_never_become_public_nobody_has_seen_them(over, cy):
    """Rule 20.3."""
    over.settings["solutions_public"] = "never"
    practice.note_all_seen(cy[1], over, cast.AFTER)
    assert not SeenSolutions.objects.exists()


def test_ones_own_solution_and_an_unknown_reader_leave_no_mark(over):
    """Rule 20.3."""
    bos = Submission.objects.get(player__nickname="Bo")
    bo = Player.objects.get(nickname="Bo")
    practice.note_seen(Viewer({bo.pk: ""}), bos, cast.AFTER)
    practice.note_seen(Viewer(), bos, cast.AFTER)
    assert not SeenSolutions.objects.exists()


def test_seeing_twice_is_noted_once(over, cy):
    bos = Submission.objects.get(player__nickname="Bo")
    for _time in range(2):
        practice.note_seen(cy[1], bos, cast.AFTER)
    assert SeenSolutions.objects.count() == 1
