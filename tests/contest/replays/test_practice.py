from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError

from contest import judging, results, submissions
from contest.infra import clock
from contest.models import Metric, Round, SeenSolutions, Submission, VirtualStart
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


def test_a_closed_round_accepts_practice_without_end(over, settings):
    """Rules 5.9, 20.1: marked on the all-time board, in no results, within the same quotas."""
    before = results.live(over, cast.AFTER)
    settings.QUOTA_PER_SECONDS = {60: 2}
    with clock.set_to(YEARS_LATER):
        receipt = cast.send("Cy", "rlrR", practice=True, round=1)
        cast.send("Ann", "rR", practice=True, round=1, claim=cast.claim_of("Ann"))
        judging.judge_until_empty()
        cast.send("Cy", "rrR", practice=True, round=1, claim=receipt.claim)
        with pytest.raises(Refused, match="Try again"):
            cast.send("Cy", "rrrR", practice=True, round=1, claim=receipt.claim)
    sent = cast.judged(receipt)
    assert (sent.verdict, sent.is_practice, sent.moves) == ("accepted", True, 4)
    rows = standings.standings(sent.level, Metric.MOVES, board=pareto.ALL_TIME)
    assert [(row.player.nickname, row.is_practice) for row in rows] == [("Bo", False), ("Ann", True), ("Cy", True)]
    assert results.live(over, cast.AFTER) == before


@pytest.mark.parametrize(
    ("number", "at"),
    [(1, cast.DURING), (1, cast.OPENS - HOUR), (None, cast.AFTER), (99, cast.AFTER), (2**40, cast.AFTER)],
)
def test_practice_needs_a_named_closed_round(during_round, number, at):
    """Rules 3.10, 20.1: and only if their reveal does not wait."""
    with clock.set_to(at), pytest.raises(Refused, match="only for closed rounds"):
        cast.send("Cy", "rR", practice=True, round=number)
    Round.objects.update(reveal_waits_until=cast.CLOSES + 24 * HOUR)
    with clock.set_to(cast.AFTER), pytest.raises(Refused):
        cast.send("Cy", "rR", practice=True, round=1)


def test_the_same_text_is_stored_once_in_the_round_and_once_as_practice(over):
    """Rules 5.6, 20.1."""
    secret = cast.claim_of("Bo")
    first = cast.send("Bo", "rR", practice=True, round=1, claim=secret)
    again = cast.send("Bo", "rR", practice=True, round=1, claim=secret)
    assert first.is_new
    assert not again.is_new
    assert again.submission == first.submission


def test_an_offer_for_a_practice_submission_is_practice_too(over):
    """Rules 6.9, 20.1."""
    receipt = cast.send("Cy", "rdldR", practice=True, round=1, slot="main")
    judging.judge_until_empty()
    entry = submissions.entry_of_offer(cast.judged(receipt), "a secret")
    assert (entry.slot, entry.practice, entry.claim) == ("extra", True, "a secret")


def test_the_clock_of_a_closed_round_starts_once(over, cy):
    """Rule 20.2: under one's own name; organisers may practise too (rules 4.10, 20.1)."""
    player, viewer = cy
    with pytest.raises(ValidationError, match="owner"):
        practice.start(over, player, viewer=Viewer(), at=cast.AFTER)
    with pytest.raises(ValidationError, match="closed"):
        practice.start(over, player, viewer=viewer, at=cast.DURING)
    assert not VirtualStart.objects.exists()
    _practise(player, Viewer(viewer.claims, is_organiser=True), "rR", cast.AFTER)
    assert Submission.objects.practised().of(player).exists()
    first = practice.start(over, player, viewer=viewer, at=cast.AFTER)
    again = practice.start(over, player, viewer=viewer, at=cast.AFTER + HOUR)
    assert again.started_at == first.started_at
    assert practice.ends_at(first) == cast.AFTER + (cast.CLOSES - cast.OPENS)


def test_the_players_virtual_entry_is_ranked_in_its_place(over, cy):
    """Rule 20.2: at equal counts the virtual entry of the third hour comes before Bo's of the fifth.

    Practice before the start or after the end is not virtual; after the end the last board stays.
    """
    player, viewer = cy
    _practise(player, viewer, "lrR", cast.AFTER - HOUR)
    begun = practice.start(over, player, viewer=viewer, at=cast.AFTER)
    assert _board(over, begun, cast.AFTER + 0.5 * HOUR) == []
    assert _board(over, begun, cast.AFTER + 2 * HOUR) == [(1, "Ann", 6, False)]
    _practise(player, viewer, "rR", cast.AFTER + 3 * HOUR)
    assert _board(over, begun, cast.AFTER + 4 * HOUR) == [(1, "Cy", 2, True), (2, "Ann", 6, False)]
    assert _board(over, begun, cast.AFTER + 6 * HOUR) == [(1, "Cy", 2, True), (2, "Bo", 2, False), (3, "Ann", 6, False)]
    assert [line[1] for line in _board(over, begun, cast.AFTER + 6 * HOUR, Metric.PUSHES)] == ["Cy", "Bo", "Ann"]
    last = _board(over, begun, cast.AFTER + 6 * HOUR)
    _practise(player, viewer, "RR", practice.ends_at(begun))
    assert practice.shown_at(begun, YEARS_LATER) < cast.CLOSES
    assert _board(over, begun, YEARS_LATER) == last


def test_viewing_solutions_before_or_during_the_virtual_round_is_marked(over, cy):
    """Rule 20.3: once; one's own solution, one that never becomes public, or a stranger's visit leaves no mark."""
    player, viewer = cy
    bos = Submission.objects.get(player__nickname="Bo")
    practice.record_seen(Viewer({bos.player_id: ""}), bos, cast.AFTER)
    practice.record_seen(Viewer(), bos, cast.AFTER)
    public = over.settings["solutions_public"]
    over.settings["solutions_public"] = "never"
    practice.record_all_seen(viewer, over, cast.AFTER)
    over.settings["solutions_public"] = public
    assert not SeenSolutions.objects.exists()
    assert not practice.start(over, player, viewer=viewer, at=cast.AFTER).has_seen
    for _time in range(2):
        practice.record_seen(viewer, bos, cast.AFTER + HOUR)
    assert VirtualStart.objects.get().has_seen
    VirtualStart.objects.all().delete()
    assert practice.has_seen(over, player)
    assert practice.start(over, player, viewer=viewer, at=cast.AFTER).has_seen
    assert SeenSolutions.objects.count() == 1
