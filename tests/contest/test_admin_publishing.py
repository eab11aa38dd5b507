import re
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.core import mail
from django.urls import reverse

from contest import judging, models, players
from contest.infra import clock
from contest.players import claims, is_proved
from contest.rounds import lucky_number, testers
from contest.vetting import orders
from contest.visibility import Viewer
from solvers.sokoban import Level as Board
from tests import cast
from tests.contest.test_admin import ADD, BEFORE, add, change, errors, form, level_fields, round_fields

pytestmark = pytest.mark.django_db
DRAWING = reverse("admin:contest_round_drawing")
CORRIDOR = "######|#@-$.#|######"


def draw(user, text, solution=""):
    answer = user.post(DRAWING, {"text": text, "solution": solution})
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_level_is_drawn_with_what_is_wrong_about_it(organiser):
    assert "<svg" in draw(organiser, CORRIDOR, "rR")
    assert "error" not in draw(organiser, CORRIDOR, "rR")
    assert "line 2, column 3" in draw(organiser, "######\n#@x$.#\n######")
    assert "does not solve" in draw(organiser, CORRIDOR, "l")


def test_an_empty_solution_means_that_of_the_solver(organiser):
    """Rule 2.7: nobody knows a solution until the solver has found one."""
    assert "solver is looking for a solution" in errors(add(organiser, level_fields(solution="")))
    assert not models.Round.objects.exists()
    assert orders.find_vetting(Board.parse(CORRIDOR).sha256).state == models.SearchState.QUEUED
    found = {"pushes": {"lurd": "rR", "moves": 2, "pushes": 1}}
    orders.vettings().update(state=models.SearchState.DONE, answer=models.SearchAnswer.SOLVED, found=found)
    assert add(organiser, level_fields(solution="")).status_code == 302
    assert models.Level.objects.get().solution == "rR"


@pytest.mark.parametrize("kind", ["round", "player", "submission"])
def test_the_pages_of_desk_and_admin_lead_to_each_other(organiser, during_round, kind):
    cast.send("Ada", "rR")
    thing = {
        "round": during_round,
        "player": models.Player.objects.get(),
        "submission": models.Submission.objects.get(),
    }[kind]
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
    assert is_proved(models.Player.objects.get(), secret, None)
    assert models.AuditEntry.objects.filter(act="send claim link").exists()
    page = act(organiser, player, "link", to="show").content.decode()  # which the organiser forwards
    token = re.search(r"/claim/([^/\s]+)/", page).group(1)
    assert claims.linked_player(token, cast.DURING)[0] == player


def test_similar_names_are_listed_up_to_a_number_and_only_for_users_with_access_to_players(
    organiser, player, monkeypatch
):
    other = cast.send("plaayer", "rR").submission.player
    url = reverse("admin:contest_player_lookalikes")
    cast.send("playeer", "rR")
    assert "plaayer" in organiser.get(url).content.decode()
    for most, is_cut in (2, False), (1, True):
        monkeypatch.setattr("contest.admin.players.MOST_PAIRS", most)
        context = organiser.get(url).context
        assert (len(context["pairs"]), context["is_cut"]) == (most, is_cut)
    models.Player.objects.filter(pk=other.pk).update(merged_into=player)
    listed = organiser.get(reverse("admin:contest_player_changelist")).content.decode()
    assert f"points to player ({player.pk})" in listed
    author = User.objects.create_user("author", is_staff=True)
    author.groups.add(Group.objects.get(name="author"))
    organiser.force_login(author)
    assert organiser.get(url).status_code == 403


def test_a_claim_is_granted_by_a_link_to_the_reporter(organiser, player):
    """Rules 4.7, 4.11."""
    report = models.NameReport.objects.create(
        kind="claim", player=player, email="me@example.org", reported_at=cast.DURING
    )
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


DAY = timedelta(days=1)


@pytest.fixture
def club():
    return models.Track.objects.create(slug="club", title_zh="俱乐部", title_en="Club")


def schedule(organiser, track="main", *, longer=0, **times) -> models.Round:
    text, solution = f"{'#' * (6 + longer)}\n#@{' ' * (1 + longer)}$.#\n{'#' * (6 + longer)}", "r" * (1 + longer) + "R"
    fields = round_fields(**times) | {"number": "9", "track": track}
    with clock.set_to(BEFORE):
        answer = organiser.post(ADD, form(level_fields(confirmed="on", text=text, solution=solution), **fields))
    assert answer.status_code == 302, errors(answer)
    return models.Round.objects.latest("pk")


