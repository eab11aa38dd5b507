from datetime import timedelta

import pytest

from contest.archive import certified
from contest.infra import clock
from contest.models import Level, Metric, Round, Search, SearchKind, SearchState, SeenSolutions, Slot, Submission
from contest.results import rulings
from contest.vetting import orders, shown, worker
from contest.wording.bilingual import Reason
from solvers import sokoban
from solvers.sokoban import Moves, replay
from tests import cast
from tests.sizes import cases

pytestmark = pytest.mark.django_db

# At best solved in five moves and two pushes; Ann takes a detour.
LONG_WAY = "rlrDldR"
WAITING = {"reveal_waits_until": cast.CLOSES + timedelta(days=1)}
ONCE_MORE = {
    "make_up_opens_at": cast.CLOSES + timedelta(hours=10),
    "make_up_closes_at": cast.CLOSES + timedelta(hours=20),
}


@pytest.fixture
def level(db) -> Level:
    round_ = cast.a_round()
    with clock.set_to(cast.DURING):
        cast.submit("Ann", LONG_WAY, slot="extra")
    return Level.objects.select_related("round").get(round=round_, slot=Slot.EXTRA)


def create_study(level: Level, **fields) -> Search:
    best = {"lurd": "rDldR", "moves": 5, "pushes": 2}
    facts = {"least_moves": 5, "least_pushes": 2, "found": {"moves": best, "pushes": best}, "band": 1, **fields}
    search = shown._new_study(level, cast.AFTER)
    for name, value in {**facts, "state": SearchState.DONE, "answer": "solved"}.items():
        setattr(search, name, value)
    search.save()
    return search


def test_every_revealed_level_is_studied_once_unless_studies_are_switched_off(level, settings):
    assert shown.queue_studies(cast.DURING) == 0
    wanted, settings.STUDY_SECONDS = settings.STUDY_SECONDS, 0
    assert shown.queue_studies(cast.AFTER) == 0
    settings.STUDY_SECONDS = wanted
    assert shown.queue_studies(cast.AFTER) == 2
    assert shown.queue_studies(cast.AFTER) == 0
    # The reveal is held back (rule 3.10): data that nobody may see yet is not computed.
    Round.objects.update(reveal_waits_until=cast.CLOSES + timedelta(days=1))
    with clock.set_to(cast.AFTER):
        worker.work_until_empty(lambda: None)
    assert not Search.objects.exists()


def test_a_study_improves_submitted_solutions_and_proves_bounds(level):
    with clock.set_to(cast.AFTER):
        shown._new_study(level, cast.AFTER).save()
        worker.work_until_empty(lambda: None)
        known = shown.get_facts(level, cast.AFTER)
    assert (known.by_moves.entered, known.by_moves.best, known.by_moves.is_optimal) == (7, 5, True)
    assert (known.by_pushes.entered, known.by_pushes.improvement, known.by_pushes.is_optimal) == (2, None, True)
    better = shown.find_improvement(level, Metric.MOVES, cast.AFTER)["lurd"]
    played = replay(level.board, Moves.parse(better))
    assert (played.is_solved, played.moves) == (True, 5)


@pytest.mark.parametrize(
    ("times", "at", "is_shown"),
    [
        ({}, cast.DURING, False),
        ({}, cast.AFTER, True),
        (WAITING, cast.AFTER, False),
        (WAITING | ONCE_MORE, cast.CLOSES + timedelta(hours=15), False),
        (WAITING | ONCE_MORE, cast.CLOSES + timedelta(hours=20), True),
        ({"cancelled_at": cast.DURING}, cast.AFTER, False),
    ],
    ids=["open", "revealed", "waiting", "open again", "made up", "cancelled"],
)
def test_nothing_is_shown_before_the_reveal(level, client, times, at, is_shown):
    """Rules 3.10, 7.4, 7.10, 20.4: closed is not yet revealed, and a round may open again."""
    create_study(level)
    Round.objects.update(**times)
    level.round.refresh_from_db()
    assert bool(shown.get_facts(level, at)) is is_shown
    with clock.set_to(at):
        assert ("proven optimal" in client.get("/en/rounds/1/extra/").content.decode()) is is_shown
        assert (client.get("/en/rounds/1/extra/program/moves/").status_code == 200) is is_shown


@pytest.mark.parametrize("symmetry", cases([3], range(8)))
def test_nothing_is_shown_about_a_board_that_is_turned_in_an_open_round(level, client, symmetry):
    create_study(level)
    other = cast.a_round(2, opens_at=cast.AFTER, closes_at=cast.AFTER + timedelta(days=7))
    other.levels.all().delete()
    cast.a_level(other, text=sokoban.Level.parse(cast.CORNER).transform(symmetry).published_text)
    during, after = cast.AFTER + timedelta(days=1), cast.AFTER + timedelta(days=8)
    assert shown.get_facts(level, during) is None
    assert shown.find_improvement(level, Metric.MOVES, during) is None
    assert shown.solutions_to_improve(level, during) is None
    assert shown.get_facts(level, after)
    with clock.set_to(during):
        assert "proven optimal" not in client.get("/en/rounds/1/extra/").content.decode()


