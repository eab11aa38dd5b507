"""Nicknames of accounts."""

import pytest
from django.contrib.auth.models import User

from contest.models import Door, Player
from contest.players import accounts, merging
from contest.submissions import Refused
from tests import cast

pytestmark = pytest.mark.django_db


def test_an_imported_name_owned_through_a_merged_names_address_is_not_open(during_round):
    """Rules 4.11, 4.12."""
    newer = cast.send("New", "rR", email="new@example.org").submission.player
    old = cast.send("Old", "rlrR").submission.player
    Player.objects.filter(pk=old.pk).update(claim_sha256="", is_imported=True)
    merging.merge(newer, old, None, reason="")
    accounts.own_by_addresses(User.objects.create_user("somebody"), ["new@example.org"])
    with pytest.raises(Refused):
        cast.send("Old", "rlrlrR", door=Door.LEGACY)
