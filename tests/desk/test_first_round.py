"""The desk of a new site names one next step to the first round, and ends with its announcement."""

from datetime import timedelta

import pytest
from django.urls import reverse

from contest.infra import clock
from contest.library import shelf
from contest.models import LibraryLevel, Round
from solvers import sokoban
from tests import cast
from tests.desk.conftest import BEFORE, DESK

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("before_round")]


def next_step(client):
    return client.get(DESK).context["first_round"].next


def test_one_step_after_the_other_leads_to_the_first_round(organiser):
    assert next_step(organiser).title == "Add a level"
    board = sokoban.Level.parse(cast.CORRIDOR)
    level = shelf.store_level(LibraryLevel(), board, "rR", at=clock.now(), by=None, is_confirmed=True)
    assert next_step(organiser).title == "Create a round from it"
    round_ = Round.objects.create(number=1, opens_at=cast.OPENS, closes_at=cast.CLOSES)
    assert next_step(organiser).title == "Create a round from it", "a draft without a level is not enough"
    shelf.use_level(level, round_, "main", at=clock.now(), by=None)
    last = next_step(organiser)
    assert (last.title, last.url) == ("Look at the preview and publish", reverse("desk-preview", args=[round_]))
    cast.a_round(2, opens_at=cast.CLOSES, closes_at=cast.CLOSES + timedelta(days=7), announced_at=BEFORE)
    assert organiser.get(DESK).context["first_round"] is None
