"""The names of an erased player rest for a year (rule 15.6)."""

from datetime import timedelta

import pytest

from contest.celery import tasks
from contest.infra import clock
from contest.models import AuditEntry, CollectedLevel, Door, Player, RestingName
from contest.players import BadName, acts, api_tokens, resting
from contest.submissions import Entry, Refused, Sent, accept, accept_batch, at_once
from tests import cast
from tests.cast import send


@pytest.fixture
def erased(during_round):
    """Former names of an erased player."""
    player = send("Martina", "rR").submission.player
    acts.rename(player, "Bernd", None)
    acts.erase(player, None)
    return ["Martina", "Bernd"]


def refusal(nickname: str, **more) -> str:
    return cast.refused(accept, Entry(nickname, "rrR"), door=Door.API, **more).fault


@pytest.mark.parametrize("nickname", ["Martina", "MARTINA", "Маrtina", "Bernd", "Bemd"])
def test_nobody_takes_the_name_of_an_erased_player_nor_its_look(erased, nickname):
    """The attack: wait until a known player erases the name, and speak under it."""
    assert refusal(nickname) == "resting"
    rival = send("rival", "rR").submission.player
    with pytest.raises(BadName):
        acts.rename(rival, nickname, None)
    with pytest.raises(BadName):
        api_tokens.make_program(nickname, None, clock.now())
    answers = accept_batch([Sent(Entry(name, "rrrR")) for name in (nickname, "new")], door=Door.API)
    assert [getattr(answer, "fault", "") for answer in answers] == ["resting", ""]


def test_the_name_rests_in_collections_too(erased):
    cast.a_collection()
    with pytest.raises(Refused):
        at_once.accept_collected(Entry("Martina", "rR"), CollectedLevel.objects.get(place=1))


def test_only_keyed_hashes_are_kept_for_a_year(erased, settings):
    kept = RestingName.objects.values()
    assert not any(name.lower() in str(row).lower() for row in kept for name in erased)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another key of the site", [settings.SECRET_KEY]
    assert refusal("Martina") == "resting"
    with clock.set_to(cast.DURING + timedelta(days=365)):
        resting.check_unused("Martina")
        tasks.advance()
    assert not RestingName.objects.exists()
    assert send("Martina", "rrR").claim


def test_an_organiser_ends_the_rest_with_a_reason(erased):
    found = resting.find("bernd")
    assert found
    resting.lift(found, None, reason="It is the same person.")
    assert AuditEntry.objects.latest("pk").reason == "It is the same person."
    assert send("Bernd", "rrR").claim
    assert refusal("Martina") == "resting"


def test_a_released_name_does_not_rest(during_round):
    """Only the player's own wish protects the name."""
    player = send("junk", "r").submission.player
    Player.objects.filter(pk=player.pk).update(nickname=f"#{player.pk}", name_key=f"\t{player.pk}", look_key="")
    acts.erase(player, None)
    assert not RestingName.objects.exists()
