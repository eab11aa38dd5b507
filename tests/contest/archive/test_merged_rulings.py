"""The archive of a round whose players became one after organisers had ruled on them."""

import json

import pytest

from contest.archive import format as archived
from contest.archive import verify
from contest.infra import clock
from contest.models import Player, Round
from contest.players import merging
from contest.results import rulings
from contest.wording.bilingual import Reason
from tests import cast
from tests.contest.archive.conftest import pack
from tests.contest.archive.test_writer import LATER, packed, play, unpacked

pytestmark = pytest.mark.django_db


def test_who_was_disqualified_under_two_names_stands_there_once(tmp_path):
    """Rules 4.13, 24.1."""
    play()
    eve, dee = (Player.objects.get(nickname=name) for name in ("Eve", "Dee"))
    rulings.disqualify(Round.objects.get(), eve, Reason(en="Copied, too."), at=cast.DURING, by=None)
    merging.merge(dee, eve, None, reason="same person")
    with clock.set_to(LATER):
        files = unpacked(packed())
    assert [one["player"] for one in json.loads(files[archived.ROUND])["disqualified"]] == [eve.archive_number]
    assert verify.verify(pack(tmp_path, files)).differences == []
