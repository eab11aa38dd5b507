"""The player in a real browser: a level is solved and entered by keys, by mouse, by touch and by text, each alone."""

import pytest
from playwright.sync_api import expect

from contest.models import Submission
from tests import sizes
from tests.browser.screens import SCREENS
from tests.web.conftest import a_level, a_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BEND = "#######|#@--.-#|#-$---#|#-----#|#######"


@pytest.fixture(autouse=True)
def _running_round(transactional_db, cache_of_its_own, quick_judge):
    a_level(a_round(7, opens_in=-1), BEND)


def moves_sent(page):
    """The moves of the one submission, when its receipt is shown."""
    expect(page.locator("#verdict")).to_contain_text("Solves", timeout=15_000)
    return bytes(Submission.objects.get().text).decode()


# Taken in the page itself: what the browser is told to hold up may already be on its way.
LOSE_ONE_ANSWER = """() => {
    const real = window.fetch;
    window.fetch = async (...asked) => {
        if (asked[1]?.method !== "POST") return real(...asked);
        window.fetch = real;
        await real(...asked);
        throw new TypeError("the answer got lost");
    };
}"""


def at(page, square):
    """Where a square is on the screen."""
    return page.evaluate(
        """([column, row]) => {
            const frame = document.querySelector("[data-board]").getBoundingClientRect();
            const cell = Math.min(112, Math.floor((frame.width - 20) / 7), Math.floor((frame.height - 20) / 5));
            const left = frame.x + 1 + 18 + (frame.width - 2 - 18 - 7 * cell) / 2;
            const top = frame.y + 1 + 18 + (frame.height - 2 - 18 - 5 * cell) / 2;
            return [left + (column + 0.5) * cell, top + (row + 0.5) * cell];
        }""",
        [ord(square[0]) - ord("A"), int(square[1:]) - 1],
    )


def test_by_keyboard_alone(open_page):
    page = open_page("/en/rounds/7/main/play/")
    for key in ["ArrowDown", "ArrowRight", "ArrowRight", "s", "ArrowRight", "w"]:
        page.keyboard.press(key)
    expect(page.locator("[data-solved]")).to_be_visible()
    page.keyboard.press("Control+Enter")
    page.keyboard.type("Ann")
    page.keyboard.press("Enter")
    assert moves_sent(page) == "dRRdrU"
    assert page.complaints == []


def test_by_mouse_alone(open_page):
    page = open_page("/en/rounds/7/main/play/")
    page.mouse.click(*at(page, "B3"))
    page.mouse.click(*at(page, "C3"))
    page.mouse.click(*at(page, "E2"))
    expect(page.locator("[data-solved]")).to_be_visible()
    page.get_by_role("button", name="Submit this solution").click()
    page.get_by_label("Nickname", exact=True).fill("Ann")
    page.locator("[data-drawer] form button.button").click()
    assert moves_sent(page) == "dRRdrU"
    assert page.complaints == []


def test_after_a_click_on_a_control_the_keys_are_the_games(open_page):
    page = open_page("/en/rounds/7/main/play/")
    for key in ["ArrowDown", "ArrowRight", "ArrowRight", "s", "ArrowRight", "w"]:
        page.keyboard.press(key)
    page.click("[data-act=undo] >> visible=true")
    expect(page.locator("[data-solved]")).to_be_hidden()
    page.keyboard.press("Space")  # redo, not the button again
    expect(page.locator("[data-solved]")).to_be_visible()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_label("Nickname", exact=True)).to_be_focused()


def test_a_control_reached_by_keyboard_keeps_the_keys(open_page):
    page = open_page("/en/rounds/7/main/play/")
    page.keyboard.press("ArrowRight")
    page.locator("[data-act=undo] >> visible=true").first.focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.dataset.act") == "undo"


