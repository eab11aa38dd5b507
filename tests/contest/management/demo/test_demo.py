from datetime import timedelta
from itertools import pairwise

import pytest
from django.contrib.auth import authenticate
from django.core.management import call_command

from contest import judging, visibility
from contest.infra import clock
from contest.management.demo import demo, earlier
from contest.models import Placing, Player, Rating, Round, Submission, Verdict
from contest.rules.phases import Phase
from contest.visibility import Viewer
from tests import cast, sizes

pytestmark = pytest.mark.django_db

NOW = cast.DURING
LAST, OPEN, COMING = 5, 6, 7


@pytest.fixture
def briefly(monkeypatch):
    monkeypatch.setattr(earlier, "TITLES", ())
    monkeypatch.setattr(earlier, "entries_of_others", lambda *_boards: ())


def phases(at):
    return [round_.phase(at) for round_ in Round.objects.order_by("number")]


def follow_each_other():
    return all(before.closes_at <= after.opens_at for before, after in pairwise(Round.objects.order_by("number")))


def test_a_demo_has_final_open_and_scheduled_rounds_with_their_page_content():
    """Rule 1.5."""
    assert demo.load(NOW).added == (1, 2, 3, 4, LAST, OPEN, COMING)
    assert phases(NOW) == [*[Phase.FINAL] * LAST, Phase.OPEN, Phase.SCHEDULED]
    assert follow_each_other()
    assert not visibility.levels(Viewer(), NOW).filter(round__number=COMING).exists()
    assert Player.objects.count() == 10
    titled = Placing.objects.exclude(is_mmc=False, is_mpc=False).values_list("player", flat=True)
    assert len({*titled}) > 2
    assert Rating.objects.filter(round__number=LAST).count() >= 8
    assert {*Submission.objects.values_list("verdict", flat=True)} == {
        Verdict.ACCEPTED, Verdict.NOT_SOLVED, Verdict.ILLEGAL
    }  # fmt: skip
    assert not Submission.objects.filter(round__number=OPEN).exists()
    with clock.set_to(NOW):
        receipt = cast.send("player", demo.LADDER.solution)
        judging.judge_until_empty()
    submission = cast.judged(receipt)
    assert (submission.verdict, submission.moves, submission.pushes) == (Verdict.ACCEPTED, 306, 102)


@pytest.mark.parametrize("weeks", sizes.cases([13], range(2, 30, 2)))
def test_a_round_is_open_whenever_the_demo_is_loaded(briefly, weeks):
    demo.load(NOW)
    assert demo.load(NOW + timedelta(days=1)) == demo.DemoReport()
    later = NOW + timedelta(weeks=weeks)
    demo.load(later)
    assert phases(later).count(Phase.OPEN) == 1
    assert len({*Round.objects.values_list("number", flat=True)}) == Round.objects.count()
    assert follow_each_other()


def test_other_rounds_of_organisers_are_not_changed():
    cast.a_round(opens_at=NOW - timedelta(days=9), closes_at=NOW - timedelta(days=2))
    assert demo.load(NOW) == demo.DemoReport()
    assert Round.objects.count() == 1


def test_the_password_is_printed_once_and_opens_the_account(briefly, capsys):
    with clock.set_to(NOW):
        call_command("demo")
        output = capsys.readouterr().out
        call_command("demo")
    assert authenticate(username="organiser", password=output.split()[-1])
    assert "/desk/" in output
    assert capsys.readouterr().out == ""
