"""A round that accepts sealed answers, and a player who seals and opens them."""

from datetime import timedelta

import pytest

from contest import judging, players
from contest.infra import clock
from contest.models import Door, Submission
from contest.rules.sealed_answers import SealedText
from contest.submissions.sealed_answers import SealedEntry, open_answer, seal
from tests import cast

DAY = timedelta(days=1)
TICK = timedelta(microseconds=1)


@pytest.fixture
def round_():
    return cast.with_settings(cast.a_round(), sealed_answers=True)


@pytest.fixture
def ann(round_):
    return players.create("Ann", country="", email="", at=cast.OPENS)[0]


def text_of(player, moves, slot="main", salt="0" * 32, number=1):
    return SealedText(number, slot, player.archive_number, salt, moves)


def sealed(player, moves="rR", counts=(2, 1), *, slot="main", salt="0" * 32, at=cast.DURING, **fields):
    """Seal an answer of *player* at *at*; return it with the text that opens it."""
    text = text_of(player, moves, slot, salt)
    with clock.set_to(at):
        entry = SealedEntry(1, slot, counts[0], counts[1], text.sha256)
        return seal(entry, player, door=fields.pop("door", Door.API), **fields).answer, str(text)


def opened(text, at=cast.CLOSES):
    with clock.set_to(at):
        submission = open_answer(1, text, door=Door.API).submission
        judging.judge_until_empty()
    return Submission.objects.get(pk=submission.pk)


def refusal_of(act, *arguments, **fields):
    return cast.refused(act, *arguments, **fields).code
