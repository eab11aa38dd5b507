import pytest
from playwright.sync_api import expect

from contest.models import GRADED_SLUG, Run
from tests import cast
from tests.browser.boards import PHONE, shown
from tests.browser.hands import press, stop_clock
from tests.browser.people import as_ann

# One push to the right; one step to the left first.
EASY, SECOND, THIRD = "#####|#@$.#|#####", "######|#.$@-#|######", "#######|#@$-.-#|#######"


@pytest.fixture
def graded(transactional_db, cache_of_its_own):
    return cast.a_collection(GRADED_SLUG, [EASY, SECOND, THIRD])


def test_three_minutes_run_out_and_the_run_gets_a_first_name(open_page, graded):
    page = open_page("about:blank")
    stop_clock(page)
    page.goto("/en/run/")
    page.get_by_role("link", name="Three minutes").first.click()
    page.get_by_role("button", name="Start").click()
    expect(shown(page, "clock")).to_have_text("3:00")
    press(page, "ArrowRight")
    expect(shown(page, "solved")).to_have_text("1 / 3")
    page.clock.run_for(60_000)
    expect(shown(page, "clock")).to_have_text("2:00")
    press(page, "ArrowLeft", "ArrowLeft")  # the first leads on, the second solves
    expect(shown(page, "solved")).to_have_text("2 / 3")
    page.get_by_role("button", name="Next level").click()
    page.clock.run_for(120_000)
    expect(page.get_by_role("heading", name="2 levels solved")).to_be_visible()
    expect(page.get_by_text("The run has arrived and its time counts. It needs a name.")).to_be_visible()
    expect(page.get_by_role("button", name="Send the run")).to_be_hidden()  # the form's button sends it
    page.get_by_label("Nickname").fill("Ann")
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="The nickname is yours now")).to_be_visible()
    assert list(Run.objects.values_list("solved", "milliseconds", "is_best_of_day")) == [(2, 180_000, True)]
    page.goto("/en/run/three-minutes/")
    expect(page.get_by_role("button", name="Start")).to_be_visible()  # it does not wait to be sent again
    expect(page.get_by_role("row", name="Ann")).to_have_count(2)


@pytest.mark.exhaustive
def test_an_undone_push_ends_a_run_without_mistakes_and_a_run_waits_for_the_network(open_page, graded):
    page = open_page("/healthz", **PHONE)
    as_ann(page)
    page.goto("/en/run/no-mistake/")
    page.get_by_role("button", name="Start").tap()
    expect(shown(page, "solved")).to_have_text("0 / 3")
    press(page, "ArrowRight")
    page.get_by_role("button", name="Next level").tap()
    press(page, "ArrowRight", "Backspace", "ArrowLeft", "Enter", "ArrowRight")
    expect(shown(page, "solved")).to_have_text("2 / 3")
    page.context.set_offline(True)
    page.get_by_role("button", name="Undo").tap()
    expect(page.get_by_text("A push was undone: that ends this run.")).to_be_visible()
    expect(page.get_by_text("NOT received: you are offline. This browser keeps the run.")).to_be_visible()
    page.context.set_offline(False)
    page.reload()
    expect(page.get_by_text("This run has not been sent yet.")).to_be_visible()
    page.get_by_role("button", name="Send the run").tap()
    expect(page.get_by_text("The run is received. Rank today: 1. Rank of all time: 1.")).to_be_visible()
    assert Run.objects.get().solved == 2
    page.get_by_role("button", name="Run again").tap()
    expect(shown(page, "solved")).to_have_text("0 / 3")
    page.get_by_role("button", name="End the run").tap()
    expect(page.get_by_role("heading", name="0 levels solved")).to_be_visible()
