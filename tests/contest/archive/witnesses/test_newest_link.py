"""The newest link is published where the site cannot withdraw it (rule 24.2)."""

from datetime import timedelta

import pytest
from django.core import mail

from contest.infra import clock
from contest.judging import receipt_chain
from contest.models import Delivery, Player, Topic
from contest.outreach import webhooks
from contest.outreach.newsletter import delivery, digest, subscriptions
from tests import cast
from tests.contest.archive.test_writer import bind

pytestmark = pytest.mark.django_db


@pytest.fixture
def link():
    with clock.set_to(cast.DURING):
        cast.a_round()
        cast.send("Ada", "rR")
        bind()
        yield receipt_chain.newest()


def test_every_webhook_event_carries_the_newest_link(link, settings):
    before = cast.OPENS - timedelta(days=1)
    webhooks.create_webhook(Player.objects.get(), "https://receiver.example/", webhooks.Kind.values, before)
    webhooks.collect(cast.OPENS + (cast.DURING - cast.OPENS) / 2)
    bodies = list(Delivery.objects.values_list("body", flat=True))
    assert bodies
    assert all(body["chain"] == {"number": link.number, "link": link.link} for body in bodies)


def test_letters_carry_the_newest_link(link, settings):
    settings.SITE_URL = "https://c.example"
    with clock.set_to(cast.OPENS + timedelta(hours=1)):
        subscriptions.subscribe("li@example.org", Topic.values, "en", clock.now(), is_proved=True)
        digest.create_mailings(clock.now())
        while delivery.send():
            pass
    (letter,) = mail.outbox
    assert f"Receipt chain up to submission {link.number}: {link.link}" in letter.body
