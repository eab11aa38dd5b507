"""Subscriptions: only the owner of an address confirms, ends and restarts them."""

from datetime import timedelta

import pytest
from django.core import mail

from contest import players
from contest.infra import clock
from contest.models import Letter, Subscriber, Topic
from contest.outreach.newsletter import delivery, digest, subscriptions
from contest.players import accounts, acts
from tests.contest.outreach.newsletter.conftest import ALL, sent_in_all, subscribed, told
from tests.contest.outreach.test_posts import AT, a_post

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("site_of_letters")]


def test_nothing_but_the_question_is_sent_before_the_owner_confirms():
    subscriptions.subscribe("Li@Example.org", ALL, "en", AT)
    digest.mail_post(a_post(), AT, None)
    assert sent_in_all() == 1
    assert mail.outbox[0].to == ["li@example.org"]
    assert "/en/mail/confirm/" in mail.outbox[0].body


def test_nobody_else_changes_what_a_known_address_gets():
    subscribed(topics=["news"])
    subscriptions.subscribe("li@example.org", ALL, "zh-hans", AT)
    assert Subscriber.objects.get().topics == ["news"]
    assert sent_in_all() == 1
    assert "It gets them already" in mail.outbox[0].body


def test_an_address_is_asked_once_an_hour_and_three_times_until_days_have_passed():
    subscribed()
    assert (sent_in_all(), digest.recipients(Topic.NEWS)) == (0, 1), "a verified address needs no question"
    for hours, sent in ((0, 1), (0.5, 1), (2, 2), (4, 3), (6, 3), (4 + 24 * 3, 4)):
        with clock.set_to(AT + timedelta(hours=hours)):
            subscriptions.subscribe("li@example.org", ALL, "en", clock.now())
            assert sent_in_all() == sent
    assert Subscriber.objects.get().asked == 1
    Subscriber.objects.update(stopped_at=AT)  # the subscription has ended, and its owner wants it again
    with clock.set_to(AT + timedelta(days=9)):
        subscriptions.subscribe("li@example.org", ALL, "en", clock.now())
        assert sent_in_all() == 5
    assert "/en/mail/confirm/" in mail.outbox[-1].body


def test_the_site_cannot_be_used_to_ask_everybody(monkeypatch):
    monkeypatch.setattr(subscriptions, "MOST_ASKED_AN_HOUR", 2)
    for place in range(2):
        subscriptions.subscribe(f"p{place}@example.org", ALL, "en", AT)
    for known_or_not in ("p0@example.org", "p2@example.org"):
        with pytest.raises(subscriptions.TooMany):
            subscriptions.subscribe(known_or_not, ALL, "en", AT)
    subscribed()


def test_an_address_that_never_confirmed_is_forgotten_after_three_days():
    subscriptions.subscribe("li@example.org", ALL, "en", AT)
    with clock.set_to(AT + timedelta(days=3, seconds=1)):
        delivery.send()
    assert not Subscriber.objects.exists()
    assert mail.outbox == []


def test_the_end_forgets_the_address_and_what_waits_and_so_does_the_end_of_its_account(django_user_model):
    told()
    subscriptions.end(Subscriber.objects.get())
    assert (sent_in_all(), Letter.objects.count()) == (0, 0)
    user = django_user_model.objects.create_user("li")
    user.emailaddress_set.create(email="li@example.org", verified=True)
    subscribed("li@example.org", ["news"])
    subscribed("other@example.org")
    (found,) = subscriptions.export(["Li@example.org"])
    assert (found["email"], found["topics"]) == ("li@example.org", ["news"])
    accounts.close(user)
    assert Subscriber.objects.get().email == "other@example.org"


def test_a_link_serves_its_own_purpose_alone():
    one = subscribed()
    link = subscriptions.token(one, "end")
    assert subscriptions.of_token(link, "end") == one
    assert subscriptions.of_token(link, "settings") is None
    assert subscriptions.of_token(f"{link}x", "end") is None


@pytest.mark.parametrize("is_verified", [True, False, None])
def test_erasing_a_nickname_ends_the_letters_to_its_verified_address_alone(django_user_model, is_verified):
    """Rule 15.6: anybody can enter with another person's address; None: there is no account."""
    player, _secret = players.create("Li", country="", email="Li@example.org", at=AT)
    user = django_user_model.objects.create_user("li")
    if is_verified is not None:
        user.emailaddress_set.create(email="li@example.org", verified=is_verified)
        accounts.take_over(player, user)
    subscribed()
    subscribed("other@example.org")
    acts.erase(player, None)
    assert Subscriber.objects.count() == (1 if is_verified else 2)
