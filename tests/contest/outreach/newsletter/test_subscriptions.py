import smtplib
from datetime import timedelta
from itertools import chain, repeat
from unittest.mock import Mock

import pytest
from django.core import mail

from contest import players
from contest.infra import clock
from contest.models import Letter, Subscriber, Topic
from contest.outreach.newsletter import delivery, digest, subscriptions
from contest.players import accounts, acts
from tests.contest.outreach.newsletter.conftest import ALL, mail_to_subscribers, sent_in_all, subscribed
from tests.contest.outreach.test_posts import AT, a_post

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("site_of_letters")]


def test_an_unconfirmed_address_gets_one_letter_and_is_deleted_after_three_days():
    subscriptions.subscribe("Li@Example.org", ALL, "en", AT)
    digest.mail_post(a_post(), AT, None)
    assert sent_in_all() == 1
    assert mail.outbox[0].to == ["li@example.org"]
    in_english, in_chinese = (mail.outbox[0].body.index(f"/{code}/mail/confirm/") for code in ("en", "zh-hans"))
    assert in_english < in_chinese
    with clock.set_to(AT + timedelta(days=3, seconds=1)):
        delivery.send()
    assert (Subscriber.objects.count(), len(mail.outbox)) == (0, 1)


def test_only_the_owner_changes_the_topics_of_a_known_address():
    subscribed(topics=["news"])
    subscriptions.subscribe("li@example.org", ALL, "zh-hans", AT)
    assert Subscriber.objects.get().topics == ["news"]
    assert sent_in_all() == 1
    assert "It is already subscribed" in mail.outbox[0].body


def test_an_address_gets_one_confirmation_an_hour_and_three_in_all():
    subscribed()
    assert (sent_in_all(), digest.count_recipients(Topic.NEWS)) == (0, 1), "a verified address needs no question"
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


@pytest.mark.parametrize("limit", ["MOST_ASKED_AN_HOUR", "MOST_OF_NETWORK"])
def test_confirmations_per_hour_are_limited_but_not_for_a_network_that_asked_for_none(monkeypatch, limit):
    monkeypatch.setattr(subscriptions, limit, 2)
    for place in range(2):
        subscriptions.subscribe(f"p{place}@example.org", ALL, "en", AT, address="203.0.113.1")
    for known_or_not in ("p0@example.org", "p2@example.org"):
        with pytest.raises(subscriptions.TooMany):
            subscriptions.subscribe(known_or_not, ALL, "en", AT, address="203.0.113.2")
    subscriptions.subscribe("p3@example.org", ALL, "en", AT, address="198.51.100.1")
    subscribed()
    assert not Subscriber.objects.exclude(confirmed_at=None).exclude(network="").exists()


def test_unsubscribing_or_closing_the_account_deletes_the_address_and_its_letters(django_user_model):
    mail_to_subscribers()
    subscriptions.unsubscribe(Subscriber.objects.get())
    assert (sent_in_all(), Letter.objects.count()) == (0, 0)
    user = django_user_model.objects.create_user("li")
    user.emailaddress_set.create(email="li@example.org", verified=True)
    subscribed("li@example.org", ["news"])
    subscribed("other@example.org")
    (exported,) = subscriptions.export(["Li@example.org"])
    assert (exported["email"], exported["topics"]) == ("li@example.org", ["news"])
    accounts.close(user)
    assert Subscriber.objects.get().email == "other@example.org"


def test_a_link_works_for_its_own_purpose_only():
    one = subscribed()
    link = subscriptions.sign_token(one, "end")
    assert subscriptions.find_by_token(link, "end") == one
    assert subscriptions.find_by_token(link, "settings") is None
    assert subscriptions.find_by_token(f"{link}x", "end") is None


@pytest.mark.parametrize("is_verified", [True, False, None])
def test_erasing_a_nickname_unsubscribes_its_verified_address_only(django_user_model, is_verified):
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


def set_server(monkeypatch, *errors, is_down=False):
    """Let a mail server answer one letter after another with *errors*, and take those that follow."""
    connection = Mock()
    connection.open.side_effect = ConnectionRefusedError if is_down else None
    connection.send_messages.side_effect = chain(errors, repeat(1))
    monkeypatch.setattr(delivery, "get_connection", lambda: connection)


