"""Sentences in the preview of an act, beside the changed tables: titles, emails, ratings, series, levels."""

from datetime import timedelta

import pytest
from django.utils import timezone

from contest.infra import clock
from contest.library import shelf
from contest.models import LibraryLevel, Series, Slot, Subscriber
from contest.wording import times
from tests import cast
from tests.contest.library.test_series import a_level
from tests.desk.test_actions import WHY, round_

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
__all__ = ["round_"]  # a fixture


@pytest.fixture
def weekly(round_):
    """A series whose next round opens a day after the close."""
    names = {"name_zh": "周赛", "name_en": "Weekly"}
    return Series.objects.create(**names, first_opens_at=round_.closes_at + DAY, length_days=6)


def effects(client, round_, act: str, **given) -> list[str]:
    return client.post(f"/en/desk/rounds/{round_.number}/do/{act}/", {**WHY, **given}).context["expected"].effects


def test_final_results_name_champions_the_draw_emails_and_ratings(organiser, round_):
    times_ = {"asked_at": cast.DURING, "confirmed_at": cast.DURING}
    Subscriber.objects.create(email="a@b.example", key="k", wants_results=True, **times_)
    with clock.set_to(cast.AFTER):
        titles, *others = effects(organiser, round_, "finalise")
    assert titles == "Titles: Moves champion: Ann, Pushes champion: Ann, Second champion: Bob."
    assert others == [
        "The draw finds no lucky player.",
        "1 email about the results is sent.",
        "The ratings of 2 players change.",
    ]


def test_a_later_close_names_the_rounds_of_series_that_it_blocks(organiser, round_, weekly):
    later = timezone.localtime(round_.closes_at + 2 * DAY)
    opens = times.format_minute(weekly.first_opens_at)
    message = f"Weekly leaves out its round of {opens}: this round is open then."
    assert effects(organiser, round_, "extend", closes_at=f"{later:%Y-%m-%dT%H:%M}") == [message]
    sooner = timezone.localtime(round_.closes_at + DAY / 2)
    assert effects(organiser, round_, "extend", closes_at=f"{sooner:%Y-%m-%dT%H:%M}") == []


def test_edited_times_of_an_announced_round_name_the_rounds_of_series_that_they_block(organiser, round_, weekly):
    address = f"/en/desk/rounds/{round_.number}/edit/"
    with clock.set_to(round_.opens_at - DAY):
        page = organiser.get(address).context
        fields = {name: page["form"][name].value() for name in page["form"].fields}
        later = timezone.localtime(round_.closes_at + 2 * DAY)
        given = {name: value for name, value in fields.items() if value not in (None, False)}
        asked = organiser.post(address, {**given, "stamp": page["stamp"], "closes_at": f"{later:%Y-%m-%dT%H:%M}"})
    assert [text.startswith("Weekly leaves out its round") for text in asked.context["blocked"]] == [True]


def test_a_cancellation_says_where_the_levels_go(organiser, round_):
    assert effects(organiser, round_, "cancel") == [
        "Its levels stay public, with all that is public about them now. No series takes them again."
    ]
    level = a_level(3)
    with clock.set_to(round_.opens_at - DAY):
        shelf.use_level(level, round_, Slot.EXTRA, at=round_.opens_at - DAY, by=None)
        messages = effects(organiser, round_, "cancel")
    assert messages == [
        "Its levels stay secret: players never see them in this round. Another round may use them.",
        "1 of them is in the library, where you can add it to another round.",
    ]
    assert LibraryLevel.objects.get(pk=level.pk).used_in == round_
