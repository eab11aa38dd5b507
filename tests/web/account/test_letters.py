import re

import pytest
from django.core import mail
from django.test import Client

from contest.infra import clock
from contest.models import Subscriber, Topic
from contest.outreach.newsletter import delivery, subscriptions
from tests.contest.outreach.newsletter.conftest import subscribed
from tests.contest.outreach.test_posts import AT

pytestmark = pytest.mark.django_db

SUBSCRIPTION = {"email": "li@example.org", "topics": ["news", "opening"], "language": "en"}


@pytest.fixture(autouse=True)
def _site(settings):
    settings.SITE_URL = "https://c.example"
    with clock.set_to(AT):
        yield


def test_only_a_post_to_the_link_confirms_a_subscription(client):
    client.post("/en/mail/", SUBSCRIPTION)
    delivery.send()
    link = re.search(r"https://c\.example(/\S+)", mail.outbox[-1].body)[1]
    assert "Subscribe to emails?" in client.get(link).content.decode()
    assert Subscriber.objects.get().confirmed_at is None
    client.post(link)
    assert Subscriber.objects.get().confirmed_at == AT


def test_the_response_is_the_same_for_known_and_unknown_addresses(client):
    answers = [client.post("/en/mail/", SUBSCRIPTION)]
    subscribed("li@example.org")
    answers.append(client.post("/en/mail/", SUBSCRIPTION))
    assert answers[0].content == answers[1].content


def test_one_click_unsubscribe_needs_no_login_cookie_or_form():
    """RFC 8058."""
    subscriber = subscribed()
    link = f"/en/mail/{subscriptions.sign_token(subscriber, 'end')}/end/"
    strict = Client(enforce_csrf_checks=True)
    assert "One press stops all emails" in strict.get(link).content.decode()
    assert Subscriber.objects.exists()
    assert strict.post(link, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert not Subscriber.objects.exists()


def test_topics_are_changed_by_the_link_in_an_email(client):
    subscriber = subscribed()
    link = f"/en/mail/{subscriptions.sign_token(subscriber, 'settings')}/"
    assert "Saved." in client.post(link, {"topics": ["results"], "language": "zh-hans"}).content.decode()
    changed = Subscriber.objects.get()
    assert (changed.topics, changed.language) == ([Topic.RESULTS], "zh-hans")
