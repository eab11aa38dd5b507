from datetime import UTC, datetime, timedelta

import pytest

from contest.infra import clock
from contest.levels import catalogue, daily, listing
from contest.levels.alike import similar_levels
from contest.levels.catalogue import Selection
from contest.library import publishing
from contest.library.own import installing
from contest.models import OWN_SLUGS, Best, CollectedLevel, Collection, Level, Metric, Player, Round, Submission, Vote
from contest.outreach.community import stars
from contest.rankings import collected as rankings
from contest.rankings import personal_bests
from contest.submissions import Entry, at_once
from contest.visibility import Viewer
from solvers.sokoban import Level as Board
from tests import cast

pytestmark = pytest.mark.django_db
LATER = cast.AFTER


@pytest.fixture
def both(db):
    round_ = cast.a_round()
    cast.enter(round_, "Ann", 10, 5, at=cast.DURING)
    cast.a_collection(boards=(cast.CORRIDOR, cast.CORNER, "#######|#@-$-.#|#######"))
    claim = cast.claim_of("Ann")
    first, second, _third = CollectedLevel.objects.order_by("place")
    with clock.set_to(cast.DURING):
        at_once.accept_collected(Entry("Ann", "rlrR", claim=claim), first)
        at_once.accept_collected(Entry("Bo", "rR"), first)
        at_once.accept_collected(Entry("Ann", cast.SOLUTIONS["extra"], claim=claim), second)


def ann() -> Viewer:
    return Viewer(proved=frozenset({Player.objects.get(nickname="Ann").pk}))


def names(viewer: Viewer, start: int = 0, stop: int = 99, **wanted) -> list[str]:
    of = {listing.ROUND: Level, listing.COLLECTED: CollectedLevel}
    asked = Selection(**wanted)
    keys = listing.page(viewer, LATER, asked, start, stop)
    assert stop < 99 or listing.count(viewer, LATER, asked) == len(keys)
    return [of[kind].objects.get(pk=pk).title for kind, pk in keys]


@pytest.mark.parametrize(
    ("wanted", "listed"),
    [
        ({}, ["main of 1", "extra of 1", "corridors 1", "corridors 2", "corridors 3"]),
        ({"kind": "rounds"}, ["main of 1", "extra of 1"]),
        ({"collection": "corridors"}, ["corridors 1", "corridors 2", "corridors 3"]),
        ({"author": "Nobody"}, []),
        ({"text": "auth"}, ["main of 1", "extra of 1", "corridors 1", "corridors 2", "corridors 3"]),
        ({"text": "%"}, []),
        ({"boxes_to": 0}, []),
        ({"longest": 6}, ["main of 1", "extra of 1", "corridors 1", "corridors 2"]),
        ({"by": "most"}, ["corridors 1", "main of 1", "corridors 2", "extra of 1", "corridors 3"]),
        ({"show": "solved"}, ["main of 1", "corridors 1", "corridors 2"]),
        ({"show": "new"}, ["extra of 1", "corridors 3"]),
        ({"show": "better"}, ["corridors 1"]),
    ],
)
def test_levels_of_rounds_and_collections_share_a_list(both, wanted, listed):
    assert names(ann(), **wanted) == listed


def test_levels_are_found_by_optional_values_and_an_order_by_one_omits_levels_without_it(both):
    CollectedLevel.objects.filter(place=2).update(grade=4, least_moves=9, least_pushes=3)
    assert names(ann(), grade=4) == names(ann(), is_proved=True) == ["corridors 2"]
    assert names(ann(), by="hardest")[0] == "corridors 2"
    assert names(ann(), by="easiest")[-1] == "corridors 2"
    CollectedLevel.objects.filter(place=3).update(least_moves=8, least_pushes=2)
    for model in (Level, CollectedLevel):
        model.objects.update(author="")
    Level.objects.filter(slot="extra").update(author="Zoe")
    CollectedLevel.objects.filter(place=1).update(author="Amy")
    assert names(ann(), by="optimum") == ["corridors 3", "corridors 2"]
    assert names(ann(), by="best") == ["corridors 1", "corridors 2", "main of 1"]
    assert names(ann(), by="author") == ["corridors 1", "extra of 1"]


