import json
import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core import signing
from django.test import Client

from contest import judging
from contest.infra import clock
from contest.models import AuditEntry, Door, NameReport, Player, Search, SearchKind, SearchState
from contest.players import claims, merging, reports
from contest.submissions import Entry, accept
from contest.vetting.coaching import Coached
from solvers import sokoban
from tests import cast

pytestmark = pytest.mark.django_db


def text(answer):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


@pytest.fixture
def sent(during_round):
    return accept(Entry("player", "rR", email="me@example.org"), door=Door.WEB)


@pytest.fixture
def rival(during_round):
    return accept(Entry("rival", "rrR"), door=Door.WEB)


@pytest.fixture
def me(client, sent):
    client.post("/en/claim/", {"proof": sent.claim})
    return client


def test_a_claim_secret_proves_the_nickname_and_a_guess_does_not(client, sent, settings):
    """Rule 4.11."""
    guessed = client.post("/en/claim/", {"proof": "guess"})
    assert (guessed.status_code, "does not match any nickname" in text(guessed)) == (422, True)
    assert settings.CLAIMS_COOKIE_NAME not in client.cookies
    assert "player" not in text(client.get("/en/me/"))
    assert "The nickname is yours now" in text(client.post("/en/claim/", {"proof": sent.claim}))
    assert f"/en/s/{sent.submission.receipt_id}/" in client.get("/en/me/").content.decode()
    assert client.post("/en/submit/", {"nickname": "player", "moves": "rrR"}).status_code == 302


def test_a_receipt_link_opens_only_its_submission(client, sent, settings):
    """Rules 4.11, 7.5: it once exported the address and all hidden solutions, and could erase the player."""
    submission = sent.submission
    link = f"/en/s/{submission.receipt_id}/"
    shown = text(client.get(link))
    assert "Anybody with the link to this page can see this one submission" in shown
    assert "me@example.org" not in shown
    assert "This is a receipt." in text(client.post("/en/claim/", {"proof": f"https://example.org{link}"}))
    cookie = signing.dumps({str(submission.player_id): submission.receipt_id}, salt="claims", compress=True)
    client.cookies[settings.CLAIMS_COOKIE_NAME] = cookie  # of a browser that had opened the receipt before
    for path in ("/en/me/export.json", f"/en/me/{submission.player_id}/", f"/en/me/{submission.player_id}/erase/"):
        assert client.get(path).status_code == 404
    assert client.post(f"/en/me/{submission.player_id}/erase/", {"sure": "on"}).status_code == 404
    assert client.get(link).status_code == 200


def test_a_player_renews_the_claim_secret(me, sent):
    """Rule 4.11: this browser gets the new one."""
    page = me.post(f"/en/me/{sent.submission.player_id}/", {"act": "renew"})
    secret = re.search(r'class="secret"\s+readonly\s+value="([^"]+)"', page.content.decode()).group(1)
    assert me.get(f"/en/me/{sent.submission.player_id}/").status_code == 200
    assert [Client().post("/en/claim/", {"proof": proof}).status_code for proof in (sent.claim, secret)] == [422, 200]


def test_an_account_revokes_the_claim_secret(me, sent):
    """Rule 4.11."""
    number = sent.submission.player_id
    me.force_login(User.objects.create_user("somebody"))
    me.post(f"/en/me/{number}/", {"act": "revoke"})
    me.post(f"/en/me/{number}/", {"act": "own"})
    me.post(f"/en/me/{number}/", {"act": "revoke"})
    assert me.get(f"/en/me/{number}/").status_code == 200
    assert Client().post("/en/claim/", {"proof": sent.claim}).status_code == 422
    assert list(AuditEntry.objects.values_list("act", flat=True)) == ["revoke claim", "own"]


def test_only_its_account_can_erase_a_nickname(client, me, sent):
    """Rules 4.11, 15.6."""
    owner = User.objects.create_user("owner")
    Player.objects.filter(pk=sent.submission.player_id).update(owner=owner)
    url = f"/en/me/{sent.submission.player_id}/erase/"
    assert "sign in to delete it" in text(me.post(url, {"sure": "on"}, follow=True))
    assert Player.objects.get().erased_at is None
    me.force_login(owner)
    assert me.post(url, {"sure": "on"}).status_code == 302
    assert Player.objects.get().erased_at


def test_a_nickname_is_not_erased_while_it_is_being_merged(me, sent, rival):
    """Rules 4.13, 15.6: the page says why, and changes nothing."""
    merging.merge(rival.submission.player, sent.submission.player, None, reason="same")
    answer = me.post(f"/en/me/{sent.submission.player_id}/erase/", {"sure": "on"})
    assert (answer.status_code, "wait until that is done" in text(answer)) == (422, True)
    assert not Player.objects.exclude(erased_at=None).exists()


