"""All rounds on the desk: what wants somebody, and the rest by time."""

from datetime import timedelta

import pytest

from contest import results
from contest.infra import clock
from contest.models import Heartbeat, Level, LibraryLevel, Player, Round
from contest.organising import figures
from contest.players import merging
from contest.results import rulings
from contest.rounds import lifecycle, lucky_number
from contest.templatetags.pages import course
from contest.wording.bilingual import Reason
from tests import cast

pytestmark = pytest.mark.django_db
NOW = cast.DURING
WHY = Reason(zh="原因", en="Why.")
DAY = timedelta(days=1)


@pytest.fixture
def now():
    with clock.set_to(NOW):
        yield NOW


def bare(number: int, days_ago: int, **fields) -> Round:
    """A round of one day, so many days ago, of which only the times matter."""
    opens_at = NOW - days_ago * DAY
    times = {"announced_at": opens_at - 7 * DAY, "opens_at": opens_at, "closes_at": opens_at + DAY, **fields}
    return Round(number=number, commitment="0" * 64, **times)


def numbers(shown) -> list[int]:
    return [round_.number for round_, *_rest in shown]


@pytest.fixture
def a_full_house(now):
    """219 rounds brought in, 12 provisional ones, one open, four to come."""
    made = [bare(number, 2000 - 7 * number, is_imported=True) for number in range(1, 220)]
    made += [bare(number, 400 - number) for number in range(220, 232)]
    made.append(bare(232, 0, closes_at=NOW + DAY))
    made += [bare(number, 7 * (232 - number), announced_at=NOW - DAY) for number in range(236, 232, -1)]
    Round.objects.bulk_create(made)


def test_the_desk_shows_whatever_wants_somebody_then_the_next_two_openings(organiser, a_full_house):
    words = organiser.get("/en/desk/").context
    assert numbers(words["rounds"]) == [*range(220, 233)]
    assert numbers(words["coming"]) == [233, 234]


def test_all_rounds_stand_by_time_a_page_at_a_time(organiser, a_full_house):
    first, last = (organiser.get(f"/en/desk/rounds/?page={page}").context for page in (1, 8))
    assert numbers(first["rounds"]) == [*range(236, 206, -1)]
    assert numbers(last["rounds"])[-1] == 1


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("phase=open", [232]),
        ("phase=scheduled", [236, 235, 234, 233]),
        ("q=17", [17]),
        ("q=230&phase=closed", [230]),
        ("q=230&phase=final", []),
        ("q=nobody", []),
        ("q=99999999999999999999", []),
        ("phase=other", [*range(236, 206, -1)]),
    ],
)
def test_rounds_are_found_by_number_title_and_phase(organiser, a_full_house, query, found):
    assert numbers(organiser.get(f"/en/desk/rounds/?{query}").context["rounds"]) == found


def test_the_phases_of_the_database_are_those_of_the_rules(a_full_house):
    """Rule 3.6."""
    Round.objects.filter(number__lt=5).update(finalised_at=NOW - DAY)
    Round.objects.filter(number=7).update(cancelled_at=NOW - DAY)
    Round.objects.filter(number=236).update(announced_at=None)
    by_rule = {round_.number: round_.phase(NOW) for round_ in Round.objects.all()}
    phases = set(by_rule.values())
    assert len(phases) == 6
    found = {phase: {one.number for one in Round.objects.all().in_phase(phase, NOW)} for phase in phases}
    assert found == {phase: {number for number, own in by_rule.items() if own is phase} for phase in phases}


@pytest.mark.parametrize("page", ["rounds/1/", "rounds/1/main/", "players/1/"])
def test_staff_are_led_from_public_pages_to_the_desk(client, organiser, now, page):
    round_ = cast.a_round()
    entered = cast.enter(round_, "Ann", 2, 1, at=NOW)
    page = page.replace("players/1", f"players/{entered.player_id}")
    address = f"/en/desk/people/{entered.player_id}/" if "players" in page else "/en/desk/rounds/1/"
    assert f'href="{address}"' in organiser.get(f"/en/{page}", follow=True).content.decode()
    assert f'href="{address}"' not in client.get(f"/en/{page}", follow=True).content.decode()


