import re

import pytest
from playwright.sync_api import expect

from contest.models import Submission
from tests.browser.boards import IS_KEPT, PLAY, SOLUTION, moves_sent, shown, solved, wait_for_colours
from tests.browser.hands import press, wait_until

pytestmark = pytest.mark.usefixtures("bend")

WOOD = ("#e7cfa5", "#5d3a22")  # floor and walls by day
NOTE_DEEP_WRITES = """() => {
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (...given) {
        const asked = put.apply(this, given);
        asked.transaction.addEventListener("complete", () => { window.isDeep = true; });
        return asked;
    };
}"""


@pytest.mark.exhaustive
def test_settings_and_notes_are_stored(open_page):
    page = open_page(PLAY, color_scheme="light")
    page.get_by_role("tab", name="Notes").click()
    page.get_by_label("Your notes on this level").fill("The corner first.")
    page.get_by_role("tab", name="Settings").click()
    page.get_by_role("combobox", name="Skin").select_option("wood")
    page.get_by_role("combobox", name="Keys").select_option("vim")
    boxes = page.locator("[data-settings] [type=checkbox]")
    boxes.evaluate_all("(fields) => fields.forEach((field) => field.click())")
    chosen = boxes.evaluate_all("(fields) => fields.map((field) => field.checked)")
    page.reload()
    wait_for_colours(page, *WOOD)
    expect(page.locator("select[name=skin]")).to_have_value("wood")
    assert boxes.evaluate_all("(fields) => fields.map((field) => field.checked)") == chosen
    expect(page.locator("[data-notes]")).to_have_value("The corner first.")
    press(page, "j")
    expect(shown(page, "moves")).to_have_text("1")
    page.get_by_role("tab", name="Settings").click()
    page.get_by_role("combobox", name="Keys").select_option("boxman")
    page.locator("[data-board]").hover()
    page.mouse.wheel(0, -100)  # undoes with these controls
    expect(shown(page, "moves")).to_have_text("0")
    page.goto("/en/editor/")
    wait_for_colours(page, *WOOD)


def test_a_started_level_is_resumed_from_the_home_page_until_it_is_solved(open_page):
    page = open_page("/en/")
    row = page.locator("[data-begun]")
    expect(row).to_be_hidden()
    page.goto(PLAY)
    press(page, *SOLUTION[:3])
    page.goto("/zh-hans/")
    row.get_by_role("link", name="Round 7 · Main").click()
    expect(page).to_have_url(re.compile("/zh-hans/rounds/7/main/play/"))
    expect(shown(page, "moves")).to_have_text("3")
    press(page, *SOLUTION[3:])
    expect(solved(page)).to_be_visible()
    page.goto("/en/")
    expect(row).to_be_hidden()


def test_a_level_is_played_offline_and_sent_when_the_network_returns(open_page, settings):
    """Rule 4.11: queued submissions are sent as a stranger's."""
    page = open_page(PLAY)
    nickname, sent = page.locator("[data-drawer] [name=nickname]"), page.locator("[data-sent]")
    press(page, *SOLUTION, "Control+Enter")
    page.keyboard.type("Ann")
    press(page, "Enter")
    assert moves_sent(page) == "dRRdrU"
    page.goto(PLAY)
    expect(nickname).to_have_value("Ann")
    expect(page.locator("[data-kept]")).to_have_text("Available offline")
    wait_until(page, IS_KEPT)
    page.context.set_offline(True)
    page.reload()
    expect(page.locator("[data-offline]")).to_be_visible()
    assert "Ann" not in page.content()
    expect(nickname).to_have_value("")
    press(page, "r", "ArrowRight", "ArrowLeft", *SOLUTION)
    page.reload()
    expect(shown(page, "moves")).to_have_text("8")
    press(page, "Control+Enter")
    page.keyboard.type("Ann")
    press(page, "Enter")
    expect(sent).to_contain_text("NOT received: you are offline")
    assert Submission.objects.count() == 1
    page.context.set_offline(False)
    page.locator("[data-drawer] form button.button").click()
    expect(page.locator("#verdict")).to_contain_text("8 moves")
    submissions = Submission.objects.order_by("pk").values_list("moves", "player__nickname")
    assert list(submissions) == [(6, "Ann"), (8, "Ann")]


@pytest.mark.exhaustive
def test_a_disabled_service_worker_leaves_nothing_behind(open_page, settings):
    page = open_page(PLAY)
    wait_until(page, IS_KEPT)
    settings.OFFLINE_PLAY = False
    page.evaluate("async () => (await navigator.serviceWorker.getRegistration('/en/rounds/')).update()")
    wait_until(page, "async () => !(await caches.keys()).length")
    wait_until(page, "async () => !(await navigator.serviceWorker.getRegistrations()).length")


@pytest.mark.exhaustive
def test_two_windows_of_one_level_have_separate_games(open_page):
    first = open_page(PLAY)
    press(first, "ArrowDown")
    first.wait_for_function("() => localStorage.getItem('leitai.begun')?.includes('/play/')")
    second = first.context.new_page()
    second.goto(PLAY)
    press(second, "ArrowRight", "ArrowRight")
    first.get_by_role("button", name="Continue the game from the other window").click()
    expect(shown(first, "moves")).to_have_text("3")
    expect(first.locator("[data-other]")).to_be_hidden()
    press(first, "z")
    expect(second.locator("[data-other]")).to_be_visible()
    second.reload()
    expect(shown(second, "moves")).to_have_text("2")


@pytest.mark.exhaustive
def test_a_game_of_half_a_million_moves_is_listed_in_part_and_stored_if_there_is_room(open_page):
    page = open_page(PLAY)
    page.evaluate("localStorage.setItem('ballast', 'x'.repeat(5 * 1024 * 1024 - 3_000))")
    page.evaluate(NOTE_DEEP_WRITES)
    page.locator("[data-lurd] summary").click()
    page.locator("#play-lurd").fill("dRl" + "rl" * 250_000)
    page.get_by_role("button", name="Play these from the start").click()
    expect(shown(page, "moves")).to_have_text("500003")
    runs = page.locator("[data-move-list] button")
    expect(runs.last).to_be_visible()
    assert runs.count() < 130
    expect(page.locator("[data-unkept]")).to_be_hidden()
    page.wait_for_function("() => window.isDeep")
    page.reload()
    expect(shown(page, "moves")).to_have_text("500003")
    page.locator("[data-lurd] summary").click()
    page.locator("#play-lurd").fill("dRl" + "du" * 1_000)
    page.get_by_role("button", name="Play these from the start").click()
    expect(runs.last).to_contain_text("…")
    assert len(runs.last.text_content()) < 300  # thousands of letters would be laid out at each key
