import re

import pytest
from playwright.sync_api import expect

from tests.browser.boards import PHONE
from tests.browser.hands import press, stop_clock, wait_until

KLOTSKI = "/en/lab/klotski/"
IS_KEPT = "async (path) => Boolean(await caches.match(path, { ignoreVary: true }))"


def do(page, name):
    page.get_by_role("button", name=name).click()


def expect_counts(page, text):
    expect(page.locator("[data-count]")).to_have_text(text)


def expect_message(page, text):
    expect(page.locator("[data-says]")).to_have_text(text)


def load(page, layout):
    page.get_by_text("Your own layout").click()
    page.locator("[data-own-text]").fill(layout)
    do(page, "Play this layout")


def deal(page, position):
    page.locator("[data-own-text]").fill(position)
    do(page, "Play this position")


def test_klotski_is_played_by_keyboard_and_as_text_with_hints(open_page):
    page = open_page(KLOTSKI)
    page.locator(".piece[data-cell='13']").focus()
    press(page, "ArrowDown")
    page.get_by_role("link", name="Skip to content").press("Enter")
    expect_counts(page, "Moves: 1 · at best 81")
    do(page, "Undo")
    expect_counts(page, "Moves: 0 · at best 81")
    do(page, "Redo")
    expect_message(page, "Soldier moved to B5.")
    do(page, "Undo")
    do(page, "Next best move")
    expect_message(page, "81 more at best")
    expect(page.locator(".target")).to_have_count(1)
    page.get_by_text("The board as text").click()
    for moves in ("B4d D5l", "A1d", "hello"):
        page.locator("[data-typed]").fill(moves)
        do(page, "Make these moves")
    expect(page.locator("[data-typing-trouble]")).to_contain_text("“hello” is not a move")
    expect_message(page, "A1d: something is in its way.")
    expect_counts(page, "Moves: 2 · at best 81")


@pytest.mark.exhaustive
def test_a_solution_is_played_and_replayed_at_the_chosen_speed(open_page):
    page = open_page("about:blank")
    stop_clock(page)
    page.goto(KLOTSKI)
    page.locator("[data-pace]").select_option("30")
    do(page, "Solve from here")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    page.clock.run_for(30 * 81)
    expect_message(page, "Cao Cao is out in 81 moves. No solution is shorter.")
    page.locator("[data-pace]").select_option("700")
    do(page, "Watch my moves")
    page.clock.run_for(700 * 5)
    expect_counts(page, "Moves: 5 · at best 81")
    do(page, "Stop")
    page.clock.run_for(700 * 5)
    expect_counts(page, "Moves: 5 · at best 81")
    do(page, "Start again")
    expect_counts(page, "Moves: 0 · at best 81")


@pytest.mark.exhaustive
def test_an_own_layout_is_played_by_touch_refused_or_edited_judged_and_shared(open_page):
    page = open_page(KLOTSKI, **PHONE)
    load(page, "VVVV\nVVVV\nVCCo\nVCCo\no..o")
    page.locator(".piece[data-cell='9']").tap()
    expect(page.locator("[data-says]")).to_contain_text("No solution is shorter.")
    page.reload()
    load(page, "VVVV")
    expect(page.locator("[data-own-trouble]")).to_contain_text("5 rows of 4 cells; here rows have: 4")
    expect_counts(page, "Moves: 0 · at best 81")
    cells = page.locator("[data-cells] button")
    cells.nth(16).click()
    expect(page.locator("[data-verdict]")).to_have_text("Still missing: Cao Cao 0, generals 0, soldiers 1.")
    page.get_by_role("radio", name="A soldier").check()
    cells.nth(17).click()
    expect(page.locator("[data-verdict]")).to_contain_text("The solver: out in")
    do(page, "Play this layout")
    expect(page.locator("[data-rows]")).to_have_text("VCCV\nVCCV\nVHHV\nVooV\n.o.o")
    for goal in ("mirror", "upside-down", "rotated"):
        page.locator("[data-goal]").select_option(goal)
        expect(page.locator("[data-says]"), goal).to_contain_text("Form the ")
    do(page, "Copy link")
    expect(page).to_have_url(re.compile("-to-rotated$"))
    page.reload()
    expect(page.locator("[data-goal]")).to_have_value("rotated")
    page.evaluate("location.hash = '%-to-mirror'")
    expect(page.locator("[data-says]")).to_contain_text("A Klotski board has 5 rows of 4 cells")
    page.get_by_role("link", name="Left and right: longest: 1").tap()
    expect_counts(page, "Moves: 0 · at best 165")


