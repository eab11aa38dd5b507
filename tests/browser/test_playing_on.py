"""The player where things go wrong: no network, two windows, a full storage, other clocks and hands."""

import re

import pytest
from playwright.sync_api import expect

from contest.models import Submission
from tests import sizes
from tests.browser.test_player import BEND, moves_sent
from tests.web.conftest import a_level, a_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PLAY = "/en/rounds/7/main/play/"
SOLUTION = ["ArrowDown", "ArrowRight", "ArrowRight", "s", "ArrowRight", "w"]
IS_KEPT = """async () => {
    for (const name of await caches.keys()) {
        if (await (await caches.open(name)).match(location.pathname, { ignoreVary: true })) return true;
    }
    return false;
}"""


@pytest.fixture(autouse=True)
def round_(transactional_db, cache_of_its_own, quick_judge):
    round_ = a_round(7, opens_in=-1)
    a_level(round_, BEND)
    return round_


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def moves(page):
    return page.locator('[data-shows="moves"]')


def kept_for_offline(page):
    for _ in range(100):
        if page.evaluate(IS_KEPT):
            return
        page.wait_for_timeout(100)
    pytest.fail("The level was not kept.")


def test_without_a_network_a_level_opens_again_and_is_played_on_and_nothing_is_sent(open_page):
    page = open_page(PLAY)
    press(page, *SOLUTION[:3])
    expect(page.locator("[data-kept]")).to_have_text("Available offline", timeout=15_000)
    expect(page.locator("[data-kept]")).to_be_visible()
    assert page.evaluate(IS_KEPT)
    page.context.set_offline(True)
    page.reload()
    expect(moves(page)).to_have_text("3")
    expect(page.locator("[data-offline]")).to_be_visible()
    press(page, *SOLUTION[3:])
    expect(page.locator("[data-solved]")).to_be_visible()
    press(page, "Control+Enter")
    page.keyboard.type("Ann")
    press(page, "Enter")
    expect(page.locator("[data-sent]")).to_contain_text("NOT received: you are offline")
    assert not Submission.objects.exists()
    page.context.set_offline(False)
    page.reload()
    expect(page.locator("[data-solved]")).to_be_visible()
    assert not Submission.objects.exists()


@pytest.mark.parametrize("language", sizes.cases(["zh-hans"], ["en"]))
def test_a_level_begun_is_gone_on_with_from_the_home_page_until_it_is_solved(open_page, language):
    page = open_page("/en/")
    row = page.locator("[data-begun]")
    expect(row).to_be_hidden()
    page.goto(PLAY)
    press(page, *SOLUTION[:3])
    expect(moves(page)).to_have_text("3")
    page.goto(f"/{language}/")
    row.get_by_role("link", name="Round 7 · Main").click()
    expect(page).to_have_url(re.compile(f"/{language}/rounds/7/main/play/"))
    expect(moves(page)).to_have_text("3")
    press(page, *SOLUTION[3:])
    expect(page.locator("[data-solved]")).to_be_visible()
    page.goto("/en/")
    expect(row).to_be_hidden()


def test_a_kept_level_holds_no_name_and_sends_again_once_there_is_a_network(open_page):
    """Rule 4.11: what a browser keeps for later is what a stranger sees."""
    page = open_page(PLAY)
    press(page, *SOLUTION, "Control+Enter")
    page.keyboard.type("Ann")
    press(page, "Enter")
    assert moves_sent(page) == "dRRdrU"
    page.goto(PLAY)
    nickname = page.locator("[data-drawer] [name=nickname]")
    expect(nickname).to_have_value("Ann")
    kept_for_offline(page)
    page.context.set_offline(True)
    page.reload()
    expect(page.locator("[data-offline]")).to_be_visible()
    expect(nickname).to_have_value("")
    assert "Ann" not in page.content()
    page.context.set_offline(False)
    press(page, "r", "ArrowRight", "ArrowLeft", *SOLUTION, "Control+Enter")
    page.keyboard.type("Ann")
    press(page, "Enter")
    expect(page.locator("#verdict")).to_contain_text("8 moves", timeout=15_000)
    sent = Submission.objects.order_by("pk").values_list("moves", "player__nickname")
    assert list(sent) == [(6, "Ann"), (8, "Ann")]


