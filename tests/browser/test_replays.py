from datetime import timedelta

import pytest
from playwright.sync_api import expect

from contest.infra import clock
from contest.replays import animations
from tests import cast
from tests.browser.boards import shown
from tests.browser.hands import press, stop_clock
from tests.web.conftest import a_level, a_round

ROUND = "RurrdLulld"  # pushes the box right and left again and returns
SOLVING = "RRRRurDD"
IS_DRAWN = """(layer) => {
    const canvas = document.querySelector(`[data-board] canvas.${layer}`);
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return data.some((part) => part !== 0);
}"""


@pytest.fixture
def round_(transactional_db, cache_of_its_own):
    round_ = a_round(6, opens_in=-40)
    a_level(round_, "#########|#-------#|#-@$----#|#-------#|#------.#|#########")
    return round_


@pytest.fixture
def watch(round_, open_page):
    def open_(lurd, other="", **options):
        numbers = [
            cast.enter_moves(round_, name, moves, at=round_.opens_at).pk
            for name, moves in (("Ann", lurd), ("Ben", other))
            if moves
        ]
        query = f"?with={numbers[1]}" if other else ""
        page = open_page(f"/en/rounds/6/replays/{numbers[0]}/{query}", **options)
        return ready(page)

    return open_


def ready(page):
    page.wait_for_selector("[data-replay][data-state=ready]")
    return page


def expect_position(page, moves, pushes):
    expect(shown(page, "at")).to_have_text(str(moves))
    expect(shown(page, "pushes")).to_have_text(str(pushes))


def expect_message(page, text):
    expect(page.locator("[data-says]")).to_have_text(text)


def test_a_replay_is_controlled_by_keys_read_as_text_and_resumed(watch):
    page = watch(SOLVING)
    page.locator("[data-board]").focus()
    press(page, "ArrowRight")
    expect_message(page, "Move 1, push 1: box 1 from D3 to E3.")
    press(page, "End")
    expect_message(page, "At the end. Moves: 8, pushes: 6.")
    press(page, "Shift+ArrowLeft")
    expect_position(page, 7, 5)
    press(page, "Home")
    expect_message(page, "At the start.")
    page.get_by_label("Speed").select_option("400")
    page.get_by_role("button", name="Play or pause").click()
    expect_message(page, "At the end. Moves: 8, pushes: 6.")
    expect(page.locator("[data-replay]:not(.playing)")).to_be_attached()
    page.get_by_text("As text", exact=True).click()
    page.get_by_role("button", name="1: E3 → F3").click()
    expect_position(page, 2, 2)
    page.get_by_role("button", name="Look at the board").click()
    expect(page.locator("[data-looked]")).to_contain_text("#---@$--#")
    page.get_by_role("link", name="Play on from here").click()
    expect(shown(page, "time")).to_have_text("2 / 8")
    page.locator("[data-board]").focus()
    press(page, "ArrowLeft")
    expect(shown(page, "moves")).to_have_text("3")


def test_two_solutions_run_in_step_with_ghosts_and_report_where_they_differ(watch):
    page = watch(f"{ROUND}{SOLVING}", SOLVING)
    page.get_by_label("Synchronise by").select_option("pushes")
    page.locator("[data-board]").first.focus()
    press(page, *["Shift+ArrowRight"] * 3)
    expect(shown(page, "other")).to_have_text("· 3 · 3")
    expect(page.locator("[data-parting]")).to_contain_text("Pushes that are the same at first: 1.")
    page.get_by_text("Section by section").first.click()
    expect(page.locator("[data-difference] tbody tr")).to_have_count(3)
    assert not page.evaluate(IS_DRAWN, "over")
    page.locator("[name=view]").select_option("ghost")
    page.locator("[data-board]").first.focus()
    press(page, "ArrowRight")
    page.wait_for_function(IS_DRAWN, arg="over")
    page.goto("/en/about/")
    page.go_back()
    ready(page)
    expect(page.locator("[name=view]")).to_have_value("ghost")  # the browser has stored it
    page.get_by_role("button", name="Larger").click()


def test_the_embedded_frame_plays_and_without_scripts_shows_start_and_end(round_, open_page):
    number = cast.enter_moves(round_, "Ann", SOLVING, at=round_.opens_at).pk
    page = ready(open_page(f"/en/embed/replay/6/{number}/"))
    page.get_by_label("Speed").select_option("400")
    page.get_by_role("button", name="Play or pause").click()
    expect_message(page, "8 / 8")
    plain = open_page(f"/en/rounds/6/replays/{number}/", java_script_enabled=False)
    expect(plain.locator(".ends svg")).to_have_count(2)
    assert plain.locator("#lurd").input_value() == SOLVING
    expect(plain.locator("[data-board]")).to_be_hidden()


def test_a_film_is_ordered_and_appears_when_it_is_drawn(transactional_db, open_page):
    opened = clock.now() - timedelta(days=2)
    round_ = cast.a_round(opens_at=opened, closes_at=opened + timedelta(days=1))
    replay = cast.enter(round_, "Ada", 2, 1, at=opened)
    page = open_page("about:blank")
    stop_clock(page)
    page.goto(f"/en/rounds/1/replays/{replay.pk}/film/gif/")
    with page.expect_navigation():  # until its script polls again
        page.get_by_role("button", name="Create the GIF").click()
    expect(page.get_by_text("Waiting to be drawn")).to_be_visible()
    animations.draw_waiting()
    page.clock.run_for(700)
    expect(page.get_by_role("link", name="Download")).to_be_visible()
    assert page.locator("img.film").evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 0
    expect(page.get_by_role("button", name="Copy").first).to_be_visible()