def save_again(organiser, round_, **times) -> models.Round:
    fields = round_fields(**times) | {"number": round_.number, "track": round_.track_id, "levels-INITIAL_FORMS": 1}
    stored = round_.levels.get()
    level = level_fields(id=stored.pk, confirmed="on", text=stored.text.replace("|", "\n"), solution=stored.solution)
    answer = change(organiser, round_, level, at=BEFORE, **fields)
    assert answer.status_code == 302, errors(answer)
    return models.Round.objects.get(pk=round_.pk)


def weeks(count) -> dict[str, datetime]:
    """Return the times of a round so many times four weeks after the usual one."""
    later = 4 * count * timedelta(weeks=1)
    return {"opens_at": cast.OPENS + later, "closes_at": cast.CLOSES + later}


def test_a_round_to_be_announced_later_keeps_its_numbers_until_it_is_a_draft_again(organiser, club):
    round_ = schedule(organiser, "club", announced_at=BEFORE + DAY)
    scheduled = save_again(organiser, round_, announced_at=BEFORE + 2 * DAY)
    assert (scheduled.number, scheduled.name, scheduled.announced_at) == (9, "club-1", BEFORE + 2 * DAY)
    assert save_again(organiser, scheduled, announced_at=None).name == "9"


def test_no_gap_in_the_numbers_shows_a_round_that_is_to_be_announced_later(organiser, club):
    """Rules 2.1, 2.8: rounds with public numbers keep theirs, all others follow in the order of announcements."""
    cast.a_round(3, **cast.earlier(8))
    first, second = (
        schedule(organiser, "club", longer=days, announced_at=BEFORE + days * DAY, **weeks(days)) for days in (1, 2)
    )
    assert [(row.number, row.name) for row in (first, second)] == [(4, "club-1"), (5, "club-2")]
    now = schedule(organiser, "club", longer=3, announced_at=BEFORE, **weeks(3))
    assert {row.number: row.name for row in models.Round.objects.all()} == {
        3: "3",
        4: "club-1",
        5: "club-2",
        6: "club-3",
    }
    assert [models.Round.objects.get(pk=row.pk).number for row in (now, first, second)] == [4, 5, 6]
    first.refresh_from_db()
    moved = save_again(organiser, first, announced_at=BEFORE + 3 * DAY, **weeks(1))
    assert [models.Round.objects.get(pk=row.pk).number for row in (now, second, moved)] == [4, 5, 6]
    assert all(not lucky_number.missing_for_draw(row) for row in models.Round.objects.exclude(number=3))


@pytest.mark.parametrize(("right", "slot"), [("change_round", "main"), ("view_level", "extra")])
def test_a_user_without_the_right_to_edit_levels_announces_no_round_in_the_form(client, right, slot):
    """Rules 2.2, 2.7: neither one without its main level nor one with a level that nobody can solve."""
    user = User.objects.create_user("rita", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=["change_round", right]))
    client.force_login(user)
    round_ = cast.a_round(announced_at=None)
    round_.levels.filter(slot=slot).delete()
    round_.levels.update(solution="")
    left = round_.levels.get()
    held = {"levels-0-id": left.pk, "levels-0-round": round_.pk}
    change(client, round_, held, at=BEFORE, **{"levels-INITIAL_FORMS": 1})
    assert not models.Round.objects.exclude(announced_at=None).exists()


def test_no_announcement_is_in_the_past_or_revoked(organiser):
    """Rule 2.1: a public number is never used again."""
    round_ = schedule(organiser, announced_at=BEFORE - DAY)
    assert round_.announced_at == BEFORE
    assert save_again(organiser, round_, announced_at=None).announced_at == BEFORE


@pytest.mark.parametrize("was_draft", [True, False])
def test_a_tester_of_a_level_in_another_round_cannot_enter_this_one(organiser, was_draft):
    """Rule 4.14."""
    account = User.objects.create_user("tina")
    player, _claim = players.create("Tina", country="", email="", at=BEFORE)
    models.Player.objects.filter(pk=player.pk).update(owner=account)
    other = cast.a_round(5, announced_at=None)
    tester = testers.invite(other, models.Player.objects.get(), at=BEFORE, by=None)
    testers.agree(tester, (), viewer=Viewer(), at=BEFORE, by=account)
    testers.record_view(tester, other.levels.get(slot="main"), viewer=Viewer(), at=BEFORE, by=account)
    announced = save_again(organiser, schedule(organiser, announced_at=None)) if was_draft else schedule(organiser)
    assert models.Tester.objects.bound().get(round=announced).account == account