LARGE = "|".join(["#" * 100, "#@$" + "-" * 94 + "-.#", *["#" + "-$" * 2 + "-" * 90 + "-." * 2 + "#"] * 97, "#" * 100])
KEYS = """async (keys) => {
    const write = Storage.prototype.setItem;
    const took = [];
    let isHandling = false;
    let waits = 0;
    Storage.prototype.setItem = function (...words) {
        if (isHandling) waits++;
        write.apply(this, words);
    };
    for (const code of keys) {
        const begin = performance.now();
        isHandling = true;
        const key = new KeyboardEvent("keydown", { code, key: code, bubbles: true, cancelable: true });
        document.querySelector("[data-board]").dispatchEvent(key);
        isHandling = false;
        took.push(performance.now() - begin);
        await new Promise(requestAnimationFrame);
    }
    return { median: took.sort((one, other) => one - other)[took.length >> 1], waits };
}"""


def test_on_the_largest_board_a_key_waits_neither_for_a_frame_nor_for_the_storage(open_page):
    a_level(a_round(9, opens_in=-1), LARGE)
    page = open_page("/en/rounds/9/main/play/")
    said = page.evaluate(KEYS, ["ArrowDown", "ArrowUp"] * 30)
    assert said["median"] < 1000 / 60
    assert said["waits"] == 0
    expect(moves(page)).to_have_text("60")
    page.reload()
    expect(moves(page)).to_have_text("60")


def test_a_worker_switched_off_leaves_nothing_behind(open_page, settings):
    page = open_page(PLAY)
    kept_for_offline(page)
    settings.OFFLINE_PLAY = False
    page.evaluate("async () => (await navigator.serviceWorker.getRegistration('/en/rounds/')).update()")
    page.wait_for_function("async () => !(await caches.keys()).length")
    page.wait_for_function("async () => !(await navigator.serviceWorker.getRegistrations()).length")


def test_two_windows_on_one_level_do_not_mix_their_games(open_page):
    first = open_page(PLAY)
    press(first, "ArrowDown")
    second = first.context.new_page()
    second.goto(PLAY)
    press(second, "ArrowRight", "ArrowRight")
    expect(first.locator("[data-other]")).to_be_visible()
    first.get_by_role("button", name="Continue the game from the other window").click()
    expect(moves(first)).to_have_text("3")
    expect(first.locator("[data-other]")).to_be_hidden()
    press(first, "z")
    expect(second.locator("[data-other]")).to_be_visible()
    second.reload()
    expect(moves(second)).to_have_text("2")


def test_a_game_too_large_for_the_storage_is_kept_deeper(open_page):
    page = open_page(PLAY)
    page.evaluate("localStorage.setItem('ballast', 'x'.repeat(5 * 1024 * 1024 - 3_000))")
    page.locator("[data-lurd] summary").click()
    page.locator("#play-lurd").fill("40000(rl)")
    page.get_by_role("button", name="Play these from the start").click()
    expect(moves(page)).to_have_text("80000")
    expect(page.locator("[data-unkept]")).to_be_hidden()
    page.wait_for_timeout(300)
    page.reload()
    expect(moves(page)).to_have_text("80000")


@pytest.mark.parametrize("zone", sizes.cases(["Asia/Kolkata"], ["America/Sao_Paulo"]))
def test_the_countdown_goes_by_the_clock_of_the_server(open_page, round_, zone):
    """Rule 3.3: a clock two hours wrong changes nothing."""
    page = open_page("/en/", timezone_id=zone)
    page.clock.install(time=round_.closes_at.timestamp() + 7200)
    page.goto(PLAY)
    expect(page.locator("time.countdown")).to_contain_text("19d 23:59")