# Requests to the server wait until the test answers them.
WAITING = """() => {
    const real = window.fetch;
    const answer = (resolve) => (status, said) => resolve(new Response(JSON.stringify(said), { status }));
    window.asked = [];
    window.fetch = (address, ...rest) => {
        if (!String(address).includes("/strict/")) return real(address, ...rest);
        return new Promise((resolve) => asked.push(answer(resolve)));
    };
}"""


def strict(page, goal="mirror"):
    page.locator("[data-goal]").select_option(goal)
    page.get_by_label("Strict: every piece to its own place").check()


@pytest.mark.exhaustive
def test_the_answer_of_a_strict_game_is_polled_and_not_shown_after_leaving_it(open_page):
    page = open_page(KLOTSKI)
    page.evaluate(WAITING)

    def answer(status, moves=None):
        page.wait_for_function("() => asked.length")
        page.evaluate("([status, moves]) => asked.pop()(status, { moves })", [status, moves])

    strict(page)
    do(page, "Next best move")
    page.locator("[data-goal]").select_option("exit")
    answer(200, "B4d")
    page.evaluate("new Promise((resolve) => setTimeout(resolve))")
    expect_message(page, "Lead Cao Cao to the middle of the lower edge.")
    expect_counts(page, "Moves: 0 · at best 81")
    strict(page, "rotated")
    do(page, "Next best move")
    answer(202)
    answer(200, "B4d")
    expect_message(page, "1 more at best")
    expect(page.locator(".target")).to_have_count(1)
    expect_counts(page, "Moves: 0 · at best 1")
    page.reload()
    page.context.set_offline(True)
    strict(page)
    do(page, "Solve from here")
    expect_message(page, "Strict games are searched on the server: this needs a network.")
    page.locator("[data-goal]").select_option("exit")
    do(page, "Next best move")
    expect_message(page, "81 more at best")


def test_two_clicks_on_the_board_count_the_moves_of_a_knight(open_page):
    page = open_page("/en/lab/knight/")
    page.locator("[data-row='0'][data-column='0']").click()
    page.locator("[data-row='1'][data-column='1']").click()
    expect(page.locator("[data-moves]")).to_have_text("Moves: 4")


def test_an_own_position_is_refused_with_a_message_or_played_against_the_perfect_player(open_page):
    """The first player loses with heaps of 1, 2 and 3; the first stone takes its whole heap."""
    page = open_page("/en/lab/games/")
    stones, enabled = page.locator(".stone"), page.locator(".stone:enabled")
    page.get_by_text("Your own position").click()
    for text, trouble in [
        ("null", "This is not JSON."),
        ('{"game": "nim", "position": [-1]}', "A position of nim has no negative numbers, such as -1."),
        ('{"game": "nim", "position": [1000000]}', "The page shows at most 300 stones"),
    ]:
        deal(page, text)
        expect(page.locator("[data-own-trouble]"), text).to_contain_text(trouble)
    deal(page, '{"game": "nim", "position": [2, 1]}')
    expect(stones).to_have_count(3)
    do(page, "Let the other side begin")
    expect(stones).to_have_count(2)
    do(page, "Undo")
    expect(enabled).to_have_count(3)
    deal(page, '{"game": "nim", "position": [1, 2, 3]}')
    for _heap in range(2):
        enabled.first.click()
    expect_message(page, "The perfect player wins.")


