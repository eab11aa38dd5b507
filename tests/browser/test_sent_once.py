"""Forms that are sent by a double click."""

CLICK_TWICE = """form => [1, 2].map(() =>
  form.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true })))"""


def test_the_second_click_of_a_double_click_sends_nothing(open_page, db):
    """The box for searching changes nothing: it may be sent as often as one likes."""
    page = open_page("/en/account/login/")
    assert page.locator("main form[method=post]").first.evaluate(CLICK_TWICE) == [True, False]
    assert page.locator("form.find").evaluate(CLICK_TWICE) == [True, True]