def test_keys_mean_nothing_while_an_input_method_composes(open_page):
    page = open_page(PLAY)
    page.evaluate(
        """() => document.querySelector("[data-board]").dispatchEvent(
            new KeyboardEvent("keydown", { code: "KeyS", key: "Process", isComposing: true, bubbles: true }))"""
    )
    expect(moves(page)).to_have_text("0")
    page.evaluate(
        """() => document.querySelector("[data-board]").dispatchEvent(
            new KeyboardEvent("keydown", { code: "KeyS", key: "Process", bubbles: true }))"""
    )
    expect(moves(page)).to_have_text("1")


def test_copying_selected_text_stays_the_browsers(open_page):
    page = open_page(PLAY, permissions=["clipboard-read", "clipboard-write"])
    press(page, "ArrowDown", "Control+c")
    expect(page.locator("[data-says]")).to_have_text("Your moves are copied.")
    assert page.evaluate("navigator.clipboard.readText()") == "d"
    page.evaluate("getSelection().selectAllChildren(document.querySelector('h1'))")
    press(page, "Control+c")
    assert page.evaluate("navigator.clipboard.readText()").startswith("Play: Main")


def test_the_keys_of_another_program(open_page):
    page = open_page(PLAY)
    page.get_by_role("tab", name="Settings").click()
    page.get_by_role("combobox", name="Keys").select_option("boxman")
    page.locator("[data-board]").focus()
    press(page, *["ArrowDown", "ArrowRight", "a"])
    expect(moves(page)).to_have_text("1")
    press(page, "s", "z", "Control+Home")
    expect(moves(page)).to_have_text("0")
    page.locator("[data-board]").hover()
    page.mouse.wheel(0, 100)
    expect(moves(page)).to_have_text("1")


def test_moves_of_a_turned_board_are_asked_about_before_they_are_played(open_page):
    """Rule 6.10."""
    page = open_page(PLAY)
    press(page, "Shift+L")
    page.keyboard.type("uRRurD")
    page.get_by_role("button", name="Play these from the start").click()
    expect(page.locator("[data-question]")).to_contain_text("up and down exchanged. 6 / 3")
    expect(moves(page)).to_have_text("0")
    page.get_by_role("button", name="Turn them back and play").click()
    expect(page.locator("[data-solved]")).to_be_visible()


def test_the_solved_panel_foretells_the_rank_that_the_receipt_then_names(open_page, round_):
    """Rule 7.7."""
    page = open_page(PLAY)
    press(page, *SOLUTION)
    preview = page.locator("[data-preview]")
    expect(preview).to_contain_text("By moves it would be number 1.")
    expect(page.locator("[data-measures]")).to_contain_text("Pushing sessions2")
    press(page, "Control+Enter")
    page.keyboard.type("Ann")
    press(page, "Enter")
    expect(page.locator("#verdict")).to_contain_text("rank 1", timeout=15_000)
    assert moves_sent(page) == "dRRdrU"


def test_a_way_through_a_box_is_told_and_then_gone(open_page):
    a_level(a_round(9, opens_in=-1), "#########|#@-$---##|####---##|####--.##|#########")
    page = open_page("/en/rounds/9/main/play/")
    press(page, "t", "Enter", *["ArrowRight"] * 5, "Enter")
    expect(page.locator("[data-says]")).to_contain_text("Through boxes to G2: 11 moves, 4 of them pushes.")
    expect(moves(page)).to_have_text("0")
    press(page, "Enter")
    expect(moves(page)).to_have_text("11")
    press(page, "Escape", "z")
    expect(moves(page)).to_have_text("0")


def test_walks_are_shortened_by_a_button(open_page):
    page = open_page(PLAY)
    press(page, *["ArrowRight", "ArrowLeft", *SOLUTION])
    page.locator("[data-lurd] summary").click()
    page.get_by_role("button", name="Shorten my walks").click()
    expect(page.locator("[data-says]")).to_have_text("Shorter walks save 2 moves: now 6.")
    expect(moves(page)).to_have_text("6")


