"""Who asked for letters: owners confirm, end and leave; nobody else asks for them."""

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
    subscriptions.ask("Li@Example.org", ALL, "en", AT)
    digest.tell_of_post(a_post(), AT, None)
    assert sent_in_all() == 1
    assert mail.outbox[0].to == ["li@example.org"]
    assert "/en/mail/confirm/" in mail.outbox[0].body


def test_a_verified_address_needs_no_question():
    subscribed()
    assert sent_in_all() == 0
    assert digest.recipients(Topic.NEWS) == 1


def test_nobody_else_changes_what_a_known_address_gets():
    subscribed(topics=["news"])
    subscriptions.ask("li@example.org", ALL, "zh-hans", AT)
    assert Subscriber.objects.get().topics == ["news"]
    assert sent_in_all() == 1
    assert "It gets them already" in mail.outbox[0].body


def test_an_address_is_asked_once_an_hour_and_three_times_at_most():
    for hours in (0, 0.5, 2, 4, 6):
        with clock.set_to(AT + timedelta(hours=hours)):
            subscriptions.ask("li@example.org", ALL, "en", clock.now())
            sent_in_all()
    assert len(mail.outbox) == 3


def test_who_was_asked_three_times_is_asked_again_when_days_have_passed():
    subscribed()
    for hours in (0, 2, 4, 6, 4 + 24 * 3):
        with clock.set_to(AT + timedelta(hours=hours)):
            subscriptions.ask("li@example.org", ALL, "en", clock.now())
            sent_in_all()
    assert len(mail.outbox) == 4
    assert Subscriber.objects.get().asked == 1


def test_an_address_that_gets_no_more_letters_is_asked_when_its_owner_wants_them_again():
    subscribed()
    Subscriber.objects.update(stopped_at=AT)
    subscriptions.ask("li@example.org", ALL, "en", AT)
    digest.tell_of_post(a_post(), AT, None)
    assert sent_in_all() == 1
    assert "/en/mail/confirm/" in mail.outbox[0].body


def test_the_site_cannot_be_used_to_ask_everybody(monkeypatch):
    monkeypatch.setattr(subscriptions, "MOST_ASKED_AN_HOUR", 2)
    for place in range(2):
        subscriptions.ask(f"p{place}@example.org", ALL, "en", AT)
    for known_or_not in ("p0@example.org", "p2@example.org"):
        with pytest.raises(subscriptions.TooMany):
            subscriptions.ask(known_or_not, ALL, "en", AT)
    subscribed()


def test_an_address_that_never_confirmed_is_forgotten_after_three_days():
    subscriptions.ask("li@example.org", ALL, "en", AT)
    with clock.set_to(AT + timedelta(days=3, seconds=1)):
        delivery.send()
    assert not Subscriber.objects.exists()
    assert mail.outbox == []


def test_the_end_forgets_the_address_and_what_waits():
    told()
    subscriptions.end(Subscriber.objects.get())
    assert sent_in_all() == 0
    assert not Letter.objects.exists()


def test_a_link_serves_its_own_purpose_alone():
    one = subscribed()
    link = subscriptions.token(one, "end")
    assert subscriptions.of_token(link, "end") == one
    assert subscriptions.of_token(link, "settings") is None
    assert subscriptions.of_token(f"{link}x", "end") is None


@pytest.mark.parametrize("is_verified", [True, False])
def test_erasing_a_nickname_ends_the_letters_to_its_verified_address_alone(django_user_model, is_verified):
    """Rule 15.6: anybody can enter with somebody else's address."""
    player, _secret = players.create("Li", country="", email="Li@example.org", at=AT)
    user = django_user_model.objects.create_user("li")
    user.emailaddress_set.create(email="li@example.org", verified=is_verified)
    accounts.take_over(player, user)
    subscribed()
    acts.erase(player, None)
    assert Subscriber.objects.exists() != is_verified


def test_erasing_a_nickname_of_no_account_ends_nobodys_letters():
    player, _secret = players.create("Li", country="", email="li@example.org", at=AT)
    subscribed()
    acts.erase(player, None)
    assert Subscriber.objects.exists()


def test_closing_an_account_ends_the_letters_to_its_verified_addresses(django_user_model):
    user = django_user_model.objects.create_user("li")
    user.emailaddress_set.create(email="li@example.org", verified=True)
    subscribed()
    accounts.close(user)
    assert not Subscriber.objects.exists()


def test_the_export_names_the_letters_of_ones_own_addresses_alone():
    subscribed("li@example.org", ["news"])
    subscribed("other@example.org")
    (found,) = subscriptions.export(["Li@example.org"])
    assert (found["email"], found["topics"]) == ("li@example.org", ["news"])