def refused(code: int) -> smtplib.SMTPRecipientsRefused:
    return smtplib.SMTPRecipientsRefused({"p0@example.org": (code, b"no")})


def test_letters_per_minute_are_limited_and_confirmations_go_first(settings):
    settings.MAIL_PER_MINUTE = 3
    mail_to_subscribers(4)
    subscriptions.subscribe("new@example.org", ALL, "en", AT)
    assert sent_in_all() == 3
    assert mail.outbox[0].to == ["new@example.org"]
    with clock.set_to(AT + timedelta(seconds=61)):
        assert sent_in_all() == 5


def test_a_worker_killed_while_sending_leaves_one_letter_in_doubt_and_sends_none_twice():
    mail_to_subscribers(3)
    assert delivery._claim_letter() is not None  # and the process dies here
    assert sent_in_all() == 2
    with clock.set_to(AT + timedelta(minutes=6)):
        assert sent_in_all() == 2
        assert Letter.objects.get(state=Letter.State.DOUBTFUL).answer == "cut off"
        assert delivery.queue_condition(clock.now()).doubtful == 1


def test_a_deferred_letter_is_retried_after_growing_pauses_and_then_given_up(monkeypatch):
    mail_to_subscribers()
    set_server(monkeypatch, is_down=True)
    assert delivery.send() == 0
    assert Letter.objects.get().attempts == 0, "a server that is down costs nothing"
    at = AT
    set_server(monkeypatch, *[refused(451)] * 9)
    for pause in (*delivery.PAUSES, timedelta(0)):
        with clock.set_to(at):
            assert delivery.send() == 1
        with clock.set_to(at + pause - timedelta(seconds=1)):
            assert delivery.send() == 0
        at += pause
    assert Letter.objects.get().state == Letter.State.FAILED
    assert Subscriber.objects.get().failures == 0


@pytest.mark.parametrize("most", [1, 3])
def test_an_address_that_refuses_several_letters_is_stopped_until_confirmed_again(monkeypatch, settings, most):
    settings.MAIL_MOST_REFUSALS = most
    subscribed("p0@example.org")
    set_server(monkeypatch, *[refused(550)] * most)
    assert delivery.queue_condition(AT).resting == 0
    for place in range(most + 1):
        digest.mail_post(a_post(f"post-{place}"), AT, None)
        delivery.send()
    assert Subscriber.objects.get().stopped_at == AT
    assert digest.count_recipients(Topic.NEWS) == 0
    assert Letter.objects.count() == most
    assert set(Letter.objects.values_list("answer", flat=True)) == {"550"}, "without the address"
    assert delivery.queue_condition(AT).resting == 1
    subscriptions.confirm(Subscriber.objects.get(), AT)  # the owner does so
    assert (delivery.queue_condition(AT).resting, digest.count_recipients(Topic.NEWS)) == (0, 1)
    Subscriber.objects.update(failures=1)
    digest.mail_post(a_post("another"), AT, None)
    assert delivery.send() == 1
    assert Subscriber.objects.get().failures == 0, "a letter that arrives forgives the refusals before"


def test_a_connection_lost_during_a_letter_leaves_it_in_doubt_and_ends_the_batch(monkeypatch):
    mail_to_subscribers(2)
    set_server(monkeypatch, smtplib.SMTPServerDisconnected("gone"))
    assert delivery.send() == 1
    assert sorted(Letter.objects.values_list("state", flat=True)) == ["doubtful", "waiting"]


def test_an_address_that_cannot_be_encoded_delays_no_other_letter():
    mail_to_subscribers(2)
    Subscriber.objects.filter(email="p0@example.org").update(email=f"a@{'é' * 60}.com")
    assert sent_in_all() == 1
    assert Letter.objects.get(state=Letter.State.FAILED).answer == "unsendable"
    assert sorted(Subscriber.objects.values_list("failures", flat=True)) == [0, 1], "it counts as refused"