def test_a_get_request_does_not_use_a_claim_link(client, sent):
    """Rule 4.11: programs that scan mail open every link."""
    url = f"/en/claim/{claims.link_token(sent.submission.player, clock.now())}/"
    assert "Accept the nickname" in text(client.get(url))
    assert not AuditEntry.objects.exists()
    assert "The nickname is yours now" in text(client.post(url))
    again = Client().post(url)
    assert (again.status_code, "no longer works" in text(again)) == (404, True)


@pytest.mark.parametrize("viewer", ["stranger", "rival"])
def test_other_viewers_cannot_see_or_change_a_players_pages(client, sent, rival, viewer):
    """Rules 4.11, 7.5: a claimed name cannot be harmed by others."""
    if viewer == "rival":
        client.post("/en/claim/", {"proof": rival.claim})
    before = list(Player.objects.order_by("pk").values())
    page = f"/en/me/{sent.submission.player_id}/"
    for path in (page, f"{page}erase/", "/en/me/999999/"):
        assert client.get(path).status_code == 404
    assert client.post(f"{page}erase/", {"sure": "on"}).status_code == 404
    for act in ("own", "let_go", "forget", "rename", "country", "email"):
        fields = {f"{act}-nickname": "mine", f"{act}-country": "FR", f"{act}-email": "x@y.zz"}
        assert client.post(page, {"act": act, **fields}).status_code == 404
    assert list(Player.objects.order_by("pk").values()) == before


def test_a_player_renames_themselves_after_the_round(me, sent):
    """Rule 4.13."""
    url = f"/en/me/{sent.submission.player_id}/"
    refused = me.post(url, {"act": "rename", "rename-nickname": "Winner"})
    assert "open round" in text(refused)
    with clock.set_to(cast.AFTER):
        assert me.post(url, {"act": "rename", "rename-nickname": "Organiser"}).status_code == 422, "no new name may be"
        assert me.post(url, {"act": "rename", "rename-nickname": "Winner"}).status_code == 302
        assert "32 characters" in text(me.post(url, {"act": "rename", "rename-nickname": "x" * 33}))
    assert Player.objects.get(merged_into=None).nickname == "Winner"


def test_without_a_login_an_address_can_be_added_but_not_replaced(client, sent, rival):
    """Rules 4.6, 4.11: the country can always be changed."""
    fields = {"email-email": "new@example.org", "country-country": "FR"}
    for receipt in (rival, sent):
        client.post("/en/claim/", {"proof": receipt.claim})
        for act in ("email", "country"):
            client.post(f"/en/me/{receipt.submission.player_id}/", {"act": act, **fields})
    stored = set(Player.objects.values_list("nickname", "email", "country"))
    assert stored == {("rival", "new@example.org", "FR"), ("player", "me@example.org", "FR")}


def test_an_account_takes_over_and_releases_a_nickname(me, sent):
    """Rule 4.11: others cannot take over what it owns."""
    owner, other = User.objects.create_user("owner"), User.objects.create_user("other")
    url, offer = f"/en/me/{sent.submission.player_id}/", "Add to my account"
    assert offer not in text(me.get("/en/me/"))
    for user, act, owned_by in ((owner, "own", owner), (other, "own", owner), (owner, "let_go", None)):
        me.force_login(user)
        me.post(url, {"act": act})
        assert Player.objects.get().owner == owned_by
        assert (offer in text(me.get("/en/me/"))) == (owned_by is None)
    assert list(AuditEntry.objects.order_by("pk").values_list("act", flat=True)) == ["own", "let go"]


def test_the_export_contains_everything_stored_about_the_player(me, sent, rival):
    """Rule 4.7: the page is open to any holder of the cookie and masks the address."""
    page = me.get(f"/en/me/{sent.submission.player_id}/").content.decode()
    assert ("m…@e…" in page, "me@example.org" in page) == (True, False)
    answer = me.get("/en/me/export.json")
    (player,) = json.loads(stored := answer.getvalue().decode())["players"]
    assert (player["nickname"], player["emails"]) == ("player", ["me@example.org"])
    assert [submission["text"] for submission in player["submissions"]] == ["rR"]
    assert "rival" not in stored


