from playwright.sync_api import expect

from contest.infra import clock
from contest.models import LevelResult, Search, SearchState
from contest.vetting import coaching
from tests import cast
from tests.browser.boards import PHONE, shown
from tests.browser.hands import press
from tests.browser.test_replays import IS_DRAWN, expect_message, expect_position, ready

# One detour before the first push, and one between the second and the third.
LURD = "ddurRRududR"


def test_from_a_receipt_of_the_library_to_the_ghost_of_the_better_way(open_page, transactional_db, cache_of_its_own):
    collection = cast.a_collection("rooms", ["########|#@-----#|#--$--.#|#------#|########"])
    player, _claim = cast.players.create("Ann", country="", email="", at=cast.OPENS)
    LevelResult.objects.create(
        receipt_id="wasteful", level=collection.levels.get(), player=player, sent_as=player, lurd=LURD,
        sha256="0" * 64, moves=len(LURD), pushes=3, received_at=cast.OPENS,
    )  # fmt: skip
    page = open_page("/en/collected/wasteful/", **PHONE)
    page.get_by_role("link", name="Where did the moves go?").tap()
    expect(page.get_by_text("Waiting for its turn.")).to_be_visible()
    search, better = Search.objects.get(), {"lurd": "drRRR", "moves": 5, "pushes": 3}
    found = {"moves": better, "pushes": better}
    proved = {"stretches": coaching.find_stretches(search, found), "least_moves": 5, "least_pushes": 3}
    Search.objects.update(state=SearchState.DONE, answer="solved", found=found, **proved)
    expect(page.get_by_text("6 moves lost. All by walking round. More cannot be saved: proved.")).to_be_visible()
    expect(page.get_by_text("No solution has fewer pushes: proved.")).to_be_visible()
    ready(page)
    first, second = page.locator("[data-stretch]").all()
    second.focus()
    press(page, "Enter")
    expect_position(page, 6, 2)
    expect_message(page, "−4 moves here: the ghost goes the better way.")
    expect(second).to_have_attribute("aria-current", "true")
    page.wait_for_function(IS_DRAWN, arg="over")
    page.get_by_role("button", name="To the end").tap()
    page.wait_for_function(f"() => !({IS_DRAWN})('over')")
    page.locator("[data-cost] rect").first.tap()
    expect(first).to_have_attribute("aria-current", "true")
    expect_position(page, 1, 0)
    page.wait_for_function(IS_DRAWN, arg="over")


def test_a_lost_position_shows_its_boxes_and_goes_back_to_before_the_mistake(open_page, transactional_db):
    cast.a_round()
    with clock.set_to(cast.AFTER):
        page = open_page("/en/rounds/1/extra/play/", **PHONE)
        for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft"):
            press(page, key)
        expect(shown(page, "moves")).to_have_text("4")
        back = page.get_by_role("button", name="Undo to before the mistake")
        expect(back).to_be_hidden()
        page.locator("[data-act=menu]").tap()
        with page.expect_response("**/hint/"):
            page.get_by_role("button", name="Still solvable?").tap()
        expect_message(page, "The solver is checking this position …")
        loss = {"boxes": [13], "reach": [7, 13, 19], "push": 1, "moves": 3}
        Search.objects.update(state=SearchState.DONE, answer="unsolvable", loss=loss)
        expect_message(page, "No: the marked box can never get to a goal. It was lost with push 1.")
        back.tap()
        expect(shown(page, "moves")).to_have_text("3")
        expect(back).to_be_hidden()
