import json

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from contest import players
from contest.infra import rate_limits
from contest.models import Door, Player
from contest.players import accounts
from contest.submissions import Entry, accept
from tests import cast

pytestmark = pytest.mark.django_db
LONG = "l" * 200_000
# Public on other pages; or what organisers did, and what other people reported or claimed.
NOT_DOWNLOADED = {
    *("Best", "Disqualification", "Placing", "Rating"),
    *("LongAct", "NameReport", "SecondLook", "Tester_told"),
}


@pytest.fixture
def me(client, during_round):
    claim = accept(Entry("player", LONG), door=Door.WEB).claim
    accept(Entry("player", LONG + "l", claim=claim), door=Door.WEB)
    client.post("/en/claim/", {"proof": claim})
    return client


def test_the_texts_of_all_submissions_are_never_in_memory_together(me, monkeypatch):
    """Rule 4.7: a few requests for gigabytes of texts ended the web process."""
    monkeypatch.setattr(accounts, "_ROWS_AT_ONCE", 1)
    submissions = accounts.export(Player.objects.get())["submissions"]
    with CaptureQueriesContext(connection) as queries:
        assert len(next(submissions)["text"]) == len(LONG)
    assert len(queries) == 1
    answer = me.get("/en/me/export.json")
    assert answer.streaming
    (player,) = json.loads(answer.getvalue())["players"]
    assert [len(sent["text"]) for sent in player["submissions"]] == [len(LONG), len(LONG) + 1]


def test_the_download_is_counted_by_its_size_and_its_nicknames(me, monkeypatch):
    """Rule 5.9: what is asked of the database is as much for each."""
    passes = []
    monkeypatch.setattr(rate_limits, "_pass", lambda gate, amount: passes.append((gate.key.partition(":")[0], amount)))
    me.get("/en/me/export.json").getvalue()
    me.force_login(user := User.objects.create_user("owner"))
    for name in ("Ann", "Bo"):
        players.create(name, country="", email="", at=cast.OPENS)
    Player.objects.exclude(nickname="player").update(owner=user)
    me.get("/en/me/export.json").getvalue()
    size = 400_001 // 65_536
    assert passes == [("export", 1 + size), ("export", 3 + size)]


def test_every_table_about_a_player_is_downloaded(me):
    """Rule 4.7: the privacy page promises all data about the nickname."""
    me.force_login(User.objects.create_user("somebody"))
    with CaptureQueriesContext(connection) as queries:
        me.get("/en/me/export.json").getvalue()
    asked = " ".join(query["sql"] for query in queries)
    about = {field.related_model for field in Player._meta.get_fields(include_hidden=True) if field.auto_created}
    missing = {model.__name__ for model in about - {None} if f'"{model._meta.db_table}"' not in asked}
    assert missing == NOT_DOWNLOADED
