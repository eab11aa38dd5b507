"""The lab in a real browser."""

import re

import pytest
from django.core.cache import cache
from playwright.sync_api import expect

from contest.celery import tasks, waking
from solvers.klotski import solve
from solvers.klotski.layout import COLUMNS
from solvers.klotski.moves import layout_after, legal_moves, piece_at
from solvers.klotski.names import classic
from tests.browser.hands import choose_and_press

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ALMOST_OUT = "VVVV\nVVVV\nVCCo\nVCCo\no..o"
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def load(page, layout):
    page.get_by_text("A layout of your own").click()
    page.locator("[data-own-text]").fill(layout)
    page.get_by_role("button", name="Play this layout").click()


def test_klotski_is_played_by_touch_on_a_phone(open_page):
    page = open_page("/en/lab/klotski/", **PHONE)
    load(page, ALMOST_OUT)
    page.locator(".piece[data-cell='9']").tap()
    expect(page.locator("[data-says]")).to_contain_text("No way is shorter.")
    assert page.complaints == []


def test_heng_dao_li_ma_is_solved_on_a_phone(open_page):
    page = open_page("/zh-hans/lab/klotski/", **PHONE)
    page.locator("svg.klotski").scroll_into_view_if_needed()
    layout = classic("横刀立马").layout
    for move in solve(layout).moves:
        finger(page, layout, move)
        layout = layout_after(layout, move)
    expect(page.locator("[data-says]")).to_have_text("曹操走出来了，共 81 步。 没有更短的走法。")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert page.complaints == []


def finger(page, layout, move):
    """Press a piece, and where it is to go unless there is one way only: on a cell that no nearer way covers."""
    piece = piece_at(layout, move.start)
    tap(page, move.start)
    stops = [one.stop for one in legal_moves(layout) if one.start == piece.cell]
    wanted = piece.cell + move.stop - move.start
    if len(stops) == 1:
        return
    others = {cell for stop in stops if stop != wanted for cell in piece._replace(cell=stop).cells}
    ours = [cell for cell in piece._replace(cell=wanted).cells if cell not in piece.cells]
    tap(page, next((cell for cell in ours if cell not in others), ours[-1]))


def tap(page, cell):
    box = page.locator("svg.klotski").bounding_box()
    side = box["width"] / (COLUMNS + 0.4)
    row, column = divmod(cell, COLUMNS)
    page.touchscreen.tap(box["x"] + (column + 0.7) * side, box["y"] + (row + 0.7) * side)


def test_klotski_is_played_by_keyboard(open_page):
    page = open_page("/en/lab/klotski/")
    page.locator(".piece[data-cell='13']").focus()
    page.keyboard.press("ArrowDown")
    page.get_by_role("link", name="Skip to content").press("Enter")
    expect(page.locator("[data-count]")).to_have_text("Moves: 1 · at best 81")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-count]")).to_have_text("Moves: 0 · at best 81")
    page.get_by_role("button", name="Redo").click()
    expect(page.locator("[data-says]")).to_have_text("A soldier moved to B5.")


def test_the_next_best_move_is_marked_and_what_is_left_is_said(open_page):
    page = open_page("/en/lab/klotski/")
    page.get_by_role("button", name="Next best move").click()
    expect(page.locator("[data-says]")).to_have_text("81 more at best")
    expect(page.locator(".target")).to_have_count(1)
    page.get_by_role("button", name="Solve from here").click()
    expect(page.locator("[data-count]")).not_to_contain_text("Moves: 0")
    page.get_by_role("button", name="Stop").click()
    made = int(page.locator("[data-count]").inner_text().split()[1])
    expect(page.locator("[data-says]")).to_have_text(f"{81 - made} more at best")


def test_a_layout_that_is_none_is_refused_in_words(open_page):
    page = open_page("/en/lab/klotski/")
    load(page, "VVVV")
    expect(page.locator("[data-own-trouble]")).to_have_text(
        "A Klotski board has 5 rows of 4 cells; here rows have: 4 (line 1, column 1)."
    )
    expect(page.locator("[data-count]")).to_have_text("Moves: 0 · at best 81")