def test_a_player_with_a_contest_and_a_practice_solution_counts_once_and_a_spectator_never(both):
    round_ = Round.objects.get()
    practice, spectator = (cast.enter(round_, name, moves, 5, at=LATER) for name, moves in (("Ann", 9), ("Dee", 8)))
    Submission.objects.filter(pk=practice.pk).update(is_practice=True)
    main = round_.levels.get(slot="main")
    personal_bests.recount([main], Player.objects.all())
    Best.objects.filter(submission=spectator).update(board="spectator")
    assert Best.objects.filter(level=main, player__nickname="Ann", metric=Metric.MOVES).count() == 2
    listed = {level.slot: (level.solvers, level.own_moves) for level in catalogue.levels(ann(), LATER)}
    assert listed == {"main": (1, 9), "extra": (0, None)}


@pytest.mark.parametrize("scale", Vote.SCALES)
def test_levels_are_put_in_order_by_votes_once_their_means_are_public(both, scale):
    main, corridor = Level.objects.get(slot="main"), CollectedLevel.objects.get(place=1)
    vote(scale, main, *[2] * 8)
    vote(scale, corridor, *[5] * 8)
    vote(scale, CollectedLevel.objects.get(place=2), *[5] * 7)
    vote(scale, Level.objects.get(slot="extra"), *[5] * 8, networks=4)
    assert names(ann(), by=scale) == ["corridors 1", "main of 1"]


def test_no_order_reveals_votes_for_a_level_in_an_open_round(both):
    """Pages do not show the votes during the round either (rule 27.3)."""
    corridor = CollectedLevel.objects.get(place=1)
    vote("hard", corridor, *[5] * 8)
    cast.a_round(2, opens_at=cast.CLOSES, closes_at=LATER + timedelta(days=9))
    Level.objects.filter(round__number=2, slot="main").update(key=corridor.key)
    assert names(ann(), by="hard") == []


def vote(scale: str, level: Level | CollectedLevel, *values: int, networks: int = 5) -> None:
    for number, value in enumerate(values):
        name = f"Voter {number}"
        player, _new = Player.objects.get_or_create(nickname=name, name_key=name, defaults={"created_at": LATER})
        column = "level" if isinstance(level, Level) else "collected"
        cast_ = {"player": player, "cast_at": LATER, "network_number": number % networks}
        Vote.objects.create(**cast_, **{column: level, scale: value})
        if column == "collected":
            rankings.count_votes([level.pk])


def test_the_list_can_be_filtered_to_followed_levels(both):
    viewer = ann()
    for level in (Level.objects.get(slot="extra"), CollectedLevel.objects.get(place=3)):
        stars.follow(level, viewer=viewer, at=LATER)
    assert names(viewer, show="starred") == ["extra of 1", "corridors 3"]
    assert names(Viewer(), show="starred") == []


def test_running_rounds_and_withdrawn_collections_are_neither_listed_nor_counted(both):
    cast.a_round(2, opens_at=cast.CLOSES, closes_at=LATER + timedelta(days=9))
    publishing.withdraw(Collection.objects.get(), at=LATER, by=None)
    assert names(ann()) == ["main of 1", "extra of 1"]
    assert names(ann(), collection="corridors") == []


def test_progress_counts_the_levels_of_each_collection_that_the_reader_solved(both):
    assert [row.solved for row in listing.with_progress(Collection.objects.all(), ann())] == [2]
    assert [row.solved for row in listing.with_progress(Collection.objects.all(), Viewer())] == [0]


LONGER = "########|#@-$-.-#|########"


def titles_and_percents(board: str, at=cast.DURING) -> list[tuple[str, int]]:
    return [(similar.level.title, similar.percent) for similar in similar_levels(Viewer(), at, Board.parse(board))]