# Drafts


def test_a_mistaken_draft_is_thrown_away_and_its_levels_stay(organiser, now):
    cast.a_round(announced_at=None)
    answer = organiser.post("/en/desk/rounds/1/throw-away/", follow=True)
    assert "main of 1 is in the library." in answer.content.decode()
    assert not Round.objects.exists()
    assert LibraryLevel.objects.count() == 2


def test_an_announced_round_is_not_thrown_away(organiser, now):
    cast.a_round()
    answer = organiser.post("/en/desk/rounds/1/throw-away/", follow=True)
    assert "Only a draft can be thrown away" in answer.content.decode()
    assert Level.objects.count() == 2


@pytest.mark.parametrize(
    ("times", "said"),
    [
        ({"opens_at": "2026-10-01T20:00", "closes_at": "2026-10-20T20:00"}, "The opening has passed."),
        ({"opens_at": "2026-11-10T20:00", "closes_at": "2026-11-20T20:00"}, "Round 1 is open at that time"),
    ],
)
def test_a_draft_that_cannot_be_announced_so_is_saved_with_a_warning(organiser, now, times, said):
    cast.a_round()
    answer = organiser.post("/en/desk/rounds/new/", {"number": "2", **times}, follow=True)
    assert said in answer.content.decode().split("<h1>")[0]
    assert Round.objects.filter(number=2).exists()


def test_a_title_that_turns_the_words_after_it_is_refused(organiser, now):
    given = {"number": "2", "title_en": "abc\u202edef", "opens_at": "2026-12-10T20:00", "closes_at": "2026-12-20T20:00"}
    answer = organiser.post("/en/desk/rounds/new/", given)
    assert answer.status_code == 422
    assert "U+202E" in answer.content.decode()


# Revisions


@pytest.fixture
def final(db):
    """Three final rounds in which Ann leads and Bo follows."""
    made = []
    for number, weeks in ((1, 8), (2, 4), (3, 0)):
        round_ = cast.a_round(number, **cast.earlier(weeks))
        for name, moves in (("Ann", 2), ("Bo", 4)):
            cast.enter(round_, name, moves, 1, at=round_.opens_at + DAY)
        results.finalise(round_, at=cast.AFTER, by=None)
        made.append(Round.objects.get(pk=round_.pk))
    with clock.set_to(cast.AFTER + 60 * DAY):
        yield made


def test_a_final_round_asks_for_nothing_while_what_is_published_stands(organiser, final):
    words = organiser.get("/en/desk/").context
    assert words["rounds"] == []
    assert not any("revision" in one.words for one in (words["first_to_do"], *words["also_to_do"]))


def test_after_a_void_the_round_asks_for_its_revision_until_it_is_done(organiser, final):
    """Rule 14.4."""
    round_ = final[1]
    rulings.void(round_.submissions.get(player__nickname="Ann"), WHY, at=clock.now(), by=None)
    for page in ("/en/desk/", "/en/desk/rounds/2/"):
        assert "no longer what the rulings and verdicts say" in organiser.get(page).content.decode()
    assert numbers(organiser.get("/en/desk/").context["rounds"]) == [2]
    results.revise(round_, WHY, at=clock.now(), by=None)
    assert numbers(organiser.get("/en/desk/").context["rounds"]) == []


def test_a_void_taken_back_asks_for_nothing(organiser, final):
    sent = final[1].submissions.get(player__nickname="Ann")
    rulings.void(sent, WHY, at=clock.now(), by=None)
    rulings.unvoid(sent, WHY, by=None)
    assert organiser.get("/en/desk/").context["rounds"] == []


