from datetime import timedelta

import pytest
from playwright.sync_api import expect

from contest import results
from contest.archive.witnesses import checkpoints
from contest.infra import clock
from contest.models import Checkpoint, LuckyNumber, Player
from contest.rounds import lucky_number
from tests import cast, chain
from tests.web.conftest import a_level, a_round

RESULTS = "/en/rounds/6/results/"


@pytest.fixture
def closed(transactional_db):
    round_ = a_round(6, opens_in=-40)
    a_level(round_, title="Old one")
    for place, name in enumerate(["Ann", "山水", "Jürgen", "推箱客", "Bo"]):
        cast.enter(round_, name, 50 + place, 20 + place, at=round_.opens_at + timedelta(days=1))
    return round_


def test_the_draw_can_be_repeated_in_the_page_or_by_hand(closed, open_page):
    """Rule 11.11."""
    with clock.set_to(closed.closes_at + timedelta(hours=1)):
        results.finalise(closed, at=clock.now(), by=None)
    number, drawn = LuckyNumber.objects.get(), closed.snapshots.get().document["draw"]
    page = open_page(RESULTS)
    page.get_by_text("Proof:").click()
    form = page.locator("form.recompute")
    expect(form).to_contain_text(f"SHA-256 = {closed.commitment}")
    expect(form).to_contain_text("It matches the commitment.")
    count = len(drawn["candidates"])
    index = number.number % count
    expect(form.locator("[name=division]")).to_have_text(f"L mod N = {number.number} mod {count} = {index}")
    assert drawn["candidates"][index] == drawn["lucky"]
    lucky = Player.objects.get(archive_number=drawn["lucky"])
    expect(page.locator(".candidates li").nth(index)).to_contain_text(lucky.nickname)
    form.locator("input").fill(f"6|{number.number + 1}|{number.salt}")
    expect(form).to_contain_text("It does not match the commitment.")
    form.locator("input").fill("6|x")
    expect(form).to_contain_text("Write ROUND|L|SALT")
    plain = open_page(RESULTS, java_script_enabled=False)
    expect(plain.locator("form.recompute")).to_be_hidden()
    expect(plain.locator(".draw")).to_contain_text(f"printf '6|{number.number}|")


@pytest.mark.exhaustive
def test_the_page_mixes_in_the_beacons_value_as_the_site_does(closed, open_page):
    """Rules 11.11, 11.14, 11.15."""
    closed.settings["lucky_beacon"] = "drand quicknet"
    closed.save()
    page = open_page(RESULTS)
    division = page.locator("output[name=division]")
    expect(division).to_have_text("")
    lucky_number.enter_beacon(closed, "8990e7a9aaed2ffe" * 4, at=clock.now(), by=None)
    drawn = results.table(results.live(closed, clock.now())).draw
    page.reload()
    expect(division).to_have_text(f"M mod N = {drawn.dividend} mod {drawn.count} = {drawn.index}")


@pytest.mark.django_db(transaction=True, reset_sequences=True)
def test_the_browser_checks_whether_a_submission_is_in_the_tree(transactional_db, cache_of_its_own, open_page):
    """Rule 24.2."""
    a_level(a_round(7, opens_in=-1), cast.CORRIDOR)
    sent = [cast.send(name, "rR").submission for name in ("Ada", "Bo", "Cy")]
    chain.append_all()
    assert checkpoints.make(clock.now())
    page = open_page(f"/en/s/{sent[1].receipt_id}/")
    expect(page.locator("[data-inclusion]")).to_contain_text("Your browser has checked")
    Checkpoint.objects.update(root="0" * 64)
    page.reload()
    expect(page.locator("[data-inclusion]")).to_contain_text("the proof does not hold")
