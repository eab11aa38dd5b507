"""The API's page in a real browser, under the site's own content security policy."""

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_reference_shows_and_tries_the_api_without_asking_other_places(open_page):
    page = open_page("/api/docs/try/")
    page.get_by_text("The clock that counts.").first.click()
    page.get_by_role("button", name="Try it out").click()
    page.get_by_role("button", name="Execute").click()
    page.get_by_text("Response body").wait_for()
    assert '"time"' in page.locator(".live-responses-table").inner_text()
    assert page.complaints == []


def test_the_reference_fits_a_small_phone(open_page):
    page = open_page("/api/docs/try/", viewport={"width": 360, "height": 640})
    page.get_by_text("The clock that counts.").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.complaints == []
