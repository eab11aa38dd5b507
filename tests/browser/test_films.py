from datetime import timedelta

import pytest
from playwright.sync_api import expect

from contest.infra import clock
from contest.replays import animations
from tests import cast

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def address(transactional_db, live_server):
    now = clock.now()
    round_ = cast.a_round(opens_at=now - timedelta(days=2), closes_at=now - timedelta(days=1))
    replay = cast.enter(round_, "Ada", 2, 1, at=now - timedelta(days=2) + timedelta(hours=1))
    return f"{live_server.url}/en/rounds/1/replays/{replay.pk}/film/gif/"


@pytest.mark.parametrize("with_script", [True, False])
def test_a_film_is_ordered_and_appears_when_it_is_drawn(address, chromium, with_script):
    page = chromium.new_context(java_script_enabled=with_script).new_page()
    page.goto(address)
    page.get_by_role("button", name="Make the GIF").click()
    expect(page.get_by_text("Waiting to be drawn")).to_be_visible()
    animations.draw_waiting(lambda: None)
    expect(page.get_by_role("link", name="Download")).to_be_visible(timeout=10_000)
    if with_script:
        assert page.locator("img.film").evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 0
        expect(page.get_by_role("button", name="Copy").first).to_be_visible()
    page.context.close()
