from playwright.sync_api import expect


def test_the_reference_shows_and_tries_the_api_on_a_small_phone_without_asking_other_places(open_page):
    page = open_page("/api/docs/try/", viewport={"width": 360, "height": 640})
    page.get_by_text("The clock that counts.").first.click()
    page.get_by_role("button", name="Try it out").click()
    page.get_by_role("button", name="Execute").click()
    expect(page.locator(".live-responses-table")).to_contain_text('"time"')
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
