from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse

from contest.models import AuditEntry, Door, Player, Prize, Token
from contest.players import accounts, acts, api_tokens, claims, is_proved, remember_claim, viewer_of
from contest.submissions import Refused
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
