import pytest

from contest.models import Door, League, Player, Submission
from contest.players import BadName, acts, create, reports
from contest.submissions import Entry, accept
from contest.visibility import Viewer
from tests import cast
from tests.cast import send


def refused(nickname="player", moves="rrR", *, door=Door.API, viewer=None, **fields):
    return cast.refused(accept, Entry(nickname, moves, **fields), door=door, viewer=viewer)


def enter(nickname="player", moves="rrR", *, door=Door.API, viewer=None, **fields):
    return accept(Entry(nickname, moves, **fields), door=door, viewer=viewer).submission.player


@pytest.fixture
def player(during_round):
    return send("player", "rR", email="Player@Example.org").submission.player


def test_the_first_spelling_is_shown_until_it_is_changed(during_round):
    first = send("Player", "rR")
    assert enter("PLAYER", claim=first.claim).nickname == "Player"
    acts.rename(first.submission.player, "PLAYER", None)
    assert enter("player", "rrrR", claim=first.claim).nickname == "PLAYER"


def test_a_proved_sender_may_change_the_country_and_add_an_address(during_round):
    """Rules 4.1 to 4.3, 4.6, 4.11: neither account nor address is needed."""
    first = send("player", "rR", country="CN")
    for country in ("uk", "XX9", "", "FR"):  # as sent (rule 4.6)
        enter(claim=first.claim, country=country, email="me@example.org")
        stored = Player.objects.get()
        assert (stored.country, stored.email) == (country or "XX9", "me@example.org")
    enter(moves="rrrR", claim=first.claim, email="other@example.org")
    assert Player.objects.get().email == "me@example.org"


@pytest.mark.parametrize("door", [Door.WEB, Door.API, Door.LEGACY])
def test_a_claimed_name_is_not_changed_by_other_senders(player, door):
    """Rule 4.11: a stranger can neither enter under it nor change any data of it."""
    before = Player.objects.values().get(), list(Submission.objects.values_list("pk", "player"))
    taken = refused(door=door, country="XX", email="stranger@example.org", claim="guess")
    assert (taken.code, taken.status, taken.field) == ("name_taken", 409, "nickname")
    assert (Player.objects.values().get(), list(Submission.objects.values_list("pk", "player"))) == before


def test_an_address_proves_a_nickname_only_for_old_programs(player):
    """Rule 4.11: elsewhere the owner can request a code."""
    for email in ("player@example.org", " PLAYER@EXAMPLE.ORG "):
        assert enter(door=Door.LEGACY, email=email) == player
    for door in (Door.WEB, Door.API):
        assert refused(door=door, email="player@example.org").code == "name_taken"
    refusals = {refused(door=Door.LEGACY, email=email).reason for email in ("x@y.zz", "", "player@example.or")}
    assert len(refusals) == 1, "a near miss is told apart"


def test_a_submission_under_an_alias_enters_as_the_merged_player(during_round):
    """Rule 4.13."""
    one, two = send("one", "rR"), send("two", "rrR")
    cast.merge(one.submission.player, two.submission.player, None, reason="same person")
    sent = send("ONE", "rrrR", claim=two.claim).submission
    assert sent.player == sent.sent_as == two.submission.player
    assert send("two", "rrrrR", claim=one.claim).submission.player == two.submission.player
    assert refused("one").code == "name_taken"


@pytest.mark.parametrize("door", [Door.WEB, Door.LEGACY])
def test_a_program_may_not_use_the_form_or_an_old_program(during_round, door):
    """Rule 16.2."""
    first = send("player", "rR", email="me@example.org")
    Player.objects.filter(pk=first.submission.player.pk).update(league=League.BOT)
    assert refused(door=door, claim=first.claim, email="me@example.org").code == "not_allowed"
    assert enter(claim=first.claim).league == League.BOT


@pytest.fixture
def organiser(django_user_model):
    return django_user_model.objects.create_user("organiser", is_staff=True)


@pytest.mark.parametrize("by", ["login", "account", "alias"])
def test_an_organiser_is_refused(during_round, organiser, by):
    first = send("player", "rR")
    Player.objects.filter(pk=first.submission.player_id).update(owner=organiser if by != "login" else None)
    viewer, secret = (Viewer(is_organiser=True), first.claim) if by == "login" else (None, first.claim)
    if by == "alias":
        other = send("other", "rR")
        cast.merge(first.submission.player, other.submission.player, None, reason="")
    assert refused(claim=secret, viewer=viewer).code == "not_allowed"
    assert refused("newcomer", viewer=Viewer(is_organiser=True)).code == "not_allowed"
    assert not Player.objects.filter(nickname="newcomer").exists()


def test_an_organiser_may_enter_hors_concours(during_round, organiser):
    """Rules 1.8, 4.10."""
    during_round.settings["organisers_may_enter"] = "hors concours"
    during_round.save()
    sent = accept(Entry("Olga", "rR"), door=Door.WEB, viewer=Viewer(is_organiser=True)).submission
    assert sent.is_hors_concours


def test_a_name_from_before_todays_rules_stays_valid(during_round):
    """Names are never changed automatically."""
    old = create("Staff", country="", email="", at=cast.DURING)[0]
    twin = create("Bernd", country="", email="", at=cast.DURING)[0]
    other = create("Bemd", country="", email="", at=cast.DURING)[0]
    for player in (old, twin, other):
        assert enter(player.nickname, viewer=Viewer(proved=frozenset({player.pk}))) == player
    assert [(player, message) for player, message in reports.find_invalid_names()] == [
        (old, "This nickname is reserved; choose another one.")
    ]
    assert list(reports.find_lookalikes()) == [(twin, other)]


def test_a_confusable_name_belongs_to_the_existing_player_and_cannot_be_taken(player):
    """Rule 4.5."""
    for nickname in ("рlауеr", "p1ayer", "𝓹𝓵𝓪𝔂𝓮𝓻"):
        assert refused(nickname).code == "name_taken"
        assert enter(nickname, viewer=Viewer(proved=frozenset({player.pk}))) == player
    rival = send("rival", "rR").submission.player
    for nickname in ("ρlayer", "рlауеr"):
        assert "belongs to somebody" in cast.refusal_of(acts.rename, rival, nickname, None)
    with pytest.raises(BadName):
        acts.rename(rival, "staff", None)
    acts.rename(rival, "RivaI", None)  # another spelling of the player's own name
