"""Replays in a real browser: half a million moves, two solutions, and what is drawn over the board."""

import pytest
from playwright.sync_api import expect

from contest.models import Submission
from tests import cast
from tests.web.conftest import a_level, a_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HALL = "#########|#-------#|#-@$----#|#-------#|#------.#|#########"
ROUND = "RurrdLulld"  # pushes the box right and left again and comes back
SOLVING = "RRRRurDD"
LONG = ROUND * 49_999 + SOLVING


@pytest.fixture
def round_(transactional_db, cache_of_its_own):
    round_ = a_round(6, opens_in=-40)
    a_level(round_, HALL)
    return round_


@pytest.fixture
def watch(round_, open_page):
    """Open the replay of *lurd*, beside another solution if there is one, and wait until it is ready."""

    def open_(lurd, other="", **options):
        numbers = [_entered(round_, name, moves) for name, moves in (("Ann", lurd), ("Ben", other)) if moves]
        query = f"?with={numbers[1]}" if other else ""
        page = open_page(f"/en/rounds/6/replays/{numbers[0]}/{query}", **options)
        page.wait_for_selector("[data-replay][data-state=ready]")
        return page

    return open_


def _entered(round_, nickname, lurd):
    pushes = sum(map(str.isupper, lurd))
    entered = cast.enter(round_, nickname, len(lurd), pushes, at=round_.opens_at)
    Submission.objects.filter(pk=entered.pk).update(lurd=lurd)
    return entered.pk


def moment(page):
    return int(page.locator("[data-shows=at]").inner_text()), int(page.locator("[data-shows=pushes]").inner_text())


def test_half_a_million_moves_are_opened_entered_anywhere_and_followed_box_by_box(watch):
    page = watch(LONG)
    assert page.locator("[data-says]").inner_text() == "Ready: 499998 moves, 100004 pushes."
    page.get_by_label("To move").fill("123456")
    page.keyboard.press("Enter")
    assert moment(page) == (123_456, 24_692)
    page.locator("[data-board]").focus()
    page.keyboard.press("Shift+ArrowRight")
    assert moment(page) == (123_461, 24_693)
    page.keyboard.press("]")
    assert moment(page) == (499_998, 100_004)
    page.keyboard.press("[")
    assert moment(page) == (1, 1)
    assert page.complaints == []


def test_a_replay_is_stepped_and_said_by_keys_alone(watch):
    page = watch(SOLVING)
    page.locator("[data-board]").focus()
    said = page.locator("[data-says]")
    page.keyboard.press("ArrowRight")
    expect(said).to_have_text("Move 1, push 1: box 1 from D3 to E3.")
    page.keyboard.press("End")
    expect(said).to_have_text("At the end, after 8 moves and 6 pushes.")
    page.keyboard.press("Shift+ArrowLeft")
    assert moment(page) == (7, 5)
    page.keyboard.press("Home")
    expect(said).to_have_text("At the start.")
    assert page.complaints == []


def test_a_replay_plays_to_its_end(watch):
    page = watch(SOLVING)
    page.get_by_label("Speed").select_option("400")
    page.get_by_role("button", name="Play or pause").click()
    expect(page.locator("[data-says]")).to_have_text("At the end, after 8 moves and 6 pushes.")
    expect(page.locator("[data-replay]:not(.playing)")).to_be_attached()


def test_at_once_is_at_once(watch):
    page = watch(LONG)
    page.get_by_label("Speed").select_option("instant")
    page.get_by_role("button", name="Play or pause").click()
    assert moment(page) == (499_998, 100_004)


def test_two_solutions_run_in_step_and_say_where_they_part(watch):
    page = watch(f"{ROUND}{SOLVING}", SOLVING)
    page.get_by_label("Synchronise by").select_option("pushes")
    page.locator("[data-board]").first.focus()
    for _ in range(3):
        page.keyboard.press("Shift+ArrowRight")
    expect(page.locator("[data-shows=other]")).to_have_text("· 3 · 3")
    expect(page.locator("[data-parting]")).to_contain_text("The first 1 pushes are the same.")
    page.get_by_text("Section by section").first.click()
    expect(page.locator("[data-difference] tbody tr")).to_have_count(3)
    assert page.complaints == []


def test_a_ghost_is_seen_on_the_first_board_and_after_going_back(watch):
    page = watch(f"{ROUND}{SOLVING}", SOLVING)
    assert not drawn_on(page, "over")
    page.locator("[name=view]").select_option("ghost")
    page.locator("[data-board]").first.focus()
    page.keyboard.press("ArrowRight")
    assert drawn_on(page, "over")
    page.goto("/en/about/")
    page.go_back()
    page.wait_for_selector("[data-replay][data-state=ready]")
    expect(page.locator("[name=view]")).to_have_value("ghost")  # the browser has kept it
    page.get_by_role("button", name="Larger").click()


def test_visits_and_routes_are_drawn_and_told(watch):
    page = watch(SOLVING)
    page.get_by_label("Where the pusher walked").check()
    page.get_by_label("Where the boxes went").check()
    assert drawn_on(page, "under")
    assert drawn_on(page, "over")
    expect(page.locator("[data-told]")).to_contain_text("Box 1: D3 to H5, 6 pushes: →4 ↓2")
    expect(page.locator("[data-told]")).to_contain_text("C3: visited 1×")


def test_the_text_shows_the_board_and_leads_to_pushes(watch):
    page = watch(SOLVING)
    page.get_by_text("As text", exact=True).click()
    page.get_by_role("button", name="1: E3 → F3").click()
    assert moment(page) == (2, 2)
    page.get_by_role("button", name="Look at the board").click()
    expect(page.locator("[data-looked]")).to_contain_text("#---@$--#")


def test_the_frame_for_other_sites_plays(round_, open_page):
    page = open_page(f"/en/embed/replay/6/{_entered(round_, 'Ann', SOLVING)}/")
    page.wait_for_selector("[data-replay][data-state=ready]")
    page.get_by_label("Speed").select_option("400")
    page.get_by_role("button", name="Play or pause").click()
    expect(page.locator("[data-says]")).to_have_text("8 / 8")
    assert page.complaints == []


def test_the_player_goes_on_where_a_replay_was_left(watch):
    page = watch(SOLVING)
    page.locator("[data-board]").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.get_by_role("link", name="Play on from here").click()
    expect(page.locator('[data-shows="time"]')).to_have_text("2 / 8")
    page.locator("[data-board]").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator('[data-shows="moves"]')).to_have_text("3")
    assert page.complaints == []


def test_without_its_script_a_replay_shows_both_ends_and_the_moves(round_, open_page):
    page = open_page(f"/en/rounds/6/replays/{_entered(round_, 'Ann', SOLVING)}/", java_script_enabled=False)
    expect(page.locator(".ends svg")).to_have_count(2)
    assert page.locator("#lurd").input_value() == SOLVING
    expect(page.locator("[data-board]")).to_be_hidden()


def drawn_on(page, layer):
    """Whether anything is drawn on a canvas of the first board."""
    return page.evaluate(
        """(layer) => {
            const canvas = document.querySelector(`[data-board] canvas.${layer}`);
            const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            return data.some((part) => part !== 0);
        }""",
        layer,
    )
