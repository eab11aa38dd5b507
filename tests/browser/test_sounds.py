"""Sounds are made in the page, for who wants them."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_player import BEND
from tests.web.conftest import a_level, a_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PLAY = "/en/rounds/7/main/play/"
# Tones are noted by their pitch, noise by the pitch from which it falls.
RECORDER = """
    window.heard = [];
    const { createOscillator, createBiquadFilter } = BaseAudioContext.prototype;
    BaseAudioContext.prototype.createOscillator = function () {
        const tone = createOscillator.call(this);
        const { start } = tone;
        tone.start = (at) => { heard.push(tone.frequency.value); start.call(tone, at); };
        return tone;
    };
    BaseAudioContext.prototype.createBiquadFilter = function () {
        const filter = createBiquadFilter.call(this);
        const { setValueAtTime } = filter.frequency;
        filter.frequency.setValueAtTime = (value, at) => {
            heard.push(value);
            setValueAtTime.call(filter.frequency, value, at);
        };
        return filter;
    };
"""


@pytest.fixture
def page(transactional_db, cache_of_its_own, open_page):
    a_level(a_round(7, opens_in=-1), BEND)
    page = open_page("/en/")
    page.add_init_script(RECORDER)
    page.goto(PLAY)
    expect(page.locator("[data-board] canvas").first).to_be_visible()
    return page


def press(page, keys):
    for key in keys:
        page.keyboard.press(f"Arrow{key}")
    return page.evaluate("heard.splice(0)")


def test_nothing_is_heard_until_somebody_wants_it(page):
    assert press(page, ["Down", "Right", "Left"]) == []


def test_steps_pushes_walls_and_a_solved_level_have_sounds_of_their_own(page):
    page.locator("input[name=sound]").evaluate("(field) => field.click()")
    assert press(page, ["Left"]) == [260]
    assert press(page, ["Down"]) == [500]
    assert press(page, ["Right"]) == [900]
    assert press(page, ["Right", "Down", "Right"]) == [900, 500, 500]
    assert press(page, ["Up"]) == [523, 587, 784]
