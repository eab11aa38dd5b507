"""The admin publishes a level with the solver's solution, finds rounds, and gives names back to their owners."""

import html
import re

import pytest
from django.contrib.auth.models import Group, User
from django.core import mail
from django.urls import reverse

from contest import judging
from contest.infra import clock
from contest.models import AuditEntry, Level, NameReport, Player, Round, SearchAnswer, SearchState, Submission, Track
from contest.players import claims, is_proved
from contest.vetting import orders
from solvers.sokoban import Level as Board
from tests import cast
from tests.contest.test_admin import add, errors, level_fields

pytestmark = pytest.mark.django_db
DRAWING = reverse("admin:contest_round_drawing")
LIST = reverse("admin:contest_round_changelist")
CORRIDOR = "######|#@-$.#|######"


def draw(user, text, solution=""):
    answer = user.post(DRAWING, {"text": text, "solution": solution})
    assert answer.status_code == 200
    return answer.content.decode()


def find_solution():
    found = {"pushes": {"lurd": "rR", "moves": 2, "pushes": 1}}
    orders.vettings().update(state=SearchState.DONE, answer=SearchAnswer.SOLVED, found=found)


def test_a_level_is_drawn_with_what_is_wrong_about_it(organiser):
    assert "<svg" in draw(organiser, CORRIDOR, "rR")
    assert "error" not in draw(organiser, CORRIDOR, "rR")
    assert "line 2, column 3" in draw(organiser, "######\n#@x$.#\n######")
    assert "does not solve" in draw(organiser, CORRIDOR, "l")


def test_an_empty_solution_means_that_of_the_solver(organiser):
    """Rule 2.7: nobody knows a solution until the solver has found one."""
    assert "solver is looking for a solution" in errors(add(organiser, level_fields(solution="")))
    assert not Round.objects.exists()
    assert orders.find_vetting(Board.parse(CORRIDOR).sha256).state == SearchState.QUEUED
    find_solution()
    assert add(organiser, level_fields(solution="")).status_code == 302
    assert Level.objects.get().solution == "rR"


def test_rounds_are_found_by_title_and_by_every_filter_beside_the_list(organiser):
    for number, title, times in (1, "Spring", {}), (2, "Autumn", {"announced_at": None}):
        Round.objects.filter(pk=cast.a_round(number, **times).pk).update(title_en=title)
    with clock.set_to(cast.DURING):
        for query, found in ({"phase": "open"}, "Spring"), ({"phase": "draft"}, "Autumn"), ({"q": "Autumn"}, "Autumn"):
            page = organiser.get(LIST, query).content.decode()
            assert (("Spring" in page), ("Autumn" in page)) == (found == "Spring", found == "Autumn"), query
    Track.objects.create(slug="weekly", title_zh="周赛", title_en="Weekly")
    found = set(re.findall(r'<a href="(\?[^"]*(?:phase|track)[^"]*)"', organiser.get(LIST).content.decode()))
    assert len(found) == 8
    assert {organiser.get(LIST + html.unescape(query)).status_code for query in found} == {200}


@pytest.mark.parametrize("kind", ["round", "player", "submission"])
def test_the_pages_of_desk_and_admin_lead_to_each_other(organiser, during_round, kind):
    cast.send("Ada", "rR")
    thing = {"round": during_round, "player": Player.objects.get(), "submission": Submission.objects.get()}[kind]
    on_desk = reverse(f"desk-{kind}", args=[thing if kind == "round" else thing.pk])
    in_admin = reverse(f"admin:contest_{kind}_change", args=[thing.pk])
    with clock.set_to(cast.DURING):
        assert f'href="{on_desk}"' in organiser.get(in_admin).content.decode()
        assert f'href="{in_admin}"' in organiser.get(on_desk).content.decode()


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
