import re

import pytest
from django.contrib.auth.models import Group, User
from django.core import mail
from django.urls import reverse

from contest import judging
from contest.models import AuditEntry, NameReport, Player
from contest.players import claims, is_proved
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def player(during_round):
    player = cast.send("player", "rR", email="player@example.org").submission.player
    judging.judge_until_empty()
    return player


def act(client, about, name, **fields):
    url = reverse(f"admin:contest_{about._meta.model_name}_act", args=[about.pk, name])
    return client.post(url, {"reason": "because", **fields}, follow=True)


def test_an_organiser_sends_a_claim_link_without_reading_the_address(organiser, player):
    pages = act(organiser, player, "link", to="stored")
    assert mail.outbox[0].to == ["player@example.org"]
    assert "player@example.org" not in pages.content.decode()
    token = re.search(r"/claim/([^/\s]+)/", mail.outbox[0].body).group(1)
    secret = claims.take_link(token, cast.DURING).secret
    assert is_proved(Player.objects.get(), secret, None)
    assert AuditEntry.objects.filter(act="send claim link").exists()
    page = act(organiser, player, "link", to="show").content.decode()  # which the organiser forwards
    token = re.search(r"/claim/([^/\s]+)/", page).group(1)
    assert claims.linked_player(token, cast.DURING)[0] == player


def test_similar_names_are_listed_only_for_users_with_access_to_players(organiser, player):
    cast.send("plaayer", "rR")
    url = reverse("admin:contest_player_lookalikes")
    assert "plaayer" in organiser.get(url).content.decode()
    author = User.objects.create_user("author", is_staff=True)
    author.groups.add(Group.objects.get(name="author"))
    organiser.force_login(author)
    assert organiser.get(url).status_code == 403


def test_a_claim_is_granted_by_a_link_to_the_reporter(organiser, player):
    """Rules 4.7, 4.11."""
    report = NameReport.objects.create(kind="claim", player=player, email="me@example.org", reported_at=cast.DURING)
    page = organiser.get(reverse("admin:contest_namereport_change", args=[report.pk])).content.decode()
    assert "m…@e…" in page
    assert "me@example.org" not in page
    act(organiser, report, "grant", decision="known from the forum")
    report.refresh_from_db()
    assert mail.outbox[0].to == ["me@example.org"]
    assert (report.decided_at is not None, report.email) == (True, "")
    page = organiser.get(reverse("admin:contest_namereport_change", args=[report.pk])).content.decode()
    assert "known from the forum" in page
    assert "/decide/do/" not in page