def test_the_studies_of_sokoban_work_and_explain_refusals(open_page):
    page = open_page("/zh-hans/lab/sokoban/")
    series, paths, rebuild, savitch = (
        page.locator(f"[data-section={name}]") for name in ("series", "paths", "rebuild", "savitch")
    )
    for number, message in (("7", "306 步，102 推"), ("99", "这个系列只有第 4 到 25 关，没有 99。")):
        series.locator("[data-number]").fill(number)
        series.locator("[data-number]").press("Tab")
        expect(series).to_contain_text(message)
    expect(paths.locator(".cut")).to_have_count(7)
    paths.locator("[data-target]").select_option(index=5)
    paths.get_by_role("button", name="显示这一关").click()
    paths.locator("[data-target]").select_option(index=1)
    expect(paths.locator("[data-says]")).to_contain_text("推，")
    paths.locator("[data-level]").fill("#####\n#@..#\n#####")
    paths.get_by_role("button", name="显示这一关").click()
    expect(paths.locator("[data-trouble]")).to_contain_text("无法判定")
    rebuild.locator("[data-moves]").fill("rlR")
    rebuild.get_by_role("button", name="还原关卡").click()
    expect(rebuild.locator("[data-trouble]")).to_contain_text("第 3 步（R）是推")
    savitch.locator("[data-all]").click()
    expect(savitch.locator("[data-says]")).to_contain_text("有解")


def test_a_formula_is_built_its_graph_turned_and_a_false_formula_has_no_solution(open_page):
    page = open_page("/en/lab/logic/", **PHONE)
    formula, fewest = page.locator("[data-formula]"), page.locator("[data-fewest]")
    page.locator("[data-clauses] button").first.tap()
    expect(formula).to_have_text("∃x ∃y: (x ∨ y) ∧ (¬x ∨ ¬y)")
    expect(fewest).to_contain_text("17")
    for _turn in range(7):
        page.locator("[data-hint]").tap()
        page.locator(".graph .hinted").press("Enter")
    expect(page.locator("[data-says].won")).to_contain_text("7")
    expect(page.locator("[data-hint]")).to_be_disabled()
    page.locator("[data-undo]").tap()
    expect(page.locator("[data-turns]")).to_have_text("Turns: 6")
    page.locator("[data-example]").select_option("3")
    expect(fewest).to_contain_text("The goal cannot be reached: all 3 configurations were searched.")
    page.locator(".graph .aim").press("Enter")
    expect_message(page, "This edge cannot be turned: its vertex needs 2 and would get only 0.")
    page.get_by_text("The formula as text").tap()
    page.locator("[data-text]").fill("p cnf 2 1\n3 0")
    do(page, "Show this formula")
    expect(page.locator("[data-trouble]")).to_contain_text("There is no variable 3: they are 1 to 2")
    page.locator("[data-text]").fill("p cnf 1 1\na 1 0\n1 -1 0")
    do(page, "Show this formula")
    expect(formula).to_have_text("∀x: (x ∨ ¬x)")
    do(page, "Add a clause")
    expect(page.locator("[data-says]")).to_contain_text("each clause needs a literal")
    expect(page.locator("[data-board]")).to_be_hidden()


@pytest.mark.exhaustive
def test_the_lab_works_offline_after_the_first_visit(open_page):
    page = open_page(KLOTSKI)
    names = ("klotski/", "", "sokoban/")  # the list of labs is loaded with another page
    for name in names:
        page.goto(f"/en/lab/{name}")
        wait_until(page, IS_KEPT, f"/en/lab/{name}")
    page.context.set_offline(True)
    for name in names:
        page.goto(f"/en/lab/{name}")
        expect(page.locator("h1"), name).to_be_visible()


def test_the_path_search_of_this_browser_is_timed_and_its_answers_are_right(open_page):
    page = open_page("/en/lab/speed/")
    copy_times = page.locator("[data-results] + .tsv")
    expect(copy_times).to_be_hidden()
    page.locator("[data-measure]").click()
    expect(page.locator("[data-says]")).to_have_text(
        "All answers are right: 1090 squares, 122 pushes, 386 moves.", timeout=60_000
    )
    for name in ("pushes", "moves", "path"):
        expect(page.locator(f"[data-time={name}]")).to_contain_text(" ms")
    expect(copy_times).to_be_visible()