def test_a_link_leads_to_the_same_mirror_game(open_page):
    page = open_page("/en/lab/klotski/")
    for goal in ("mirror", "upside-down", "rotated"):
        page.locator("[data-goal]").select_option(goal)
        expect(page.locator("[data-says]"), goal).to_contain_text("Form the ")
    page.get_by_role("button", name="Copy link").click()
    there = open_page(page.url.partition("/en")[1] + page.url.partition("/en")[2])
    expect(there.locator("[data-goal]")).to_have_value("rotated")
    there.evaluate("location.hash = '%-to-mirror'")
    expect(there.locator("[data-says]")).to_contain_text("A Klotski board has 5 rows of 4 cells")


def test_two_presses_on_the_board_count_a_knights_moves(open_page):
    page = open_page("/en/lab/knight/")
    page.locator("[data-row='0'][data-column='0']").click()
    page.locator("[data-row='1'][data-column='1']").click()
    expect(page.locator("[data-moves]")).to_have_text("Moves: 4")
    assert page.complaints == []


def test_the_perfect_player_takes_what_is_left(open_page):
    """Of heaps of 1, 2 and 3 whoever begins loses; the first stone takes its whole heap."""
    page = open_page("/en/lab/games/")
    page.get_by_text("A position of your own").click()
    page.locator("[data-own-text]").fill('{"game": "nim", "position": [1, 2, 3]}')
    page.get_by_role("button", name="Play this position").click()
    for _heap in range(2):
        page.locator(".stone:enabled").first.click()
    expect(page.locator("[data-says]")).to_have_text("The perfect player wins.")
    assert page.complaints == []


def strict(page):
    page.locator("[data-goal]").select_option("mirror")
    page.get_by_label("Strict: every piece to its own place").check()


def test_a_strict_game_is_searched_by_a_worker(open_page, monkeypatch, cache_of_its_own):
    cache.clear()
    monkeypatch.setattr(waking, "ask_klotski", tasks.solve_klotski)
    page = open_page("/en/lab/klotski/")
    strict(page)
    page.get_by_role("button", name="Next best move").click()
    expect(page.locator("[data-says]")).to_have_text(re.compile(r"^\d+ more at best$"), timeout=60_000)
    expect(page.locator(".target")).to_have_count(1)
    expect(page.locator("[data-count]")).to_contain_text("at best")


def test_an_answer_that_comes_after_its_game_was_left_is_not_told(open_page):
    page = open_page("/en/lab/klotski/")
    strict(page)
    asked = []
    page.route("**/klotski/strict/**", lambda route, _request: asked.append(route))
    with page.expect_request("**/klotski/strict/**"):
        page.get_by_role("button", name="Next best move").click()
    page.locator("[data-goal]").select_option("exit")
    with page.expect_response("**/klotski/strict/**"):
        asked[0].fulfill(json={"moves": "B4d"})
    page.evaluate("new Promise((resolve) => setTimeout(resolve))")
    assert page.locator("[data-says]").inner_text() == "Lead Cao Cao to the middle of the lower edge."
    assert page.locator("[data-count]").inner_text() == "Moves: 0 · at best 81"


def test_without_a_network_a_strict_game_says_that_it_needs_one_and_the_others_are_played(open_page):
    page = open_page("/en/lab/klotski/")
    page.context.set_offline(True)
    strict(page)
    page.get_by_role("button", name="Solve from here").click()
    expect(page.locator("[data-says]")).to_have_text("Strict games are searched on the server: this needs a network.")
    page.locator("[data-goal]").select_option("exit")
    page.get_by_role("button", name="Next best move").click()
    expect(page.locator("[data-says]")).to_have_text("81 more at best")


def test_a_solution_is_played_and_watched_again_at_the_pace_chosen(open_page):
    page = open_page("/en/lab/klotski/")
    page.locator("[data-pace]").select_option("30")
    page.get_by_role("button", name="Solve from here").click()
    expect(page.locator("[data-says]")).to_have_text("Cao Cao is out in 81 moves. No way is shorter.", timeout=20_000)
    page.locator("[data-pace]").select_option("700")  # slow enough to be seen between two looks
    page.get_by_role("button", name="Watch my moves").click()
    expect(page.locator("[data-count]")).to_have_text("Moves: 5 · at best 81")
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Start again").click()
    expect(page.locator("[data-count]")).to_have_text("Moves: 0 · at best 81")