def test_the_same_level_is_found_in_any_orientation(db):
    cast.a_collection(boards=(cast.CORRIDOR, LONGER))
    turned = Board.parse(LONGER).transform(5).published_text
    assert titles_and_percents(turned)[0] == ("corridors 2", 100)


def test_the_most_similar_come_first_and_dissimilar_ones_are_omitted(db):
    cast.a_collection(boards=("#########|#@-$---.#|#########", LONGER, "#####|#@$.#|#####", "####|#@$|#-.|#--|####"))
    near = titles_and_percents("########|#@-$--.#|########")
    assert [title for title, _percent in near] == ["corridors 2", "corridors 1"]
    assert near[0][1] > near[1][1]


@pytest.mark.parametrize(
    ("at", "is_there"),
    [(cast.OPENS - timedelta(seconds=1), False), (cast.OPENS, True), (cast.DURING, True), (cast.AFTER, True)],
)
def test_levels_of_rounds_are_found_once_they_are_public(db, at, is_there):
    """Rule 7.4: a level of a round that has not opened is never found."""
    with clock.set_to(cast.OPENS - timedelta(days=1)):
        cast.a_round()
    assert bool(titles_and_percents(Level.objects.get(slot="main").text, at)) is is_there


def test_withdrawn_levels_and_levels_without_a_player_are_not_compared(db):
    cast.a_collection(boards=(LONGER, LONGER))
    first, second = CollectedLevel.objects.order_by("place")
    CollectedLevel.objects.filter(pk=first.pk).update(is_public=False)
    CollectedLevel.objects.filter(pk=second.pk).update(key="", text=LONGER.replace("@", "-"))
    assert titles_and_percents(LONGER) == []


DAY = timedelta(days=1)


@pytest.fixture
def closed(db):
    return [cast.a_round(number, **cast.earlier(3 * (4 - number))) for number in (1, 2, 3)]


def test_a_level_stays_for_its_day_and_repeats_after_all_others(closed):
    midnight = datetime(2026, 12, 1, 16, tzinfo=UTC)
    hours = {daily.of_day(midnight + timedelta(hours=hour)) for hour in range(24)}
    assert len(hours) == 1
    assert daily.of_day(midnight + DAY) not in hours
    found = [daily.of_day(cast.AFTER + (1 + day) * DAY) for day in range(12)]
    assert set(found[:6]) == set(Level.objects.all())
    assert found[6:] == found[:6]


def test_a_level_revealed_today_is_included_from_tomorrow(closed):
    cast.a_round(4, opens_at=cast.OPENS + DAY, closes_at=cast.CLOSES + DAY)
    before, after = cast.CLOSES + DAY - timedelta(hours=1), cast.CLOSES + DAY + timedelta(hours=1)
    assert daily.day(before) == daily.day(after)
    assert daily.of_day(before) == daily.of_day(after)
    turns = {daily.of_day(after + day * DAY) for day in range(1, 9)}
    assert {level.round.number for level in turns} == {1, 2, 3, 4}


def test_a_void_level_is_not_the_level_of_the_day(closed):
    """Rule 2.10."""
    at = cast.AFTER + DAY
    level = daily.of_day(at)
    Level.objects.filter(pk=level.pk).update(voided_at=at)
    assert daily.of_day(at) not in (None, level)


def test_without_a_revealed_round_it_is_a_public_level_that_comes_with_the_site():
    installing.install(cast.OPENS)
    found = {daily.of_day(cast.DURING + day * DAY) for day in range(5)}
    assert len(found) == 5
    assert {level.collection.slug for level in found} <= set(OWN_SLUGS)
    assert all(daily.is_of_day(level, cast.DURING) == (level == daily.of_day(cast.DURING)) for level in found)
    level = daily.of_day(cast.DURING)
    CollectedLevel.objects.filter(pk=level.pk).update(is_public=False)
    assert daily.of_day(cast.DURING) not in (None, level)