def test_the_player_takes_the_whole_screen_where_the_browser_lets_it(open_page):
    page = open_page("/en/rounds/7/main/play/")
    page.get_by_role("button", name="Full screen").click()
    page.wait_for_function("() => document.fullscreenElement?.matches('.player')")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-shows=moves]")).to_have_text("1")
    page.get_by_role("button", name="Full screen", pressed=True).click()
    page.wait_for_function("() => !document.fullscreenElement")
    page.add_init_script("Object.defineProperty(document, 'fullscreenEnabled', { value: false })")
    page.set_viewport_size({"width": 360, "height": 740})
    page.reload()
    expect(page.get_by_role("button", name="Menu")).to_be_visible()
    expect(page.get_by_role("button", name="Full screen")).to_have_count(0)


# There is no controller where tests run. This one is held down for one look of the page, however long that takes.
CONTROLLER = """() => {
    let held = null;
    let released = () => {};
    navigator.getGamepads = () => {
        const buttons = Array.from({ length: 17 }, (_, number) => ({ pressed: number === held }));
        if (held === null) released();
        held = null;
        return [{ mapping: "standard", axes: [0, 0, 0, 0], buttons }];
    };
    window.press = (number) => new Promise((resolve) => ([held, released] = [number, resolve]));
    window.dispatchEvent(new Event("gamepadconnected"));
}"""


@pytest.mark.parametrize(("lang", "undo"), sizes.cases([("en", "Pad B")], [("zh-hans", "手柄 B")]))
def test_by_a_controller(open_page, lang, undo):
    page = open_page(f"/{lang}/rounds/7/main/play/")
    page.evaluate(CONTROLLER)
    left, up, right, down, b, y = 14, 12, 15, 13, 1, 3
    for button in [down, right, right, down, right, left, b, up]:
        page.evaluate("number => window.press(number)", button)
    expect(page.locator("[data-solved]")).to_be_visible()
    page.evaluate("number => window.press(number)", b)
    expect(page.locator("[data-solved]")).to_be_hidden()
    page.evaluate("number => window.press(number)", y)
    expect(page.locator("[data-solved]")).to_be_visible()
    assert undo in page.locator("[data-keys]").text_content()
    assert page.complaints == []


def test_by_dragging(open_page):
    page = open_page("/en/rounds/7/main/play/")
    page.mouse.move(*at(page, "C3"))
    page.mouse.down()
    page.mouse.move(*at(page, "E3"), steps=4)
    page.mouse.move(*at(page, "E2"), steps=4)
    page.mouse.up()
    expect(page.locator("[data-solved]")).to_be_visible()