def test_a_layout_is_put_together_and_judged(open_page):
    page = open_page("/en/lab/klotski/")
    page.get_by_text("A layout of your own").click()
    cells = page.locator("[data-cells] button")
    cells.nth(16).click()
    expect(page.locator("[data-verdict]")).to_have_text("Still missing: Cao Cao 0, generals 0, soldiers 1.")
    page.get_by_role("radio", name="A soldier").check()
    cells.nth(17).click()
    expect(page.locator("[data-verdict]")).to_contain_text("The solver: out in")
    page.get_by_role("button", name="Play this layout").click()
    expect(page.locator("[data-rows]")).to_have_text("VCCV\nVCCV\nVHHV\nVooV\n.o.o")


def test_the_board_is_read_and_played_as_text(open_page):
    page = open_page("/en/lab/klotski/")
    page.get_by_text("The board as text").click()
    page.locator("[data-typed]").fill("B4d D5l")
    page.get_by_role("button", name="Make these moves").click()
    expect(page.locator("[data-count]")).to_have_text("Moves: 2 · at best 81")
    page.locator("[data-typed]").fill("A1d")
    page.get_by_role("button", name="Make these moves").click()
    expect(page.locator("[data-says]")).to_have_text("A1d: something stands in its way.")
    page.locator("[data-typed]").fill("hello")
    page.get_by_role("button", name="Make these moves").click()
    expect(page.locator("[data-typing-trouble]")).to_contain_text("“hello” is not a move")


def test_a_record_layout_is_a_press_away(open_page):
    page = open_page("/en/lab/klotski/")
    page.get_by_role("link", name="Left and right: longest: 1").click()
    expect(page.locator("[data-count]")).to_have_text("Moves: 0 · at best 165")


def test_a_position_of_ones_own_is_played_or_refused_in_words(open_page):
    page = open_page("/en/lab/games/")
    page.get_by_text("A position of your own").click()
    for text, trouble in [
        ("{", "This is not JSON."),
        ("null", "This is not JSON."),
        ('{"game": "nim", "position": [-1]}', "A position of nim has no negative numbers, such as -1."),
        ('{"game": "nim", "position": [1000000]}', "The page shows at most 300 stones"),
        ('{"game": "chess", "position": []}', "There is no game chess"),
    ]:
        page.locator("[data-own-text]").fill(text)
        page.get_by_role("button", name="Play this position").click()
        expect(page.locator("[data-own-trouble]")).to_contain_text(trouble)
    page.locator("[data-own-text]").fill('{"game": "nim", "position": [2, 1]}')
    page.get_by_role("button", name="Play this position").click()
    expect(page.locator(".stone")).to_have_count(3)
    for _twice in range(2):
        page.get_by_role("button", name="Let the other side begin").click()
        expect(page.locator(".stone")).to_have_count(2)
    page.get_by_role("button", name="Undo").click()
    page.locator(".stone").first.click()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".stone:enabled")).to_have_count(3)
    page.locator("[data-own-text]").fill('{"game": "nim", "position": [0]}')
    page.get_by_role("button", name="Play this position").click()
    page.get_by_role("button", name="Let the other side begin").click()
    expect(page.locator("[data-says]")).to_have_text("The perfect player wins.")


def test_the_studies_of_sokoban_work_and_refuse_in_words(open_page):
    page = open_page("/zh-hans/lab/sokoban/")
    series, paths, rebuild, savitch = (
        page.locator(f"[data-section={name}]") for name in ("series", "paths", "rebuild", "savitch")
    )
    series.locator("[data-number]").fill("7")
    series.locator("[data-number]").blur()
    expect(series.locator("[data-numbers]")).to_contain_text("306 步，102 推")
    series.locator("[data-number]").fill("99")
    series.locator("[data-number]").blur()
    expect(series.locator("[data-trouble]")).to_have_text("这个系列只有第 4 到 25 关，没有 99。")
    expect(paths.locator(".cut")).to_have_count(7)
    paths.locator("[data-target]").select_option(index=5)
    paths.get_by_role("button", name="显示这一关").click()
    paths.locator("[data-target]").select_option(index=1)
    expect(paths.locator("[data-says]")).to_contain_text("推，", timeout=10_000)
    paths.locator("[data-level]").fill("#####\n#@..#\n#####")
    paths.get_by_role("button", name="显示这一关").click()
    expect(paths.locator("[data-trouble]")).to_contain_text("无法判定")
    rebuild.locator("[data-moves]").fill("rlR")
    rebuild.get_by_role("button", name="还原关卡").click()
    expect(rebuild.locator("[data-trouble]")).to_contain_text("第 3 步（R）是推")
    savitch.locator("[data-all]").click()
    expect(savitch.locator("[data-says]")).to_contain_text("有解")
    assert page.complaints == []


