from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError

from contest import players, visibility
from contest.models import AuditEntry, Banner
from contest.outreach import questions
from contest.visibility import Viewer
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann(during_round):
    player, claim = players.create("Ann", country="", email="", at=cast.DURING)
    return player, Viewer({player.pk: claim})


def _ask(round_, player, text="May I use a program?", *, viewer, at=cast.DURING):
    return questions.ask(round_, player, text, viewer=viewer, at=at)


def _answer(question, **more):
    answer = {"zh": "可以。", "en": "Yes.", "at": cast.DURING, "by": None, **more}
    return questions.answer(question, **answer)


def test_a_question_is_seen_by_its_asker_and_by_nobody_else(during_round, ann):
    """Rule 25.1."""
    player, viewer = ann
    _ask(during_round, player, viewer=viewer)
    assert visibility.own_questions(viewer, during_round).count() == 1
    assert not visibility.own_questions(Viewer(), during_round).exists()
    assert not visibility.public_questions(during_round, cast.AFTER).exists()


def test_a_private_answer_stays_private(during_round, ann):
    """Rule 25.1."""
    player, viewer = ann
    _answer(_ask(during_round, player, viewer=viewer))
    assert visibility.own_questions(viewer, during_round).get().answer_en == "Yes."
    assert not visibility.public_questions(during_round, cast.AFTER).exists()


def test_a_public_answer_needs_the_question_as_everybody_may_read_it(during_round, ann):
    """Rule 25.1."""
    player, viewer = ann
    question = _ask(during_round, player, "Is my trick uulldd allowed?", viewer=viewer)
    with pytest.raises(ValidationError, match="as everybody may read it"):
        _answer(question, is_public=True)
    _answer(question, is_public=True, public_text="Are tricks allowed?")
    assert visibility.public_questions(during_round, cast.DURING).get().public_text == "Are tricks allowed?"


def test_nobody_asks_in_somebody_elses_name(during_round, ann):
    """Rule 25.1."""
    with pytest.raises(ValidationError, match="owner"):
        _ask(during_round, ann[0], viewer=Viewer())


@pytest.mark.parametrize("at", [cast.OPENS - timedelta(seconds=1), cast.CLOSES])
def test_questions_are_taken_during_the_round(during_round, ann, at):
    """Rule 25.1."""
    with pytest.raises(ValidationError, match="while the round is open"):
        _ask(during_round, ann[0], viewer=ann[1], at=at)


@pytest.mark.parametrize(
    ("text", "words"), [(" \n ", "Write your question"), ("x" * 2_001, "up to 2,000"), ("\0", "Write your question")]
)
def test_a_question_has_bounds(during_round, ann, text, words):
    with pytest.raises(ValidationError, match=words):
        _ask(during_round, ann[0], text, viewer=ann[1])


def test_three_questions_an_hour_are_the_most(during_round, ann):
    player, viewer = ann
    for minute in range(3):
        _ask(during_round, player, viewer=viewer, at=cast.DURING + timedelta(minutes=minute))
    with pytest.raises(ValidationError, match="Ask again after 21:00"):  # 13:00 in UTC
        _ask(during_round, player, viewer=viewer, at=cast.DURING + timedelta(minutes=59))
    _ask(during_round, player, viewer=viewer, at=cast.DURING + timedelta(minutes=60))


def test_ten_unanswered_questions_are_the_most(during_round, ann):
    player, viewer = ann
    asked = [_ask(during_round, player, viewer=viewer, at=cast.DURING + timedelta(hours=hour)) for hour in range(10)]
    later = cast.DURING + timedelta(days=1)
    with pytest.raises(ValidationError, match="wait for an answer"):
        _ask(during_round, player, viewer=viewer, at=later)
    _answer(asked[0])
    _ask(during_round, player, viewer=viewer, at=later)


def test_answering_is_on_record_without_the_words(during_round, ann):
    """Rule 15.3."""
    organiser = User.objects.create_user("organiser")
    question = _answer(_ask(during_round, ann[0], viewer=ann[1]), by=organiser)
    entry = AuditEntry.objects.get(act="answer")
    assert (entry.actor, entry.target) == (organiser, f"question {question.pk}")
    assert "Yes" not in str(entry.after)


def test_a_banner_is_shown_from_and_until(db):
    """Rule 25.1."""
    hour = timedelta(hours=1)
    Banner.objects.create(text_en="Soon", shown_from=cast.DURING, shown_until=cast.DURING + hour)
    shown = [questions.banner(cast.DURING + at) is not None for at in (-hour / 60, 0 * hour, hour / 2, hour)]
    assert shown == [False, True, True, False]


def test_the_newest_banner_is_the_one_shown(db):
    Banner.objects.create(text_en="Old", shown_from=cast.OPENS)
    Banner.objects.create(text_en="New", shown_from=cast.DURING)
    assert questions.banner(cast.DURING).text_en == "New"
