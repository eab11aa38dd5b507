from datetime import timedelta

import pytest
from django.core import signing

from contest import clock, judging, practice, questions, ratings, results
from contest.models import Banner
from contest.submissions import Entry, accept
from contest.visibility import Viewer
from tests.contest.outcomes import a_final_round
from tests.web.conftest import TWO_PUSHES, a_level, a_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONG = "Wolfeschlegelsteinhausenbergerdo"


@pytest.fixture
def history(transactional_db):
    """Final rounds, one that is played virtually, one that runs, with long names; the browser is Ann's."""
    at = clock.now()
    for number, names in ((1, ("Ann", LONG)), (2, (LONG, "Ann")), (3, ("Ann", LONG))):
        ratings.update(a_final_round(number, *names, closes_at=at - timedelta(days=100 - number)))
    closed = a_round(6, opens_in=-40)
    a_level(closed, title="Old one")
    running = a_round(7, opens_in=-1)
    a_level(running, TWO_PUSHES)
    with clock.set_to(closed.opens_at + timedelta(hours=1)):
        accept(Entry("Eve", "R", country="GB"), door="web")
        judging.judge_until_empty()
    results.finalise(closed, at=at, by=None)
    sent = accept(Entry("Zoe", "R", round=6, practice=True), door="web")
    judging.judge_until_empty()
    player, viewer = sent.submission.player, Viewer({sent.submission.player_id: sent.claim})
    practice.start(closed, player, viewer=viewer, at=at)
    asked = questions.ask(running, player, "?" * 200, viewer=viewer, at=at)
    questions.answer(asked, zh="可以。", en="", public_text="!" * 200, is_public=True, at=at, by=None)
    Banner.objects.create(text_zh="周日维护。" * 9, shown_from=at - timedelta(hours=1))
    return {"player": player, "claims": signing.dumps({str(player.pk): sent.claim}, salt="claims", compress=True)}


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_every_page_about_players_is_clean(history, open_page, live_server, language, width):
    page = open_page(f"/{language}/", viewport={"width": width, "height": 800})
    page.context.add_cookies([{"name": "claims", "value": history["claims"], "url": live_server.url}])
    year = clock.now().year
    ann = page.goto(f"/{language}/hall/") and page.get_by_role("link", name="Ann").get_attribute("href")
    paths = ["hall/", "seasons/", f"seasons/{year}/", "countries/", "records/", "ratings/"]
    paths += ["rounds/6/virtual/", "rounds/6/main/", "rounds/7/questions/", "rounds/7/", "submit/?round=6&practice=1"]
    for address in (ann, *(f"/{language}/{path}" for path in paths)):
        page.goto(address)
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address
        assert page.complaints == [], address
