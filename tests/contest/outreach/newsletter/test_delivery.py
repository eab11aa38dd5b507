"""Letters: only to who asked, each once, no faster than allowed, and none where a server refuses."""

import smtplib
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.core import mail
from django.core.exceptions import ValidationError
from django.db import connection
from django.utils import translation

from contest import players, results
from contest.infra import clock
from contest.models import Letter, Mailing, Subscriber, Topic
from contest.outreach.newsletter import delivery, digest, subscriptions
from contest.players import accounts, acts
from tests import cast
from tests.contest.outreach.test_posts import AT, a_post

pytestmark = pytest.mark.django_db

ALL = Topic.values


@pytest.fixture(autouse=True)
def _site(settings):
    settings.SITE_URL = "https://c.example"
    with clock.set_to(AT), translation.override("en"):
        yield


def subscribed(email: str = "li@example.org", topics=ALL, language: str = "en") -> Subscriber:
    subscriptions.ask(email, topics, language, clock.now(), is_proved=True)
    return Subscriber.objects.get(email=email)


def told(count: int = 1) -> None:
    """A post that *count* people are told of."""
    for place in range(count):
        subscribed(f"p{place}@example.org")
    digest.tell_of_post(a_post(), AT, None)


def sent_in_all() -> int:
    while delivery.send():
        pass
    return len(mail.outbox)


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


# Asking and ending


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


# What is told


def test_the_opening_is_told_once_to_who_wants_it():
    subscribed("a@example.org", ["opening"])
    subscribed("b@example.org", ["news"])
    cast.a_round(12)
    with clock.set_to(cast.OPENS + timedelta(minutes=1)):
        assert [digest.collect(clock.now()) for _again in range(2)] == [1, 0]
        sent_in_all()
    assert [letter.to for letter in mail.outbox] == [["a@example.org"]]
    assert mail.outbox[0].subject == "Leitai: Round 12 has opened"
    assert "main of 12" in mail.outbox[0].body


def test_before_the_opening_nothing_is_told():
    """Rule 2.8."""
    subscribed()
    cast.a_round(12)
    assert digest.collect(cast.OPENS - timedelta(seconds=1)) == 0


def test_the_close_is_told_a_day_before_and_again_when_it_moves():
    subscribed()
    round_ = cast.a_round(12)
    at = cast.CLOSES - timedelta(hours=24)
    assert [digest.collect(at - timedelta(seconds=1)), digest.collect(at), digest.collect(at)] == [0, 1, 0]
    type(round_).objects.update(closes_at=cast.CLOSES + timedelta(days=7))
    assert digest.collect(at + timedelta(days=7)) == 1


def test_final_results_are_told():
    subscribed(topics=["results"])
    round_ = cast.a_round(12)
    cast.enter(round_, "Li", 2, 1, at=AT)
    with clock.set_to(cast.AFTER):
        results.finalise(round_, at=clock.now(), by=None)
        assert digest.collect(clock.now()) == 1
        sent_in_all()
    assert mail.outbox[0].subject == "Leitai: The results of Round 12 are final"
    assert "Li" in mail.outbox[0].body


def test_a_reminder_that_comes_after_the_close_is_not_sent():
    subscribed()
    cast.a_round(12)
    digest.collect(cast.CLOSES - timedelta(hours=23))
    with clock.set_to(cast.CLOSES):
        assert sent_in_all() == 0
    assert Letter.objects.get().state == Letter.State.EXPIRED


def test_a_letter_speaks_its_readers_language():
    subscribed("a@example.org", language="zh-hans")
    digest.tell_of_post(a_post(title_zh="你好", text_zh="正文", title_en="Hello", text_en="Text"), AT, None)
    sent_in_all()
    assert mail.outbox[0].subject == "Leitai: 你好"
    assert "https://c.example/zh-hans/posts/hello/" in mail.outbox[0].body


def test_a_letter_says_why_it_comes_and_how_it_ends():
    """RFC 8058: one press, also of the mail program itself."""
    told()
    sent_in_all()
    (letter,) = mail.outbox
    assert "because you subscribed to “news of the organisers” at https://c.example" in letter.body
    end = letter.extra_headers["List-Unsubscribe"]
    assert end.startswith("<https://c.example/en/mail/")
    assert end.endswith("/end/>")
    assert letter.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_a_post_is_sent_once_and_only_when_it_is_public():
    told()
    post = Mailing.objects.get().post
    with pytest.raises(ValidationError, match="sent already"):
        digest.tell_of_post(post, AT, None)
    with pytest.raises(ValidationError, match="publish it first"):
        digest.tell_of_post(a_post("later", published_at=AT + timedelta(days=1)), AT, None)


def test_a_post_taken_back_meanwhile_is_not_sent():
    told()
    type(Mailing.objects.get().post).objects.update(published_at=None)
    assert sent_in_all() == 0


@pytest.mark.parametrize(
    ("name", "value"), [("SITE_URL", ""), ("EMAIL_BACKEND", "django.core.mail.backends.console.EmailBackend")]
)
def test_without_a_mail_server_nothing_is_written_and_nothing_sent(settings, name, value):
    subscribed()
    cast.a_round(12)
    setattr(settings, name, value)
    assert digest.collect(cast.OPENS) == 0
    assert delivery.send() == 0
    with pytest.raises(ValidationError, match="No mail server"):
        digest.tell_of_post(a_post(), AT, None)


# Sending


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


# Leaving


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
