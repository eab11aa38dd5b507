from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core import mail
from django.core.exceptions import ValidationError
from django.utils import translation

from contest.infra import clock
from contest.judging import receipt_chain
from contest.models import CollectedLevel, Letter, Mailing, Player
from contest.outreach.community import bell
from contest.outreach.newsletter import delivery, digest
from contest.submissions import Entry, at_once
from contest.visibility import Viewer
from tests import cast, chain
from tests.contest.outreach.newsletter.conftest import mail_to_subscribers, sent_in_all, subscribed
from tests.contest.outreach.test_posts import AT, a_post

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("site_of_letters")]


def test_the_opening_is_mailed_once_to_its_subscribers():
    subscribed("a@example.org", ["opening"])
    subscribed("b@example.org", ["news"])
    cast.a_round(12)
    assert digest.create_mailings(cast.OPENS - timedelta(seconds=1)) == 0  # rule 2.8
    with clock.set_to(cast.OPENS + timedelta(minutes=1)):
        cast.send("Ada", "rR")
        chain.append_all()
        assert [digest.create_mailings(clock.now()) for _again in range(2)] == [1, 0]
        sent_in_all()
    assert [letter.to for letter in mail.outbox] == [["a@example.org"]]
    assert mail.outbox[0].subject == "Leitai: Round 12 has opened"
    assert "main of 12" in mail.outbox[0].body
    newest = receipt_chain.newest()
    assert f"Receipt chain up to submission {newest.number}: {newest.link}" in mail.outbox[0].body, "rule 24.2"


def test_the_close_is_mailed_a_day_before_and_again_if_it_moves():
    subscribed()
    round_ = cast.a_round(12)
    at = cast.CLOSES - timedelta(hours=24)
    assert [
        digest.create_mailings(at - timedelta(seconds=1)),
        digest.create_mailings(at),
        digest.create_mailings(at),
    ] == [0, 1, 0]
    type(round_).objects.update(closes_at=cast.CLOSES + timedelta(days=7))
    assert digest.create_mailings(at + timedelta(days=7)) == 1
    with clock.set_to(cast.CLOSES + timedelta(days=7)):
        assert sent_in_all() == 0, "it comes too late"
    assert set(Letter.objects.values_list("state", flat=True)) == {Letter.State.EXPIRED}


def test_a_letter_explains_its_reason_and_how_to_unsubscribe():
    """RFC 8058: one-click unsubscribe, also by the mail program; in the reader's language, with a one-line subject."""
    subscribed("a@example.org")
    subscribed("b@example.org", language="zh-hans")
    post = a_post(title_zh="你好", text_zh="正文", title_en="One\nBcc: two", text_en="Text")
    digest.mail_post(post, AT, None)
    sent_in_all()
    letter, chinese = mail.outbox
    assert (letter.subject, chinese.subject) == ("Leitai: One Bcc: two", "Leitai: 你好")
    assert "https://c.example/zh-hans/posts/hello/" in chinese.body
    assert "because you subscribed to “news of the organisers” at https://c.example" in letter.body
    end = letter.extra_headers["List-Unsubscribe"]
    assert end.startswith("<https://c.example/en/mail/")
    assert end.endswith("/end/>")
    assert letter.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_a_post_is_sent_once_and_only_when_it_is_public():
    mail_to_subscribers()
    post = Mailing.objects.get().post
    with pytest.raises(ValidationError, match="sent already"):
        digest.mail_post(post, AT, None)
    with pytest.raises(ValidationError, match="publish it first"):
        digest.mail_post(a_post("later", published_at=AT + timedelta(days=1)), AT, None)
    type(post).objects.update(published_at=None)
    assert sent_in_all() == 0, "it was withdrawn"


@pytest.mark.parametrize(
    ("name", "value"), [("SITE_URL", ""), ("EMAIL_BACKEND", "django.core.mail.backends.console.EmailBackend")]
)
def test_without_a_mail_server_no_letter_is_created_or_sent(settings, name, value):
    mail_to_subscribers()
    cast.a_round(12)
    setattr(settings, name, value)
    assert digest.create_mailings(cast.OPENS) == 0
    assert (delivery.send(), Letter.objects.get().attempts) == (0, 0)
    with pytest.raises(ValidationError, match="No mail server"):
        digest.mail_post(a_post("another"), AT, None)


EMAIL = "ann@example.org"


@pytest.fixture
def ann(site_of_letters):
    cast.a_collection()
    level = CollectedLevel.objects.get(place=1)
    with clock.set_to(cast.AFTER - timedelta(hours=5)):
        at_once.accept_collected(Entry("Ann", "rlrR"), level)
    user = User.objects.create_user("ann", email=EMAIL)
    EmailAddress.objects.create(user=user, email=EMAIL, verified=True)
    Player.objects.filter(nickname="Ann").update(owner=user)
    with clock.set_to(cast.AFTER - timedelta(hours=2)):
        at_once.accept_collected(Entry("Bo", "rR"), level)
    with clock.set_to(cast.AFTER), translation.override("en"):
        yield


def letters(at=cast.AFTER) -> list[str]:
    mail.outbox.clear()
    with clock.set_to(at):
        digest.create_mailings(at)
        sent_in_all()
    return [str(letter.body) for letter in mail.outbox]


def test_a_passed_player_gets_a_letter_with_the_address_of_the_level(ann):
    subscribed(EMAIL, ["bell"])
    (text,) = letters()
    assert "Bo passed you on corridors 1." in text
    assert "https://c.example/en/collections/corridors/1/" in text
    assert mail.outbox[0].subject == "Leitai: 1 news item for you"
    assert "<" not in text.partition("-- ")[0]
    assert letters(cast.AFTER + timedelta(minutes=1)) == letters(cast.AFTER + timedelta(days=1)) == [], (
        "the same is told once"
    )


def test_read_news_is_not_mailed_and_nothing_is_mailed_to_subscribers_of_other_topics(ann):
    subscribed(EMAIL, ["news"])
    assert letters() == []
    Mailing.objects.all().delete()
    subscribed(EMAIL, ["bell"], "zh-hans")
    (text,) = letters()
    assert "https://c.example/zh-hans/collections/corridors/1/" in text
    assert "passed you" not in text
    Mailing.objects.all().delete()
    bell.mark_read(Viewer(proved=frozenset({Player.objects.get(nickname="Ann").pk})), cast.AFTER)
    assert letters() == []


def test_an_address_not_verified_by_an_account_gets_no_news(ann):
    """A nickname has any address that its sender typed: this proves nothing."""
    EmailAddress.objects.update(verified=False)
    Player.objects.update(email=EMAIL)
    subscribed(EMAIL, ["bell"])
    assert letters() == []
