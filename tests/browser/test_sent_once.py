"""Forms that are sent by a double click."""

CLICKS = """(form, count) => [1, 2].map((click) => form.dispatchEvent(new SubmitEvent("submit", {
  bubbles: true, cancelable: true, submitter: form.querySelectorAll("button")[click % count] })))"""


def test_the_second_click_of_a_double_click_sends_nothing(open_page, db):
    """But another button of the form does, and the box for searching may be sent as often as one likes."""
    page = open_page("/en/editor/")
    form = page.locator("form[method=post]:has(button + button)").first
    assert form.evaluate(CLICKS, 2) == [True, True]
    assert form.evaluate(CLICKS, 1) == [False, False]
    assert page.locator("form.find").evaluate(CLICKS, 1) == [True, True]