def test_every_new_act_has_its_line_in_text_mode(open_page):
    page = open_page(PLAY)
    page.get_by_text("Text mode").click()
    field = page.get_by_label("Command", exact=True)
    for line, answer in [
        ("who e2", "Boxes that can reach E2: C3."),
        ("load rlDRRdrU", "Moves 8, pushes 3, on goals 1 of 1."),
        ("shorten", "Shorter walks save 2 moves: now 6."),
        ("keep 3", "Kept as snapshot 3."),
        ("at 2", "Moves 2, pushes 1"),
        ("rest", "RdrU"),
        ("recall 3", "Moves 6, pushes 3"),
        ("metrics", "Box lines 2, box changes 1, push runs 2"),
        ("rank", "By moves it would be number 1."),
        ("unvisited", "Not walked on yet:"),
        ("lost", "Deadlocked boxes"),
        ("level mf8", "HHHHHHH|Ha__._H"),
        ("through b2", "Moves: 10, pushes: 3."),
    ]:
        field.fill(line)
        field.press("Enter")
        expect(page.get_by_role("log").locator("p").last).to_contain_text(answer)
    assert page.complaints == []


PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def middle(page, square):
    """Where a square is: the board fills the width of a phone and lies in the middle of its height."""
    return page.evaluate(
        """([column, row]) => {
            const frame = document.querySelector("[data-board]").getBoundingClientRect();
            const cell = Math.floor((frame.width - 20) / 7);
            const left = frame.x + 19 + (frame.width - 20 - 7 * cell) / 2;
            const top = frame.y + 19 + (frame.height - 20 - 5 * cell) / 2;
            return [left + (column + 0.5) * cell, top + (row + 0.5) * cell];
        }""",
        [ord(square[0]) - ord("A"), int(square[1:]) - 1],
    )


def finger(page):
    """A finger that does what it is told: a kind of touch, and where."""
    session = page.context.new_cdp_session(page)

    def touch(kind, *points):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    return touch


def test_a_swipe_is_a_step_as_it_is_seen(open_page):
    page = open_page(PLAY, **PHONE)
    menu = page.get_by_role("button", name="Menu")
    menu.tap()
    page.get_by_text("Game settings").tap()
    page.get_by_label("A swipe is a step").check()
    page.get_by_role("button", name="Turn", exact=True).tap()
    box = page.locator("[data-board]").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = finger(page)
    touch("touchStart", (x, y))
    touch("touchMove", (x - 30, y))
    touch("touchMove", (x - 60, y))
    touch("touchEnd")
    expect(moves(page)).to_have_text("1")
    menu.press("Enter")
    page.locator("[data-text]").evaluate("part => { part.open = true; }")
    page.get_by_label("Command", exact=True).fill("moves")
    page.get_by_label("Command", exact=True).press("Enter")
    expect(page.get_by_role("log")).to_contain_text("> moves\nd")


def test_a_long_press_on_floor_asks_which_boxes_can_come(open_page):
    page = open_page(PLAY, **PHONE)
    x, y = middle(page, "E2")
    touch = finger(page)
    touch("touchStart", (x, y))
    page.wait_for_timeout(700)
    touch("touchEnd")
    expect(page.locator("[data-says]")).to_have_text("Boxes that can reach E2: C3.")


def test_controls_are_large_enough_for_a_thumb(open_page):
    """Rule of the house: 44 pixels where fingers play."""
    page = open_page(PLAY, **PHONE)
    page.get_by_role("button", name="Menu").tap()
    shown = page.locator(".player :is(button, a.back):visible").all()
    assert len(shown) > 20
    for button in shown:
        box = button.bounding_box()
        assert box["height"] >= 44, button.text_content()
        assert box["width"] >= 44, button.text_content()
    assert page.locator("[data-board]").bounding_box()["width"] >= 320


def test_on_a_phone_on_its_side_the_hands_stand_beside_the_board(open_page):
    page = open_page(PLAY, **{**PHONE, "viewport": {"width": 740, "height": 360}})
    board = page.locator("[data-board]").bounding_box()
    hand = page.get_by_role("button", name="Undo", exact=False).first.bounding_box()
    assert hand["x"] >= board["x"] + board["width"]
    assert board["height"] <= 360