def test_closing_an_account_releases_its_nicknames(me, sent):
    user = User.objects.create_user("somebody", is_staff=True)
    Player.objects.update(owner=user, claim_sha256="", email="")
    me.force_login(user)
    assert me.post("/en/me/account/", {"sure": "on"}).status_code == 422
    User.objects.update(is_staff=False)
    assert me.post("/en/me/account/", {"sure": "on"}).status_code == 302
    assert not User.objects.exists()
    assert not Player.objects.get().is_open


def test_a_player_without_any_proof_asks_the_organisers(client, sent):
    """Rule 4.11."""
    fields = {"nickname": "PLAYER", "email": "me@example.org", "text": "my computer died"}
    assert client.post("/en/claim/", fields).status_code == 302
    report = NameReport.objects.get()
    assert (report.kind, report.player) == ("claim", sent.submission.player)
    assert client.post("/en/claim/", {**fields, "nickname": "nobody"}).status_code == 422
    assert client.post("/en/claim/", {**fields, "email": ""}).status_code == 422


def test_only_public_names_can_be_reported_and_reports_are_limited(client, sent):
    """Rule 6.14: before a verdict nothing of a player is public."""
    url = f"/en/players/{sent.submission.player_id}/report/"
    assert client.get(url).status_code == 404
    judging.judge_until_empty()
    fields = {"kind": "offensive", "text": "it is rude"}
    assert client.get(url).status_code == 200
    assert client.post(url, {**fields, "text": "x" * (reports.LONGEST + 1)}).status_code == 422
    for number in range(1, reports.MOST_A_NAME + 2):
        answer = client.post(url, fields)
        assert answer.status_code == (422 if number > reports.MOST_A_NAME else 302)
    for _more in range(2):
        client.post(url, {**fields, "kind": "squatted"})
    assert "many reports today" in text(client.post(url, {**fields, "kind": "lookalike"}))


def test_one_network_cannot_close_the_reports_about_names_for_others(client, sent, monkeypatch):
    """Neither all of them nor the claims to one name: the claim of its owner may be the one that is refused."""
    judging.judge_until_empty()
    monkeypatch.setattr(reports, "MOST_OF_NETWORK", 4)

    def report(address, kind="claim"):
        fields = {"kind": kind, "text": "it is mine", "email": "me@example.org"}
        url = f"/en/players/{sent.submission.player_id}/report/"
        return Client(REMOTE_ADDR=address).post(url, fields).status_code

    assert [report(f"203.0.113.{number}") for number in range(reports.MOST_A_NAME + 1)] == [302] * 3 + [422]
    assert report("198.51.100.1") == 302
    assert [report("203.0.113.9", kind) for kind in ("offensive", "squatted")] == [302, 422]
    monkeypatch.setattr(reports, "MOST_IN_ALL", 2)
    assert [report("192.0.2.1", kind) for kind in ("offensive", "squatted")] == [302, 422]
    for waiting in NameReport.objects.all():
        reports.decide(waiting, "no", None)
    assert not NameReport.objects.exclude(network="").exists()


@pytest.fixture
def ann(client, during_round):
    client.post("/en/submit/", {"moves": "rlrR", "nickname": "Ann"})
    judging.judge_until_empty()
    return client


def page(client):
    return " ".join(client.get("/en/me/").text.split())


def test_after_the_reveal_my_page_says_how_i_lose_most_moves_where_the_coach_has_looked(ann):
    """Rules 4.9, 20.4: nothing is said before the reveal, and nothing found about a level in play."""
    coached = Coached(sokoban.Level.parse(cast.CORRIDOR), "rlrR", {})
    search = Search.objects.create(
        kind=SearchKind.COACH,
        public_id=coached.key,
        text=cast.CORRIDOR,
        sha256=coached.board.sha256,
        state=SearchState.DONE,
        answer="solved",
        seconds=1,
        megabytes=1,
        asked_at=cast.AFTER,
        given=coached.lurd,
        tried=cast.compared(),
        stretches={"moves": [[0, 2, 0, 0, 2, 0, ""]]},
    )
    lost = "Most moves lost by walking round: 2 of 2."
    assert lost not in page(ann), "before the reveal"
    with clock.set_to(cast.AFTER):
        text = page(ann)
        assert (lost in text, "1 solution analysed, of the last 50 submissions." in text) == (True, True)
        assert lost not in page(Client())
    cast.a_round(2, opens_at=cast.AFTER, closes_at=cast.AFTER + timedelta(days=7))
    with clock.set_to(cast.AFTER + timedelta(hours=1)):
        assert lost not in page(ann), "not compared with a level in play"
    search.delete()
    with clock.set_to(cast.AFTER):
        assert "Where my moves go" not in page(ann)
