import smtplib
from datetime import timedelta

import pytest
from django.core import mail

from contest.infra import clock
from contest.models import Letter, Subscriber, Topic
from contest.outreach.newsletter import delivery, digest, subscriptions
from tests.contest.outreach.newsletter.conftest import ALL, mail_to_subscribers, sent_in_all, subscribed
from tests.contest.outreach.test_posts import AT, a_post

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("site_of_letters")]


class Server:
    """A mail server with a given reply, to every letter or to those for one address."""

    def __init__(self, monkeypatch, *answers):
        self.answers, self.taken = list(answers), []
        monkeypatch.setattr(delivery, "get_connection", lambda: self)

    def open(self):
        if self.answers and isinstance(self.answers[0], ConnectionRefusedError):
            raise self.answers.pop(0)

    def close(self):
        pass

    def send_messages(self, messages):
        if self.answers and (answer := self.answers.pop(0)):
            raise answer
        self.taken += messages
        return len(messages)


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
    Server(monkeypatch, ConnectionRefusedError())
    assert delivery.send() == 0
    assert Letter.objects.get().attempts == 0, "a server that is down costs nothing"
    at = AT
    Server(monkeypatch, *[refused(451)] * 9)
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
    Server(monkeypatch, *[refused(550)] * most)
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
    Server(monkeypatch, smtplib.SMTPServerDisconnected("gone"))
    assert delivery.send() == 1
    assert sorted(Letter.objects.values_list("state", flat=True)) == ["doubtful", "waiting"]


def test_an_address_that_cannot_be_encoded_delays_no_other_letter():
    mail_to_subscribers(2)
    Subscriber.objects.filter(email="p0@example.org").update(email=f"a@{'é' * 60}.com")
    assert sent_in_all() == 1
    assert Letter.objects.get(state=Letter.State.FAILED).answer == "unsendable"
    assert sorted(Subscriber.objects.values_list("failures", flat=True)) == [0, 1], "it counts as refused"
