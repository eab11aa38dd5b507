from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse

from contest.models import AuditEntry, Door, League, Player, Prize, Submission, Token
from contest.players import (
    accounts,
    acts,
    api_tokens,
    claims,
    create,
    is_proved,
    remember_claim,
    reports,
    viewer_of,
)
from contest.submissions import Entry, Refused, accept
from contest.visibility import Viewer
from tests import cast
from tests.cast import send


def browser_with(rf, proofs):
    """Return a request with a claims cookie that holds *proofs*: pairs of a player's number and a proof."""
    viewer = Viewer()
    for player_id, proof in proofs:
        answer = HttpResponse()
        remember_claim(answer, viewer, player_id, proof)
        viewer = Viewer({**viewer.claims, player_id: proof})
    request = rf.get("/")
    request.COOKIES = {name: cookie.value for name, cookie in answer.cookies.items()}
    return request


def test_a_cookie_proves_only_the_nicknames_it_holds_valid_secrets_for(rf, during_round):
    """Rules 4.11, 5.10, 7.5: a forged or foreign one proves nothing."""
    receipt, other = send("player", "rR"), send("rival", "rR")
    request = browser_with(rf, [(receipt.submission.player_id, receipt.claim)])
    assert viewer_of(request).owns(receipt.submission)
    request.COOKIES = {name: value[:-1] for name, value in request.COOKIES.items()}
    assert not viewer_of(request).players
    assert not viewer_of(browser_with(rf, [(receipt.submission.player_id, other.claim)])).players


def test_only_a_secret_moves_a_nickname_to_another_browser(during_round):
    first = send("player", "rR")
    claimed = claims.find_claim(f" {first.claim}\n")
    assert (claimed.player, claimed.secret) == (first.submission.player, first.claim)
    for text in ("", "/", "guess", "x" * 300, "\ud800"):
        assert claims.find_claim(text) is None


def test_a_new_secret_revokes_the_old_one_and_earlier_cookies_and_links(rf, during_round):
    """Rules 4.11, 4.13: also those of merged names, which proved the remaining player."""
    first, merged = send("player", "rR"), send("merged", "rrR")
    player = first.submission.player
    cast.merge(merged.submission.player, player, None, reason="")
    by_merged_name = browser_with(rf, [(merged.submission.player_id, merged.claim)])
    assert viewer_of(by_merged_name).owns(first.submission)
    request, link = browser_with(rf, [(player.pk, first.claim)]), claims.link_token(player, cast.DURING)
    renewed = claims.renew(player, None)
    player.refresh_from_db()
    assert is_proved(player, renewed.secret, None)
    assert not is_proved(player, first.claim, None)
    assert not is_proved(player, merged.claim, None)
    assert not viewer_of(request).players | viewer_of(by_merged_name).players
    with pytest.raises(claims.BadLink):
        claims.linked_player(link, cast.DURING)
    assert AuditEntry.objects.latest("pk").act == "renew claim"


def test_after_a_revocation_no_secret_proves_the_nickname_and_it_is_not_open(during_round, django_user_model):
    first = send("player", "rR")
    player, user = first.submission.player, django_user_model.objects.create_user("somebody")
    with pytest.raises(acts.Impossible):
        accounts.revoke_secrets(player, user)  # the only remaining proof
    accounts.take_over(player, user)
    player.refresh_from_db()
    accounts.revoke_secrets(player, user)
    player.refresh_from_db()
    assert not is_proved(player, first.claim, None)
    accounts.release_name(player, user)
    assert not Player.objects.get().is_open


@pytest.fixture
def lost(during_round):
    return send("player", "rR", email="thief@example.org")


def test_a_claim_link_gives_a_new_secret_and_revokes_earlier_proofs(rf, lost):
    """Rule 4.11: once; only the first of several links works, and all tokens become invalid."""
    player = lost.submission.player
    request = browser_with(rf, [(player.pk, lost.claim)])
    api_tokens.make(player, None, cast.DURING)
    links = [claims.link_token(player, cast.DURING) for _link in range(2)]
    claimed = claims.take_link(links[0], cast.DURING + timedelta(hours=1))
    for link in links:
        with pytest.raises(claims.BadLink):
            claims.take_link(link, cast.DURING)
    assert not Token.objects.valid(cast.DURING).exists()
    player.refresh_from_db()
    assert is_proved(player, claimed.secret, None)
    assert not is_proved(player, lost.claim, None)
    assert not viewer_of(request).players
    assert AuditEntry.objects.latest("pk").act == "claim"


@pytest.mark.parametrize("way", ["link", "address"])
def test_where_a_prize_shall_go_is_not_shown_to_a_names_next_owner(during_round, way):
    """Rule 14.8: only the winner who said so reads it, and the organisers."""
    player = send("player", "rR", email="winner@example.org").submission.player
    prize = Prize.objects.create(round=during_round, player=player, what_en="Cup", what_zh="杯", contact="1 Road")
    if way == "link":
        claims.take_link(claims.link_token(player, cast.DURING), cast.DURING)
    else:
        accounts.own_by_addresses(User.objects.create_user("somebody"), ["winner@example.org"])
    prize.refresh_from_db()
    assert (prize.contact, prize.contact_at) == ("", None)


def test_a_claim_link_expires_and_a_forged_one_is_refused(lost):
    token, end = claims.link_token(lost.submission.player, cast.DURING), timedelta(days=claims.LINK_DAYS)
    assert claims.linked_player(token, cast.DURING + end - timedelta(seconds=1))
    for text, at in ((token, cast.DURING + end), *((text, cast.DURING) for text in ("", "x", "a:b:c"))):
        with pytest.raises(claims.BadLink):
            claims.take_link(text, at)


@pytest.mark.parametrize("forgets", [False, True])
def test_a_claim_link_may_remove_the_address_and_the_account(lost, forgets, django_user_model):
    player = lost.submission.player
    player.owner, player.is_imported = django_user_model.objects.create_user("thief"), True
    player.save()
    claims.take_link(claims.link_token(player, cast.DURING, forgets=forgets), cast.DURING)
    player.refresh_from_db()
    assert (player.email == "", player.owner is None) == (forgets, forgets)
    assert (player.is_open, player.is_imported) == (False, False)


def test_an_imported_name_owned_through_a_merged_names_address_is_not_open(during_round):
    """Rules 4.11, 4.12."""
    newer = cast.send("New", "rR", email="new@example.org").submission.player
    old = cast.send("Old", "rlrR").submission.player
    Player.objects.filter(pk=old.pk).update(claim_sha256="", is_imported=True)
    cast.merge(newer, old, None, reason="")
    accounts.own_by_addresses(User.objects.create_user("somebody"), ["new@example.org"])
    with pytest.raises(Refused):
        cast.send("Old", "rlrlrR", door=Door.LEGACY)


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
    assert "is reserved" in cast.refusal_of(acts.rename, rival, "staff", None)
    acts.rename(rival, "RivaI", None)  # another spelling of the player's own name