def test_after_a_merge_every_round_is_revised_in_one_act(organiser, final):
    """Rules 4.13, 14.4."""
    ann, bo = (final[0].submissions.get(player__nickname=name).player for name in ("Ann", "Bo"))
    merging.merge(ann, bo, None, reason=WHY.en)
    page = organiser.get("/en/desk/").content.decode()
    assert "Rounds 1, 2, 3 want a revision." in page
    looked = organiser.post("/en/desk/rounds/revise/", {"reason_zh": "原因", "reason_en": "Why."})
    assert looked.context["expected"]
    assert {round_.snapshots.count() for round_ in final} == {1}
    organiser.post("/en/desk/rounds/revise/", {"reason_zh": "原因", "reason_en": "Why.", "do": "apply"})
    assert {round_.snapshots.count() for round_ in final} == {2}
    assert organiser.get("/en/desk/").context["rounds"] == []


# Numbers


def test_a_round_gets_the_next_number_when_it_is_announced_and_the_draft_that_had_it_another():
    """Rule 2.1: numbers follow time."""
    cast.a_round(6)
    early, late = (
        cast.a_round(number, announced_at=None, **cast.earlier(-weeks)) for number, weeks in ((7, 8), (9, 4))
    )
    announced = lifecycle.announce(late, at=NOW, by=None)
    early.refresh_from_db()
    assert (announced.number, early.number) == (7, 9)
    assert lucky_number.missing(announced) == []
    assert lucky_number.missing(early) == []
    assert lifecycle.announce(early, at=NOW, by=None).number == 8


def test_the_first_round_keeps_the_number_it_was_given():
    assert lifecycle.announce(cast.a_round(219, announced_at=None), at=NOW - 10 * DAY, by=None).number == 219


def test_the_desk_says_how_the_running_round_stands(organiser):
    """What came in 24 hours against the 24 before, who plays, what waits, the last backup."""
    round_ = cast.a_round()
    with clock.set_to(NOW):
        for name, hours in (("Ann", 30), ("Bo", 30), ("Cy", 2)):
            cast.enter(round_, name, 9, 3, at=NOW - hours * DAY / 24)
        Player.objects.update(created_at=NOW - DAY * 2)
        Player.objects.filter(nickname="Cy").update(created_at=NOW - DAY / 12)
        Heartbeat.objects.create(part="backup", beat_at=clock.now_at_database() - 3 * DAY)
        shown = organiser.get("/en/desk/")
    assert shown.context["figures"] == figures.Figures(received=1, received_before=2, players=3, newcomers=1, waiting=0)
    text = shown.content.decode()
    assert '<span class="arrow down">−1</span>' in text
    assert "1 new since yesterday" in text
    assert "3 days ago" in text


def test_without_a_running_round_the_desk_has_no_figures_of_one(organiser, now):
    shown = organiser.get("/en/desk/")
    assert shown.context["figures"] is None
    assert "Submissions waiting" not in shown.content.decode()


@pytest.mark.parametrize(("hours", "laid"), [(-50, 0), (-1, 0), (1, 0), (49, 2), (24 * 30, 21)])
def test_a_round_lays_a_brick_a_day_from_its_opening_to_its_close(hours, laid):
    round_ = bare(1, 0, closes_at=NOW + 21 * DAY)
    drawn = course(round_, NOW + hours * DAY / 24)
    assert drawn.count('class="laid"') == laid
    assert f"{laid} of 21 are laid" in drawn
    assert drawn.count('class="now"') == (0 <= hours < 21 * 24)


def test_the_tabs_of_the_desk_mark_the_page_that_is_shown_or_is_above_it(organiser, now):
    cast.a_round(7)
    for path, marked in [
        ("", 'desk/" aria-current="page">Desk'),
        ("rounds/", 'rounds/" aria-current="page">Rounds'),
        ("rounds/7/", 'rounds/" aria-current="true">Rounds'),
    ]:
        tabs = organiser.get(f"/en/desk/{path}").content.decode().split('<nav class="tabs strip"')[1].split("</nav>")[0]
        assert marked in tabs, path
        assert tabs.count("aria-current") == 1, path
