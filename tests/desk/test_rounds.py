from datetime import timedelta

import pytest

from contest import results
from contest.infra import clock
from contest.models import LibraryLevel, Round
from contest.results import rulings
from contest.rounds import lifecycle, lucky_number
from contest.wording.bilingual import Reason
from tests import cast

DESK = "/en/desk/"
NOW = cast.DURING
pytestmark = [pytest.mark.django_db, pytest.mark.clock(NOW)]
WHY = Reason(zh="原因", en="Why.")
DAY = timedelta(days=1)


def bare(number: int, days_ago: int, **fields) -> Round:
    opens_at = NOW - days_ago * DAY
    times = {"announced_at": opens_at - 7 * DAY, "opens_at": opens_at, "closes_at": opens_at + DAY, **fields}
    return Round(number=number, commitment="0" * 64, **times)


def numbers(shown) -> list[int]:
    return [round_.number for round_, *_rest in shown]


@pytest.fixture
def a_full_house(db):
    made = [bare(number, 2000 - 7 * number, is_imported=True) for number in range(1, 220)]
    made += [bare(number, 400 - number) for number in range(220, 232)]
    made.append(bare(232, 0, closes_at=NOW + DAY))
    made += [bare(number, 7 * (232 - number), announced_at=NOW - DAY) for number in range(236, 232, -1)]
    Round.objects.bulk_create(made)


def test_the_desk_shows_rounds_that_need_action_then_the_next_two_openings(organiser, a_full_house):
    context = organiser.get(DESK).context
    assert numbers(context["rounds"]) == [*range(220, 233)]
    assert numbers(context["coming"]) == [233, 234]


def test_the_phases_in_the_database_match_the_rules(a_full_house):
    """Rule 3.6."""
    Round.objects.filter(number__lt=5).update(finalised_at=NOW - DAY)
    Round.objects.filter(number=7).update(cancelled_at=NOW - DAY)
    Round.objects.filter(number=236).update(announced_at=None)
    by_rule = {round_.number: round_.phase(NOW) for round_ in Round.objects.all()}
    phases = set(by_rule.values())
    assert len(phases) == 6
    found = {phase: {round_.number for round_ in Round.objects.all().in_phase(phase, NOW)} for phase in phases}
    assert found == {phase: {number for number, own in by_rule.items() if own is phase} for phase in phases}


def test_a_mistaken_draft_alone_is_thrown_away_and_its_levels_stay(organiser):
    cast.a_round()
    answer = organiser.post(f"{DESK}rounds/1/throw-away/", follow=True)
    assert "Only a draft can be deleted" in answer.text
    Round.objects.update(announced_at=None)
    answer = organiser.post(f"{DESK}rounds/1/throw-away/", follow=True)
    assert "main of 1 is in the library." in answer.text
    assert not Round.objects.exists()
    assert LibraryLevel.objects.count() == 2


def test_an_impossible_draft_is_saved_with_a_warning_but_not_with_direction_marks_in_its_title(organiser):
    cast.a_round()
    times = {"opens_at": "2026-11-10T20:00", "closes_at": "2026-11-20T20:00"}
    turned = organiser.post(f"{DESK}rounds/new/", {"number": "2", **times, "title_en": "abc\u202edef"})
    assert (turned.status_code, "U+202E" in turned.text) == (422, True)
    answer = organiser.post(f"{DESK}rounds/new/", {"number": "2", **times}, follow=True)
    assert "Round 1 is open at that time" in answer.text.split("<h1>")[0]
    assert Round.objects.filter(number=2).exists()


@pytest.fixture
def final(db):
    for number in (1, 2):
        round_ = cast.a_round(number, **cast.earlier(8 - 4 * number))
        cast.enter_all(round_, [("Ann", 2, 1), ("Bo", 4, 1)])
        results.finalise(round_, at=cast.AFTER, by=None)
    with clock.set_to(cast.AFTER + 60 * DAY):
        yield list(Round.objects.order_by("number"))


def test_a_void_makes_a_revision_due_until_it_is_done_or_the_void_is_undone(organiser, final):
    """Rule 14.4."""

    def rounds_to_revise() -> list[int]:
        return numbers(organiser.get(DESK).context["rounds"])

    sent = final[1].submissions.get(player__nickname="Ann")
    assert rounds_to_revise() == []
    rulings.void(sent, WHY, at=clock.now(), by=None)
    assert rounds_to_revise() == [2]
    for page in (DESK, f"{DESK}rounds/2/"):
        assert "no longer match the rulings and verdicts" in organiser.get(page).text
    sent.refresh_from_db()
    rulings.unvoid(sent, WHY, by=None)
    assert rounds_to_revise() == []
    sent.refresh_from_db()
    rulings.void(sent, WHY, at=clock.now(), by=None)
    results.revise(final[1], WHY, at=clock.now(), by=None)
    assert rounds_to_revise() == []
    for round_ in final:
        rulings.void(round_.submissions.get(player__nickname="Bo"), WHY, at=clock.now(), by=None)
    assert "Results that need a revision: Rounds 1, 2." in organiser.get(DESK).text


def test_a_round_gets_the_next_number_when_it_is_announced_and_the_draft_that_had_it_another():
    """Rule 2.1: numbers follow time."""
    cast.a_round(6)
    early, late = (
        cast.a_round(number, announced_at=None, **cast.earlier(-weeks)) for number, weeks in ((7, 8), (9, 4))
    )
    for round_, board in ((early, "#######|#@--$.#|#######"), (late, "########|#@---$.#|########")):
        round_.levels.all().delete()
        cast.a_level(round_, text=board)
    announced = lifecycle.announce(late, at=NOW, by=None)
    early.refresh_from_db()
    assert (announced.number, early.number) == (7, 9)
    assert lucky_number.missing_for_draw(announced) == lucky_number.missing_for_draw(early) == []
    assert lifecycle.announce(early, at=NOW, by=None).number == 8
