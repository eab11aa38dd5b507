import pytest
from playwright.sync_api import expect

from contest.models import Player, Round
from tests import old_club
from tests.browser.people import sign_in
from tests.desk.conftest import member

pytestmark = pytest.mark.usefixtures("staffed")


def csv(name: str, content: bytes) -> dict:
    return {"name": name, "mimeType": "text/csv", "buffer": content}


def press(page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url


def test_three_rounds_of_a_club_are_imported_on_a_phone(open_page):
    member("organiser", "Lin")
    page = open_page("/en/desk/", viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    sign_in(page, "Lin")
    page.goto(page.url.replace("/en/desk/", "/en/desk/rounds/guide/tables/"))
    rounds = old_club.published(3, 6)
    tables = [csv("rounds.csv", old_club.rounds_table(rounds)), csv("成绩.csv", old_club.results_table(rounds))]
    page.get_by_label("Tables (.csv)").set_input_files(tables)
    press(page, "Add them")
    page.get_by_role("link", name="Continue with the levels").click()
    page.get_by_label("Or paste levels").fill(old_club.levels_file(rounds))
    press(page, "Add them")
    page.get_by_role("link", name="Continue with the names").click()
    for name in page.get_by_label("This is").all():
        name.select_option(index=1)
    press(page, "Save")
    page.get_by_role("link", name="Continue with the check").click()
    press(page, "Check everything")
    press(page, "Import them")
    expect(page.get_by_text("3 rounds are imported.")).to_be_visible()
    assert (Round.objects.count(), Player.objects.filter(nickname__icontains="zhang").count()) == (3, 1)
    page.get_by_text("Undo this import").click()
    press(page, "Undo the import")
    expect(page.get_by_text("The import is undone: 3 rounds are removed.")).to_be_visible()