def test_a_formula_is_built_and_its_graph_turned(open_page):
    page = open_page("/zh-hans/lab/logic/", **PHONE)
    expect(page.locator("[data-fewest]")).to_contain_text("38")
    page.locator("[data-clauses] button").first.tap()
    expect(page.locator("[data-formula]")).to_have_text("∃x ∃y: (x ∨ y) ∧ (¬x ∨ ¬y)")
    expect(page.locator("[data-fewest]")).to_contain_text("17")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    for _turn in range(7):
        page.locator("[data-hint]").tap()
        page.locator(".graph .hinted").press("Enter")
    expect(page.locator("[data-says].won")).to_contain_text("7")
    expect(page.locator("[data-hint]")).to_be_disabled()
    page.locator("[data-undo]").tap()
    expect(page.locator("[data-turns]")).to_contain_text("6")
    assert page.complaints == []


def test_an_edge_that_is_needed_stays_and_a_false_formula_has_no_way(open_page):
    page = open_page("/en/lab/logic/")
    page.locator("[data-example]").select_option("3")
    expect(page.locator("[data-fewest]")).to_have_text(
        "The graph has 13 edges. No order of turns leads to the goal: all 3 configurations were met."
    )
    page.locator(".graph .aim").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-says]")).to_have_text("It is needed: without it its vertex would get 0, and needs 2.")
    expect(page.locator("[data-turns]")).to_have_text("Turns: 0")
    page.get_by_text("The formula as text").click()
    for text, trouble in [
        ("hello", "A formula begins with a line such as"),
        ("p cnf 2 1\n3 0", "There is no variable 3: they are 1 to 2 (line 2, column 1)."),
        ("p cnf 9 1\n9 0", "The page draws formulas of at most 6 variables and 24 literals"),
        ("p cnf 1 1\n0", "A formula becomes a graph if it has a clause, and each clause a literal."),
    ]:
        page.locator("[data-text]").fill(text)
        page.get_by_role("button", name="Show this formula").click()
        expect(page.locator("[data-trouble]"), text).to_contain_text(trouble)
    page.locator("[data-text]").fill("p cnf 1 1\na 1 0\n1 -1 0")
    page.get_by_role("button", name="Show this formula").click()
    expect(page.locator("[data-formula]")).to_have_text("∀x: (x ∨ ¬x)")
    expect(page.locator("[data-fewest]")).to_have_text(
        "The graph has 33 edges. 27 turns lead to the goal, and no fewer."
    )
    page.get_by_role("button", name="One clause more").click()
    expect(page.locator("[data-says]")).to_contain_text("each clause a literal")
    expect(page.locator("[data-board]")).to_be_hidden()
    assert page.complaints == []


def wait_until_kept(page, path):
    for _ in range(200):
        if page.evaluate(f"async () => Boolean(await caches.match('{path}', {{ ignoreVary: true }}))"):
            break
        page.wait_for_timeout(100)


def test_the_lab_opens_without_a_network_once_it_was_opened_and_works_whatever_is_pressed(open_page):
    page = open_page("/en/lab/klotski/")
    wait_until_kept(page, "/en/lab/klotski/")
    pages = ("", "klotski/", "sokoban/", "knight/", "games/", "logic/")
    for name in pages:
        page.goto(f"/en/lab/{name}")
        wait_until_kept(page, f"/en/lab/{name}")
    page.context.set_offline(True)
    for name in pages:
        page.goto(f"/en/lab/{name}")
        expect(page.locator("h1"), name).to_be_visible()
        if name == "klotski/":
            page.get_by_role("button", name="Next best move").click()
            expect(page.locator("[data-says]")).to_have_text("81 more at best")
        if name == "sokoban/":
            expect(page.locator("[data-section=series] .player")).to_be_visible()
        choose_and_press(page)
