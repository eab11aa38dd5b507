"""Letters with a player's notifications: to the account's verified address, once a day, only new ones."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core import mail
from django.utils import translation

from contest.infra import clock
from contest.models import CollectedLevel, Mailing, Player
from contest.outreach.community import bell
from contest.outreach.newsletter import delivery, digest, subscriptions
from contest.submissions import Entry, at_once
from contest.visibility import Viewer
from tests import cast

pytestmark = pytest.mark.django_db
AT = cast.AFTER
EMAIL = "ann@example.org"


@pytest.fixture(autouse=True)
def _ann(db, settings):
    """Ann has an account with nickname and address; Bo has just passed her."""
    settings.SITE_URL = "https://c.example"
    cast.a_collection()
    level = CollectedLevel.objects.get(place=1)
    with clock.set_to(AT - timedelta(hours=5)):
        at_once.accept_collected(Entry("Ann", "rlrR"), level)
    user = User.objects.create_user("ann", email=EMAIL)
    EmailAddress.objects.create(user=user, email=EMAIL, verified=True)
    Player.objects.filter(nickname="Ann").update(owner=user)
    with clock.set_to(AT - timedelta(hours=2)):
        at_once.accept_collected(Entry("Bo", "rR"), level)
    with clock.set_to(AT), translation.override("en"):
        yield


def subscribe(email: str = EMAIL, topics=("bell",), language: str = "en") -> None:
    subscriptions.subscribe(email, topics, language, clock.now(), is_proved=True)


def letters(at=AT) -> list[str]:
    mail.outbox.clear()
    with clock.set_to(at):
        digest.create_mailings(at)
        while delivery.send():
            pass
    return [str(letter.body) for letter in mail.outbox]


def test_a_passed_player_gets_a_letter_with_the_address_of_the_level():
    subscribe()
    (text,) = letters()
    assert "Bo passed you on corridors 1." in text
    assert "https://c.example/en/collections/corridors/1/" in text
    assert mail.outbox[0].subject == "Leitai: 1 news item for you"
    assert "<" not in text.partition("-- ")[0]
    assert letters(AT + timedelta(minutes=1)) == letters(AT + timedelta(days=1)) == [], "the same is told once"


def test_read_news_is_not_mailed_and_nothing_is_mailed_to_subscribers_of_other_topics():
    subscribe(topics=("news",))
    assert letters() == []
    Mailing.objects.all().delete()
    subscribe(language="zh-hans")
    (text,) = letters()
    assert "https://c.example/zh-hans/collections/corridors/1/" in text
    assert "passed you" not in text
    Mailing.objects.all().delete()
    bell.mark_read(Viewer(proved=frozenset({Player.objects.get(nickname="Ann").pk})), AT)
    assert letters() == []


def test_an_address_not_verified_by_an_account_gets_no_news():
    """A nickname has any address that its sender typed: this proves nothing."""
    EmailAddress.objects.update(verified=False)
    Player.objects.update(email=EMAIL)
    subscribe()
    assert letters() == []
