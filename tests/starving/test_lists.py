"""Lists that players or strangers can make long are read and shown a page at a time."""

import math
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Model, QuerySet
from django.test import Client

from contest import models
from contest.infra import clock
from contest.outreach import webhooks
from contest.players import api_tokens
from tests import cast, sizes
from tests.browser import whole_site
from tests.starving.growth import Cost, Templates, cost_of, grow

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.one_database,
    pytest.mark.skipif(connection.vendor != "sqlite", reason="rows are counted by the driver of SQLite"),
]
MANY = 110  # more rows than any page lists
OWN = r"/en/(me/|me/(tokens|webhooks|following|news)/|rounds/\d+/(questions|virtual|sealed)/|propose/)$"
DESK = r"/en/desk/(|people/|people/all/|comments/|proposals/|record/)$"
# Addresses whose answers are long on purpose, with reasons.
WHOLE = {
    # Complete lists of lines or levels, counted by their length at the gate (`rate_limits.LISTS`, `EXPORT`).
    r"/api/v1/\w+\.ndjson|/en/me/export\.json|/solution_table\.php",
    # Results are one document; an organiser gives a prize to anybody who took part.
    r"/rounds/\d+/(results\.json|archive\.zip)|/en/desk/prizes/\d+/$",
    # Files of up to 250 addresses for search engines.
    r"/sitemap-",
}
# Pages computed from the rows of all players once for each final round, and then cached; and from all names.
COMPUTED = {
    r"/(en|api/v1)/(hall|seasons|countries|ratings|players/\d+)|/en/rounds/\d+/$",
    r"/admin/contest/player/lookalikes/|/en/desk/rounds/guide/(names|check)/",
}
# The first view stores under each of the viewer's names that the solutions of the round were seen (rule 20.3).
SOLUTION = r"/rounds/\d+/replays/"
VALUES = {
    "night": ["2026-01-01"], "app_label": ["contest"], "id": [1], "object_id": [1], "url": ["x"], "act": ["void"],
    "content_type_id": [1], "search_id": [whole_site.QUESTION],
}  # fmt: skip


def templates(site: whole_site.Site) -> Templates:
    """Return the rows to copy: of the player who views their own pages, where players have such rows."""
    at, home = clock.now(), models.Player.objects.get(nickname=whole_site.HOME)
    final, running = (models.Round.objects.get(number=number) for number in (site.final, site.open))
    api_tokens.make(home, None, at, scopes=["read"])
    webhooks.send_test(webhooks.create_webhook(home, "https://ann.example/", ["opened"], at), at)
    models.NameReport.objects.create(player=home, kind="offensive", text="No! " * 99, reported_at=at)
    models.Question.objects.create(round=running, player=home, text="May I? " * 99, asked_at=at)
    models.VirtualStart.objects.create(round=final, player=home, started_at=at)
    models.CommentReport.objects.create(comment=models.Comment.objects.latest("pk"), text="No!", reported_at=at)
    models.Film.objects.create(
        key="k", submission=models.Submission.objects.filter(round=final)[0], asked_at=at, used_at=at
    )
    models.Proposal.objects.update(player=home, account=None, kept_as=None)
    # A round gives each title to one player: copies have none.
    models.Placing.objects.update(place=50, is_mmc=False, is_mpc=False, is_second=False, is_lucky=False)
    models.Player.objects.filter(pk=home.pk).update(owner=User.objects.get(username=whole_site.HOME))
    of_players = [
        *(models.Submission, models.Token, models.Webhook, models.Question, models.NameReport, models.Proposal),
        *(models.LevelResult, models.Run, models.Star, models.Comment, models.SealedAnswer, models.VirtualStart),
    ]
    others = (
        models.Delivery,
        models.CommentReport,
        models.Placing,
        models.Rating,
        models.Film,
        models.Search,
        models.Subscriber,
        models.Verification,
    )
    rows: dict[type[Model], QuerySet[Any]] = {models.Player: models.Player.objects.filter(pk=home.pk)}
    rows |= {model: model._default_manager.filter(player=home) for model in of_players}
    # The points so far of an open round need all rows of its rankings.
    rows |= {model: model._default_manager.all() for model in others} | {
        models.Best: models.Best.objects.filter(level__round=final)
    }
    return {model: among.order_by("pk").last() for model, among in rows.items()}


def _client(site: whole_site.Site) -> Client:
    """Return a browser of the player that is also signed in to their account."""
    client = Client()
    for name, value in {**site.cookies(whole_site.PLAYER), **site.cookies(whole_site.ACCOUNT)}.items():
        client.cookies[name] = value
    return client


@pytest.mark.parametrize("which", sizes.cases([f"{OWN}|{DESK}"], [""]))
def test_no_page_grows_with_what_players_send(cache_of_its_own, which):
    with clock.set_to(cast.DURING):
        site = whole_site.load()
        clients = {True: site.client(whole_site.ORGANISER), False: _client(site)}
        urls = [url for url in whole_site.urls(site, VALUES) if re.match(which, url) and not _is_any(WHOLE, url)]
        copied = templates(site)
        grow(MANY, copied)
        before = {url: _cost(clients, url) for url in urls}
        grow(3 * MANY, copied)
        for url in filter(re.compile(SOLUTION).match, urls):
            _cost(clients, url)
        after = {url: _cost(clients, url) for url in urls}
    grown = {url: (before[url], after[url]) for url in urls if _has_grown(url, before[url], after[url])}
    assert grown == {}
    assert len(urls) >= 12


def _cost(clients: dict[bool, Client], url: str) -> Cost:
    client = clients[bool(re.search("/(desk|admin)/", url))]
    client.raise_request_exception = False
    return cost_of(client, url)


def _has_grown(url, before, after):
    most_rows = math.inf if _is_any(COMPUTED, url) else max(before.rows + 20, 300)
    most = before.statements, most_rows, max(before.size + 5_000, 60_000)
    return any(now > allowed for now, allowed in zip(after, most, strict=True))


def _is_any(patterns, url):
    return any(re.match(pattern, url) for pattern in patterns)
