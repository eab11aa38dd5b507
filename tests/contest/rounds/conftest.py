from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from contest import players
from contest.models import Player
from tests import cast

BEFORE = cast.OPENS - timedelta(days=9)


def a_player(nickname: str, owner: User | None = None) -> Player:
    player, _claim = players.create(nickname, country="", email="", at=BEFORE)
    Player.objects.filter(pk=player.pk).update(owner=owner)
    return Player.objects.get(pk=player.pk)


@pytest.fixture
def account(db) -> User:
    return User.objects.create_user("account")
