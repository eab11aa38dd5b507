from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError

from contest import players, visibility
from contest.models import AuditEntry
from contest.outreach import questions
from contest.visibility import Viewer
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann(during_round):
    player, secret = players.create("Ann", country="", email="", at=cast.DURING)
    return player, Viewer({player.pk: secret})


def _ask_question(round_, player, text="May I use a program?", *, viewer, at=cast.DURING):
    return questions.ask_question(round_, player, text, viewer=viewer, at=at)


def _check_refusal(message, *arguments, **fields):
    with pytest.raises(ValidationError, match=message):
        _ask_question(*arguments, **fields)


def _answer(question, **more):
    answer = {"zh": "可以。", "en": "Yes.", "at": cast.DURING, "by": None, **more}
    return questions.answer_question(question, **answer)


def test_a_question_and_its_private_answer_are_visible_to_the_asker_only(during_round, ann):
    """Rules 15.3, 25.1: also after the answer; the audit log records the act without the text."""
    player, viewer = ann
    question = _ask_question(during_round, player, viewer=viewer)
    assert visibility.own_questions(viewer, during_round).count() == 1
    assert not visibility.own_questions(Viewer(), during_round).exists()
    organiser = User.objects.create_user("organiser")
    _answer(question, by=organiser)
    assert visibility.own_questions(viewer, during_round).get().answer_en == "Yes."
    assert not visibility.public_questions(during_round, cast.AFTER).exists()
    entry = AuditEntry.objects.get(act="answer")
    assert (entry.actor, entry.target) == (organiser, f"question {question.pk}")
    assert "Yes" not in str(entry.after)


def test_a_question_needs_an_own_nickname_an_open_round_and_a_valid_text(during_round, ann):
    player, viewer = ann
    _check_refusal("owner", during_round, player, viewer=Viewer())
    for at in (cast.OPENS - timedelta(seconds=1), cast.CLOSES):
        _check_refusal("while the round is open", during_round, player, viewer=viewer, at=at)
    for text, message in ((" \n\0", "Write your question"), ("x" * 2_001, "up to 2,000")):
        _check_refusal(message, during_round, player, text, viewer=viewer)


def test_questions_are_limited_to_three_an_hour_and_ten_unanswered(during_round, ann):
    player, viewer = ann
    for minute in range(3):
        first = _ask_question(during_round, player, viewer=viewer, at=cast.DURING + timedelta(minutes=minute))
    at = cast.DURING + timedelta(minutes=59)
    _check_refusal("Ask again after 21:00", during_round, player, viewer=viewer, at=at)  # 13:00 in UTC
    for hour in range(1, 8):
        _ask_question(during_round, player, viewer=viewer, at=cast.DURING + timedelta(hours=hour))
    later = cast.DURING + timedelta(days=1)
    _check_refusal("waiting for an answer", during_round, player, viewer=viewer, at=later)
    _answer(first)
    _ask_question(during_round, player, viewer=viewer, at=later)


def test_a_question_sent_twice_by_a_double_click_is_one(during_round, ann):
    player, viewer = ann
    assert _ask_question(during_round, player, viewer=viewer) == _ask_question(during_round, player, viewer=viewer)
    assert player.questions.count() == 1
