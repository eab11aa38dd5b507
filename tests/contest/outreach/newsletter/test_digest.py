from datetime import timedelta

import pytest
from django.core import mail
from django.core.exceptions import ValidationError

from contest.infra import clock
from contest.models import Letter, Mailing
from contest.outreach.newsletter import delivery, digest
from tests import cast
from tests.contest.outreach.newsletter.conftest import mail_to_subscribers, sent_in_all, subscribed
from tests.contest.outreach.test_posts import AT, a_post

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("site_of_letters")]


def test_the_opening_is_mailed_once_to_its_subscribers():
    subscribed("a@example.org", ["opening"])
    subscribed("b@example.org", ["news"])
    cast.a_round(12)
    assert digest.create_mailings(cast.OPENS - timedelta(seconds=1)) == 0  # rule 2.8
    with clock.set_to(cast.OPENS + timedelta(minutes=1)):
        assert [digest.create_mailings(clock.now()) for _again in range(2)] == [1, 0]
        sent_in_all()
    assert [letter.to for letter in mail.outbox] == [["a@example.org"]]
    assert mail.outbox[0].subject == "Leitai: Round 12 has opened"
    assert "main of 12" in mail.outbox[0].body


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
    subscribed()
    cast.a_round(12)
    setattr(settings, name, value)
    assert digest.create_mailings(cast.OPENS) == 0
    assert delivery.send() == 0
    with pytest.raises(ValidationError, match="No mail server"):
        digest.mail_post(a_post(), AT, None)