def test_by_touch_alone_on_a_phone(open_page):
    page = open_page("/en/rounds/7/main/play/", viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page.touchscreen.tap(*at(page, "C3"))
    page.touchscreen.tap(*at(page, "E2"))
    expect(page.locator("[data-solved]")).to_be_visible()
    page.get_by_role("button", name="Submit this solution").tap()
    page.get_by_label("Nickname", exact=True).fill("Ann")
    page.locator("[data-drawer] form button.button").tap()
    assert moves_sent(page) == "dRRdrU"
    assert page.complaints == []


def test_by_text_alone(open_page):
    page = open_page("/en/rounds/7/main/play/")
    page.get_by_text("Text mode").click()
    field = page.get_by_label("Command", exact=True)
    for line, answer in [
        ("row 3", "Row 3: wall A3, floor B3, box C3, floor D3–F3, wall G3."),
        ("box c3", "can be pushed to"),
        ("to e2", "Solved. Moves: 6, pushes: 3."),
        ("submit", "The form to submit is open"),
    ]:
        field.fill(line)
        field.press("Enter")
        expect(page.get_by_role("log").locator("p").last).to_contain_text(answer)
    page.keyboard.type("Ann")
    page.keyboard.press("Enter")
    assert moves_sent(page) == "dRRdrU"
    assert page.complaints == []


def test_a_game_goes_on_after_a_reload(open_page):
    page = open_page("/en/rounds/7/main/play/")
    for key in ["ArrowDown", "ArrowRight", "ArrowRight", "z"]:
        page.keyboard.press(key)
    page.reload()
    expect(page.locator('[data-shows="time"]')).to_have_text("2 / 3")
    page.keyboard.press("x")
    expect(page.locator('[data-shows="pushes"]')).to_have_text("2")


def test_the_card_of_a_solution_says_how_much_better_it_is_than_before(open_page):
    solution = ["ArrowDown", "ArrowRight", "ArrowRight", "s", "ArrowRight", "w"]
    page = open_page("/en/rounds/7/main/play/")
    for key in ["ArrowDown", "ArrowUp", *solution]:
        page.keyboard.press(key)
    expect(page.locator("[data-solved-words]")).to_have_text("8 moves · 3 pushes")
    expect(page.locator("[data-gain]")).to_be_hidden()
    for key in [*["z"] * 8, *solution]:
        page.keyboard.press(key)
    expect(page.locator("[data-gain]")).to_have_text("2 moves better than before")
    page.reload()
    expect(page.locator("[data-solved-words]")).to_have_text("6 moves · 3 pushes")
    expect(page.locator("[data-gain]")).to_be_hidden()


def test_a_solution_that_cannot_be_sent_says_so_and_stays(open_page):
    page = open_page("/en/rounds/7/main/play/")
    for key in ["ArrowDown", "ArrowRight", "ArrowRight", "s", "ArrowRight", "w", "Control+Enter"]:
        page.keyboard.press(key)
    page.keyboard.type("Ann")
    page.context.set_offline(True)
    page.keyboard.press("Enter")
    expect(page.locator("[data-sent]")).to_contain_text("NOT received")
    assert not Submission.objects.exists()
    page.context.set_offline(False)
    page.locator("[data-drawer] form button.button").click()
    assert moves_sent(page) == "dRRdrU"


def test_an_answer_that_got_lost_is_asked_for_again(open_page):
    """Rule 5.6."""
    page = open_page("/en/rounds/7/main/play/")
    for key in ["ArrowDown", "ArrowRight", "ArrowRight", "s", "ArrowRight", "w", "Control+Enter"]:
        page.keyboard.press(key)
    page.keyboard.type("Ann")
    page.evaluate(LOSE_ONE_ANSWER)
    page.keyboard.press("Enter")
    expect(page.locator("[data-sent]")).to_contain_text("NOT received")
    assert Submission.objects.count() == 1
    page.locator("[data-drawer] form button.button").click()
    assert moves_sent(page) == "dRRdrU"


def test_a_refusal_stands_beside_its_field(open_page):
    page = open_page("/en/rounds/7/main/play/")
    for key in ["ArrowDown", "ArrowRight", "ArrowRight", "s", "ArrowRight", "w", "Control+Enter", "Enter"]:
        page.keyboard.press(key)
    expect(page.locator("[data-error=nickname]")).to_have_text("The nickname cannot be empty.")
    expect(page.locator("[data-sent]")).to_contain_text("NOT received")
    expect(page.get_by_label("Moves", exact=True)).to_have_value("dRRdrU")


def test_without_javascript_the_level_and_the_form_are_there(open_page):
    page = open_page("/en/rounds/7/main/play/", java_script_enabled=False)
    expect(page.get_by_label("The level as text (XSB)")).to_contain_text("#@--.-#")
    page.get_by_label("Moves", exact=True).fill("dRRdrU")
    page.get_by_label("Nickname", exact=True).fill("Ann")
    page.locator("form.entry button").click()
    expect(page.locator("#verdict")).to_contain_text("Solves", timeout=15_000)


def test_a_turned_board_is_played_as_it_is_seen_and_sent_as_it_was_published(open_page):
    page = open_page("/en/rounds/7/main/play/")
    page.keyboard.press("q")
    # Turned clockwise once, right is what was up.
    for key in ["ArrowLeft", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowDown", "ArrowRight", "Control+Enter"]:
        page.keyboard.press(key)
    page.keyboard.type("Ann")
    page.keyboard.press("Enter")
    assert moves_sent(page) == "dRRdrU"


def test_pasted_moves_are_played_and_the_first_impossible_one_is_named(open_page):
    page = open_page("/en/rounds/7/main/play/")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+L")
    page.keyboard.type("Solution: drruuu")
    page.get_by_role("button", name="Play these from the start").click()
    expect(page.locator("[data-says]")).to_have_text("Move 5 is impossible; the game stands before it.")
    expect(page.locator('[data-shows="moves"]')).to_have_text("4")
    page.get_by_role("button", name="the game before loading").click()
    expect(page.locator('[data-shows="moves"]')).to_have_text("1")


def test_the_keys_chosen_stay_chosen(open_page):
    page = open_page("/en/rounds/7/main/play/")
    page.get_by_role("tab", name="Settings").click()
    page.get_by_role("combobox", name="Keys").select_option("vim")
    page.reload()
    page.keyboard.press("j")
    expect(page.locator('[data-shows="moves"]')).to_have_text("1")
    page.keyboard.press("u")
    expect(page.locator('[data-shows="moves"]')).to_have_text("0")


def colour_at(page, square):
    """What the upper canvas has in the middle of a square."""
    return page.evaluate(
        """([x, y]) => {
            const canvas = document.querySelectorAll("[data-board] canvas")[1];
            const { left, top, width } = canvas.getBoundingClientRect();
            const ratio = canvas.width / width;
            return [...canvas.getContext("2d").getImageData((x - left) * ratio, (y - top) * ratio, 1, 1).data].join();
        }""",
        at(page, square),
    )


def test_marks_of_where_a_box_can_go_lie_on_no_box(open_page):
    page = open_page("/en/rounds/7/main/play/")
    page.wait_for_function("() => document.querySelector('[data-says]') !== null")
    box, floor = colour_at(page, "C3"), colour_at(page, "D3")
    page.mouse.click(*at(page, "C3"))
    expect(page.locator("[data-says]")).to_contain_text("places it can go to")
    page.mouse.move(*at(page, "B5"))
    assert colour_at(page, "C3") == box
    assert colour_at(page, "D3") not in (floor, box)


def test_a_board_of_a_hundred_by_a_hundred_marks_where_a_box_can_go(open_page):
    width = 98
    inside = ["-" * width for _ in range(width)]
    inside[0] = "-@$" + "-" * (width - 4) + "."
    rows = ["#" * (width + 2), *(f"#{row}#" for row in inside), "#" * (width + 2)]
    a_level(a_round(9, opens_in=-1), "|".join(rows))
    page = open_page("/en/rounds/9/main/play/", viewport={"width": 360, "height": 740})
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("[data-says]")).to_have_text(f"Box D2: places it can go to: {width - 1}.")
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+ArrowRight")
    expect(page.locator("[data-solved]")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.complaints == []


@pytest.mark.parametrize(("language", "width"), SCREENS)
def test_the_page_fits_every_screen_with_everything_open(open_page, language, width):
    page = open_page(f"/{language}/rounds/7/main/play/", viewport={"width": width, "height": 800})
    for details in page.locator("details").all():
        details.evaluate("element => { element.open = true; }")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.complaints == []


def test_a_level_in_a_link_is_played(open_page):
    page = open_page("/sokoplayer/?w=5&h=3&lvl=HHHHH|Ha$.H|HHHHH")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-solved]")).to_be_visible()
    expect(page.locator("[data-drawer]")).to_have_count(0)
    page.keyboard.press("Control+Enter")
    expect(page.locator("[data-says]")).to_have_text("Submissions are closed here; copy the moves to keep them.")
    assert page.complaints == []


def test_a_level_rebuilt_from_moves_has_them_ready(open_page):
    page = open_page("/lurd2xsb/drUluRR")
    expect(page.locator("[data-time]")).to_have_attribute("max", "7")
    for _ in range(7):
        page.keyboard.press("Space")
    expect(page.locator("[data-solved]")).to_be_visible()
    assert page.complaints == []
