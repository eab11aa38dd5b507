"""A weekly level is published wholly in the admin: drawn as it is typed, found again, with the solver's solution."""

import html
import re

import pytest
from django.urls import reverse

from contest.infra import clock
from contest.models import Level, Player, Round, SearchAnswer, SearchState, Submission, Track
from contest.vetting import orders
from solvers.sokoban import Level as Board
from tests import cast
from tests.contest.test_admin import ADD, BEFORE, add, errors, level_fields

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


def test_a_stranger_gets_no_drawing(client):
    assert client.post(DRAWING, {"text": CORRIDOR}).status_code == 302


def test_an_empty_solution_means_that_of_the_solver(organiser):
    """Rule 2.7: nobody knows a solution until the solver has found one."""
    assert "solver is looking for a solution" in errors(add(organiser, level_fields(solution="")))
    assert not Round.objects.exists()
    assert orders.find_vetting(Board.parse(CORRIDOR).sha256).state == SearchState.QUEUED
    find_solution()
    assert add(organiser, level_fields(solution="")).status_code == 302
    assert Level.objects.get().solution == "rR"


def test_rounds_are_found_by_their_phase_and_title(organiser):
    for number, title, times in (1, "Spring", {}), (2, "Autumn", {"announced_at": None}):
        Round.objects.filter(pk=cast.a_round(number, **times).pk).update(title_en=title)
    with clock.set_to(cast.DURING):
        for query, found in ({"phase": "open"}, "Spring"), ({"phase": "draft"}, "Autumn"), ({"q": "Autumn"}, "Autumn"):
            page = organiser.get(LIST, query).content.decode()
            assert (("Spring" in page), ("Autumn" in page)) == (found == "Spring", found == "Autumn"), query


def test_every_filter_beside_the_list_works(organiser, during_round):
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


def test_the_form_begins_with_the_level_and_folds_the_settings(organiser):
    with clock.set_to(BEFORE):
        page = organiser.get(ADD).content.decode()
    assert page.index("levels-0-text") < page.index("id_opens_at_0") < page.index("<details")
