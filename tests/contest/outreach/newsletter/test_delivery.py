"""Letters: only to who asked, each once, no faster than allowed, and none where a server refuses."""

import smtplib
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.core import mail
from django.db import connection

from contest.infra import clock
from contest.models import Letter, Subscriber, Topic
from contest.outreach.newsletter import delivery, digest, subscriptions
from tests.contest.outreach.newsletter.conftest import ALL, sent_in_all, subscribed, told
from tests.contest.outreach.test_posts import AT, a_post

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("site_of_letters")]


class Server:
    """A mail server that answers as it is told, to every letter or to those of one address."""

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


def test_no_more_leave_in_a_minute_than_allowed(settings):
    settings.MAIL_PER_MINUTE = 3
    told(5)
    assert sent_in_all() == 3
    with clock.set_to(AT + timedelta(seconds=61)):
        assert sent_in_all() == 5


def test_a_question_to_an_owner_goes_before_a_long_mailing(settings):
    settings.MAIL_PER_MINUTE = 1
    told(3)
    subscriptions.ask("new@example.org", ALL, "en", AT)
    sent_in_all()
    assert mail.outbox[0].to == ["new@example.org"]


def test_a_worker_killed_while_sending_leaves_one_letter_in_doubt_and_nobody_gets_two():
    told(3)
    assert delivery._claim() is not None  # and dies here
    assert sent_in_all() == 2
    with clock.set_to(AT + timedelta(minutes=6)):
        assert sent_in_all() == 2
        assert Letter.objects.get(state=Letter.State.DOUBTFUL).answer == "cut off"
        assert delivery.condition(clock.now()).doubtful == 1


def test_a_letter_in_doubt_is_so_only_until_its_worker_comes_back():
    told()
    held = delivery._claim()
    with clock.set_to(AT + timedelta(minutes=6)):
        delivery.send()
        assert Letter.objects.get().state == Letter.State.DOUBTFUL
        delivery._note(held, Letter.State.SENT, "")
    assert Letter.objects.get().state == Letter.State.SENT


def test_a_worker_whose_clock_runs_ahead_doubts_no_letter_of_the_others(monkeypatch):
    told()
    assert delivery._claim() is not None
    monkeypatch.setattr(clock, "now_at_database", lambda: AT)
    with clock.set_to(AT + timedelta(hours=1)):
        delivery.send()
    assert Letter.objects.get().state == Letter.State.SENDING


def test_two_workers_never_take_the_same_letter():
    told()
    assert [delivery._claim() is not None, delivery._claim() is not None] == [True, False]


def test_a_server_that_is_down_costs_nothing(monkeypatch):
    told()
    server = Server(monkeypatch, ConnectionRefusedError())
    assert delivery.send() == 0
    assert Letter.objects.get().attempts == 0
    assert delivery.send() == 1
    assert len(server.taken) == 1


def test_what_is_put_off_is_tried_again_after_growing_pauses_and_then_given_up(monkeypatch):
    told()
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
def test_an_address_that_refuses_several_letters_gets_no_more(monkeypatch, settings, most):
    settings.MAIL_MOST_REFUSALS = most
    subscribed("p0@example.org")
    Server(monkeypatch, *[refused(550)] * most)
    assert delivery.condition(AT).resting == 0
    for place in range(most + 1):
        digest.tell_of_post(a_post(f"post-{place}"), AT, None)
        delivery.send()
    assert Subscriber.objects.get().stopped_at == AT
    assert digest.recipients(Topic.NEWS) == 0
    assert Letter.objects.count() == most
    assert delivery.condition(AT).resting == 1


def test_an_address_that_rests_gets_letters_again_once_its_owner_confirms_it(monkeypatch, settings):
    settings.MAIL_MOST_REFUSALS = 1
    subscribed("p0@example.org")
    Server(monkeypatch, refused(550))
    digest.tell_of_post(a_post(), AT, None)
    delivery.send()
    subscriptions.confirm(Subscriber.objects.get(), AT)
    assert (delivery.condition(AT).resting, digest.recipients(Topic.NEWS)) == (0, 1)


def test_a_letter_that_arrives_forgives_the_refusals_before(monkeypatch):
    subscribed("p0@example.org")
    Server(monkeypatch, refused(550), None)
    for place in range(2):
        digest.tell_of_post(a_post(f"post-{place}"), AT, None)
        delivery.send()
    assert Subscriber.objects.get().failures == 0


def test_a_line_cut_in_mid_letter_leaves_it_in_doubt_and_ends_the_batch(monkeypatch):
    told(2)
    Server(monkeypatch, smtplib.SMTPServerDisconnected("gone"))
    assert delivery.send() == 1
    assert sorted(Letter.objects.values_list("state", flat=True)) == ["doubtful", "waiting"]


def test_an_address_that_cannot_be_encoded_holds_up_no_other_letter():
    told(2)
    Subscriber.objects.filter(email="p0@example.org").update(email=f"a@{'é' * 60}.com")
    assert sent_in_all() == 1
    assert Letter.objects.get(state=Letter.State.FAILED).answer == "unsendable"
    assert sorted(Subscriber.objects.values_list("failures", flat=True)) == [0, 1], "it counts as refused"


def test_a_subject_is_one_line():
    subscribed()
    digest.tell_of_post(a_post(title_en="One\nBcc: two", text_en="Text"), AT, None)
    sent_in_all()
    assert mail.outbox[0].subject == "Leitai: One Bcc: two"


def test_letters_that_wait_too_long_are_trouble(settings):
    settings.MAIL_PER_MINUTE = 1
    told(2)
    assert delivery.condition(AT + timedelta(minutes=31)).is_well
    assert delivery.condition(AT + timedelta(minutes=33)).is_late


def test_the_answer_of_the_server_is_kept_without_the_address(monkeypatch):
    told()
    Server(monkeypatch, refused(550))
    delivery.send()
    assert Letter.objects.get().answer == "550"


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_workers_at_the_same_instant_take_each_letter_once():
    if connection.vendor != "postgresql":
        pytest.skip("SQLite lets one writer in at a time")
    told(20)

    def take(_worker):
        taken = []
        while letter := delivery._claim():
            taken.append(letter.pk)
        connection.close()
        return taken

    with ThreadPoolExecutor(4) as workers:
        taken = [pk for one in workers.map(take, range(4)) for pk in one]
    assert len(taken) == len(set(taken)) == 20