def test_no_solution_is_shown_of_a_level_with_a_near_copy_in_an_open_round(level, client):
    """Rule 20.4: the copy has one more cell, from which no box gets to a goal."""
    made = {"size": 1, "sha256": "5" * 64, "engine": "1", "made_at": cast.AFTER}
    create_study(level).certificates.create(kind="moves", number=5, content=b"proof", **made)
    other = cast.a_round(2, opens_at=cast.AFTER, closes_at=cast.AFTER + timedelta(days=7))
    other.levels.all().delete()
    cast.a_level(other, text="######|#-####|#@---#|#-$--#|#--.-#|######")
    pages = (
        "/en/rounds/1/extra/program/moves/",
        "/en/rounds/1/extra/program/moves/moves.txt",
        f"/certificates/{'5' * 64}.xz",
    )
    for days, status in ((1, 404), (8, 200)):
        with clock.set_to(cast.AFTER + timedelta(days=days)):
            assert [client.get(page).status_code for page in pages] == [status] * 3
            assert bool(certified.find(level.round, clock.now())) is (status == 200)


def test_a_draft_with_the_same_board_changes_nothing(level):
    """Rule 7.4: neither a shown nor a missing result may reveal future levels."""
    create_study(level)
    before = shown.get_facts(level, cast.AFTER)
    draft = Round.objects.create(number=9, opens_at=cast.CLOSES, closes_at=cast.CLOSES + timedelta(days=7))
    cast.a_level(draft, text=cast.CORNER)
    orders.queue_vetting(level.board)
    Search.objects.filter(kind=SearchKind.VETTING).update(state="done", answer="solved", least_moves=5, least_pushes=2)
    assert shown.get_facts(level, cast.AFTER) == before


def test_only_bounds_are_shown_while_solutions_stay_hidden(level, client):
    """Rules 7.3, 15.4, 20.4: and no solution that organisers hide is improved."""
    create_study(level)
    assert shown.solutions_to_improve(level, cast.AFTER)
    Submission.objects.update(is_unpublished=True)
    assert shown.solutions_to_improve(level, cast.AFTER) == {}
    Submission.objects.update(is_unpublished=False)
    Round.objects.update(settings={**level.round.settings, "solutions_public": "never"})
    level.round.refresh_from_db()
    assert shown.solutions_to_improve(level, cast.AFTER) == {}
    known = shown.get_facts(level, cast.AFTER)
    assert (known.by_moves.improvement, known.by_moves.best, known.by_moves.least) == (None, 7, 5)
    with clock.set_to(cast.AFTER):
        page = client.get("/en/rounds/1/extra/").content.decode()
        assert "at least 5, proven" in page
        assert "site’s program" not in page
        assert client.get("/en/rounds/1/extra/program/moves/moves.txt").status_code == 404


def test_moves_that_are_withheld_are_no_longer_the_programs_solution(level, client):
    """Rule 15.4: a study starts from submitted solutions, so its best one may be a player's, move by move."""
    with clock.set_to(cast.DURING):
        bens = cast.submit("Ben", "rDldR", slot="extra")
    with clock.set_to(cast.AFTER):
        shown._new_study(level, cast.AFTER).save()
        worker.work_until_empty(lambda: None)
        assert Search.objects.get().found["moves"]["lurd"] == "rDldR"
        rulings.void(bens, Reason("r", "r"), at=cast.AFTER, by=None, is_unpublished=True)
        assert client.get("/en/rounds/1/extra/program/moves/moves.txt").status_code == 404
        assert not list(shown.program_solutions([level], cast.AFTER))
    assert shown.queue_studies(cast.AFTER) == 2


@pytest.mark.parametrize("file", ["", "moves.txt"])
def test_watching_the_programs_solution_is_recorded(level, file):
    """Rule 20.3: it is at least as good as those of players."""
    create_study(level)
    with clock.set_to(cast.AFTER):
        assert cast.browser_of("Ann").get(f"/en/rounds/1/extra/program/moves/{file}").status_code == 200
    assert SeenSolutions.objects.get().player.nickname == "Ann"


def test_previews_have_the_proved_bounds_once_they_are_public(level, client):
    """Rule 7.7: previews promise no rank below a proved bound."""
    create_study(level)
    numbers = f"/rounds/{level.round.number}/extra/numbers.json"
    for at, query, moves in [(cast.DURING, "", 2), (cast.AFTER, "", 5), (cast.AFTER, "?practice=1", 5)]:
        with clock.set_to(at):
            assert client.get(numbers + query).json()["least"] == {"moves": moves, "pushes": 2}
