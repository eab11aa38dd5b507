import pytest
from django.core import mail
from django.utils import translation

from contest.infra import clock
from contest.models import Subscriber, Topic
from contest.outreach.newsletter import delivery, digest, subscriptions
from tests.contest.outreach.test_posts import AT, a_post

ALL = Topic.values


@pytest.fixture
def site_of_letters(settings):
    settings.SITE_URL = "https://c.example"
    with clock.set_to(AT), translation.override("en"):
        yield


def subscribed(email: str = "li@example.org", topics=ALL, language: str = "en") -> Subscriber:
    subscriptions.subscribe(email, topics, language, clock.now(), is_proved=True)
    return Subscriber.objects.get(email=email)


def mail_to_subscribers(count: int = 1) -> None:
    for place in range(count):
        subscribed(f"p{place}@example.org")
    digest.mail_post(a_post(), AT, None)


def sent_in_all() -> int:
    while delivery.send():
        pass
    return len(mail.outbox)
