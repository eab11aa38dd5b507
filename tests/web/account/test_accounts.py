import base64
import json
import re
import time
from hashlib import sha256

import pytest
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.forms import LoginWebAuthnForm
from django.contrib.auth.models import User
from django.core import mail, signing
from django.test import Client
from fido2.cose import ES256, CoseKey, UnsupportedKey
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import AttestationObject, AttestedCredentialData, AuthenticatorData, CollectedClientData

from contest.models import AuditEntry, Door, Player
from contest.players import api_tokens
from contest.submissions import Entry, accept
from contest.web.account.adapter import Adapter
from contest.web.account.passkeys import AddForm
from tests import cast

# The rate limits of signing in need a cache.
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cache_of_its_own")]

ADDRESS = "player@example.org"


@pytest.fixture
def player(during_round):
    return accept(Entry("player", "rR", email=ADDRESS), door=Door.WEB).submission.player


def code():
    return re.search(r"^([A-Z0-9]{3,}-?[A-Z0-9]*)$", mail.outbox[-1].body, re.MULTILINE).group(1)


def sign_up(client, address=ADDRESS):
    client.post("/en/account/signup/", {"email": address})
    return client.post("/en/account/confirm-email/", {"code": code()})


def sign_in(client, address=ADDRESS):
    client.post("/en/account/login/", {"email": address})
    return client.post("/en/account/login/code/confirm/", {"code": code()})


def test_the_letter_to_a_new_account_is_in_both_languages_that_of_the_page_first():
    for language, is_chinese_first in (("zh-hans", True), ("en", False)):
        Client().post(f"/{language}/account/signup/", {"email": f"{language}@example.org"})
        body = mail.outbox[-1].body
        places = [body.index(text) for text in ("请在打开的浏览器窗口", "Please enter it in your open browser")]
        assert (places[0] < places[1]) is is_chinese_first


def test_a_code_for_an_account_deleted_meanwhile_opens_nothing(client):
    create_known_user()
    client.post("/en/account/login/", {"email": ADDRESS})
    User.objects.get().delete()
    assert client.post("/en/account/login/code/confirm/", {"code": code()}).url == "/en/account/login/"
    assert "_auth_user_id" not in client.session


def signed_in_user(client):
    return User.objects.get(pk=client.session["_auth_user_id"])


def test_an_emailed_code_creates_an_account_without_a_password(client):
    """Rule 4.11."""
    assert sign_up(client).status_code == 302
    user = signed_in_user(client)
    assert not user.has_usable_password()
    assert "player@" not in user.username
    client.post("/en/account/logout/")
    assert "_auth_user_id" not in client.session
    sign_in(client)
    assert signed_in_user(client) == user
    # Otherwise "Back" shows the address after signing out.
    assert "no-store" in client.get("/en/account/email/").headers["Cache-Control"]


def test_a_verified_address_takes_over_its_nicknames(client, player):
    """Rule 4.11: a code is sent to the address entered with the nickname; an imported player returns this way."""
    Player.objects.create(nickname="Old", name_key="oid", email=ADDRESS, is_imported=True, created_at=cast.OPENS)
    sign_up(client, ADDRESS.upper())
    assert {(player.owner, player.is_imported) for player in Player.objects.all()} == {(signed_in_user(client), False)}
    assert AuditEntry.objects.filter(act="own").count() == 2
    sent = client.post("/en/submit/", {"nickname": "player", "moves": "rrR"})
    assert sent.status_code == 302


@pytest.mark.parametrize("is_held", [True, False])
def test_the_stranger_that_entered_an_address_keeps_no_key_to_its_name(client, player, settings, is_held):
    """Rule 4.11: the stranger would read drafts, follows and solutions that its new owner has under it."""
    secret, token = cast.claim_of("player"), api_tokens.make(player, None, cast.DURING).token
    cookie = signing.dumps({str(player.pk): secret}, salt="claims")
    if is_held:
        client.cookies[settings.CLAIMS_COOKIE_NAME] = cookie
    sign_up(client)
    assert ("sign in on your other devices" in client.get("/en/me/").content.decode()) != is_held
    other = Client()
    other.cookies[settings.CLAIMS_COOKIE_NAME] = cookie
    token.refresh_from_db()
    assert (other.get(f"/en/me/{player.pk}/").status_code == 200, token.revoked_at is None) == (is_held, is_held)
    assert client.get(f"/en/me/{player.pk}/").status_code == 200


def test_an_unverified_address_takes_over_nothing(client, player):
    """Rule 4.11."""
    client.post("/en/account/signup/", {"email": ADDRESS})
    client.post("/en/account/confirm-email/", {"code": "WRONG-1"})
    player.refresh_from_db()
    assert player.owner is None
    assert "_auth_user_id" not in client.session


def create_known_user(email=ADDRESS, **fields):
    user = User.objects.create_user("known", email=email, **fields)
    EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)


def test_responses_do_not_reveal_whether_an_address_has_an_account(client):
    """The answer is in a letter to that address, and links to the sign-in page."""
    create_known_user()

    def answers(address):
        signed_up = client.post("/en/account/signup/", {"email": address}, follow=True)
        client.post("/en/account/logout/")
        asked = client.post("/en/account/login/", {"email": address}, follow=True)
        client.post("/en/account/logout/")
        nonces = r'value="[^"]{20,}"|content="20[^"]*"'
        texts = [re.sub(nonces, "", answer.text.replace(address, "ADDRESS")) for answer in (signed_up, asked)]
        return texts, [(answer.status_code, answer.redirect_chain) for answer in (signed_up, asked)]

    assert answers(ADDRESS) == answers("nobody@example.org")
    assert {message.to[0] for message in mail.outbox} == {ADDRESS, "nobody@example.org"}
    assert all(text in mail.outbox[0].body for text in ("/en/account/login/", "already has"))


@pytest.mark.parametrize("flag", ["is_staff", "is_superuser"])
def test_an_organiser_cannot_sign_in_by_code(client, flag):
    """Organisers sign in at /admin/ with a password; their mailbox must not bypass it."""
    create_known_user(password="secret-0815", **{flag: True})
    answer = sign_in(client)
    assert answer.url.startswith("/admin/login/")
    assert "_auth_user_id" not in client.session


def test_there_is_no_password_for_players(client, db):
    User.objects.create_user("known", email=ADDRESS, password="secret-0815")
    client.post("/en/account/login/", {"email": ADDRESS, "login": ADDRESS, "password": "secret-0815"})
    assert "_auth_user_id" not in client.session
    for path in ("password/reset/", "password/set/", "password/change/"):
        assert client.get(f"/en/account/{path}").status_code == 404


def is_code_sent(client):
    before = len(mail.outbox)
    client.post("/en/account/login/", {"email": ADDRESS})
    return len(mail.outbox) > before


def test_requesting_codes_for_an_address_does_not_lock_out_its_owner(client, db):
    """The limit of an address differs from that of the account, and from that of a browser that signed in before."""
    sign_up(client)
    client.post("/en/account/logout/")
    asked = [is_code_sent(Client()) for _time in range(5)]
    assert asked == [True, True, True, False, False]
    assert is_code_sent(Client(REMOTE_ADDR="198.51.100.7"))
    assert is_code_sent(client)


@pytest.mark.parametrize("act", ["sign up", "add"])
def test_codes_to_a_new_address_are_rate_limited(client, db, act):
    sign_up(client)
    before = len(mail.outbox)
    for _time in range(7):
        if act == "add":
            client.post("/en/account/email/", {"action_add": "", "email": "victim@example.org"})
            client.post("/en/account/email/", {"action_remove": "", "email": "victim@example.org"})
        else:
            Client(REMOTE_ADDR="203.0.113.9").post("/en/account/signup/", {"email": "victim@example.org"})
    assert sum(letter.to == ["victim@example.org"] for letter in mail.outbox[before:]) == 5


def test_an_address_sends_few_codes_an_hour_to_one_mailbox(client, monkeypatch):
    """Three a minute would be 180 letters an hour to a stranger."""
    sign_up(client)
    begun, sent = time.time(), 0
    for minute in range(10):
        monkeypatch.setattr(time, "time", lambda now=begun + 61 * minute: now)
        sent += sum(is_code_sent(Client()) for _time in range(3))
    assert sent == 20


def second_browser():
    other = Client(REMOTE_ADDR=f"198.51.100.{len(mail.outbox)}")
    sign_in(other)
    assert is_signed_in(other)
    return other


def is_signed_in(client):
    return client.get("/en/account/email/").status_code == 200


def add_address(client, address):
    client.post("/en/account/email/", {"action_add": "", "email": address})
    return client.post("/en/account/confirm-email/", {"code": code()})


@pytest.mark.parametrize("act", ["add", "primary", "remove"])
def test_changing_the_addresses_of_an_account_ends_its_other_sessions(client, db, act):
    sign_up(client)
    if act != "add":
        add_address(client, "second@example.org")
    other = second_browser()
    if act == "add":
        add_address(client, "second@example.org")
    else:
        client.post("/en/account/email/", {f"action_{act}": "", "email": "second@example.org"})
    assert (is_signed_in(client), is_signed_in(other)) == (True, False)


def test_sign_out_everywhere_else_ends_all_sessions_but_this_one(client, db):
    sign_up(client)
    others = [second_browser(), second_browser()]
    client.post("/en/me/sessions/end/")
    assert [is_signed_in(browser) for browser in (client, *others)] == [True, False, False]


def test_sign_in_answers_503_without_redis(client, db, settings):
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1"}
    }
    answer = client.post("/en/account/login/", {"email": ADDRESS})
    assert answer.status_code == 503


@pytest.mark.parametrize(
    ("is_staff", "address", "leads_to"),
    [
        (True, "", "/en/desk/"),
        (True, ADDRESS, "/en/desk/"),
        (False, "", "/en/me/"),  # a former member of the staff
        (False, ADDRESS, "/en/account/confirm-email/"),
    ],
)
def test_a_passkey_does_not_open_an_account_with_an_unverified_address(
    client, db, monkeypatch, is_staff, address, leads_to
):
    user = User.objects.create_user("lin", address, is_staff=is_staff)
    passkey = Authenticator.objects.create(user=user, type=Authenticator.Type.WEBAUTHN, data={"name": "key"})
    monkeypatch.setattr(LoginWebAuthnForm, "clean_credential", lambda _form: passkey)
    assert client.post("/en/account/passkeys/login/", {"credential": "1"}).url == leads_to
    assert is_signed_in(client) is (leads_to != "/en/account/confirm-email/")


def nested_passkey():
    """Return a passkey with a list in a list, and so on: deeper than Python reads."""
    ends = base64.urlsafe_b64encode(bytes(32) + b"\x85" + bytes(4) + b"\x81" * 3_000).decode().rstrip("=")
    about = base64.urlsafe_b64encode(b'{"type":"webauthn.get","challenge":"","origin":"http://testserver"}').decode()
    response = {"clientDataJSON": about.rstrip("="), "authenticatorData": ends, "signature": "cw", "userHandle": "MQ"}
    return {"id": "eA", "rawId": "eA", "type": "public-key", "response": response, "clientExtensionResults": {}}


@pytest.mark.parametrize(
    ("page", "credential"),
    [
        *(("login", text) for text in ('{"id": 1}', "1" * 5_000, "[" * 1_000, json.dumps(nested_passkey()))),
        ("reauthenticate", "[" * 1_000),
        ("add", '{"id": 1}'),
        ("reauthenticate", "9" * 5_000),
        ("add", "[" * 20_000),
    ],
    ids=["no passkey", "digits", "deep JSON", "deep CBOR", "to prove", "to add", "digits to prove", "deep to add"],
)
def test_a_malformed_passkey_is_refused_without_an_error_of_the_server(client, db, page, credential):
    user = User.objects.create_user("lin")
    if page != "login":
        client.force_login(user)
    if page == "reauthenticate":
        Authenticator.objects.create(user=user, type=Authenticator.Type.WEBAUTHN, data={"name": "key"})
    answer = client.post(f"/en/account/passkeys/{page}/", {"credential": credential, "name": "other"})
    assert answer.status_code in (200, 302)
    assert not Authenticator.objects.exclude(data={"name": "key"}).exists()


@pytest.mark.parametrize(("held", "length"), [(20, 10), (0, 40_000)], ids=["too many", "too long"])
def test_an_account_stores_no_more_and_no_longer_passkeys_than_it_can_need(client, db, held, length):
    """Each could have a quarter of a megabyte, which is read at every sign-in."""
    user = User.objects.create_user("lin")
    client.force_login(user)
    kept = {"user": user, "type": Authenticator.Type.WEBAUTHN, "data": {"name": "key"}}
    Authenticator.objects.bulk_create(Authenticator(**kept) for _place in range(held))
    form = AddForm({"credential": json.dumps({"id": "a" * length})}, user=user)
    assert not form.is_valid()
    assert ("remove one first" in str(form.errors)) is bool(held)
    assert "credential" in form.errors or held


def signed_in_by(client, user, key: CoseKey):
    """Add a passkey with this public *key*, and sign in with it and a wrong signature; return the response."""
    rp_id, about = sha256(b"testserver").digest(), AttestedCredentialData.create(bytes(16), b"id", key)
    added = AttestationObject.create("none", AuthenticatorData.create(rp_id, 0x45, 1, about), {})
    client.get("/en/account/passkeys/login/", headers={"X-Requested-With": "XMLHttpRequest"})
    challenge = websafe_decode(client.session["mfa.webauthn.state"]["challenge"])
    kinds = CollectedClientData.TYPE
    made, asked = (
        CollectedClientData.create(kind, challenge, "http://testserver") for kind in (kinds.CREATE, kinds.GET)
    )
    texts = [
        {"clientDataJSON": made, "attestationObject": added},
        {"clientDataJSON": asked, "authenticatorData": AuthenticatorData.create(rp_id, 5, 2), "signature": b"wrong",
         "userHandle": user_pk_to_url_str(user).encode()},
    ]  # fmt: skip
    registered, credential = (
        {"id": "aWQ", "rawId": "aWQ", "type": "public-key", "clientExtensionResults": {},
         "response": {name: websafe_encode(value) for name, value in text.items()}}
        for text in texts
    )  # fmt: skip
    data = {"name": "key", "credential": registered}
    Authenticator.objects.create(user=user, type=Authenticator.Type.WEBAUTHN, data=data)
    return client.post("/en/account/passkeys/login/", {"credential": json.dumps(credential)})


@pytest.mark.parametrize(
    "key", [ES256({1: 2, 3: -7, -1: 1, -2: bytes(32), -3: bytes(32)}), UnsupportedKey({1: 2, 3: -999})]
)
def test_a_passkey_with_a_key_of_no_known_kind_is_refused_without_an_error_of_the_server(client, db, key):
    assert signed_in_by(client, User.objects.create_user("lin"), key).status_code == 302
    assert not is_signed_in(client)


@pytest.mark.parametrize(("confirmed", "by"), [(True, "lin"), (True, "other"), (False, "lin")])
def test_nicknames_are_taken_over_only_when_the_addresss_own_account_confirms_it(
    player, monkeypatch, rf, confirmed, by
):
    users = {name: User.objects.create_user(name) for name in ("lin", "other")}
    address = EmailAddress.objects.create(user=users["lin"], email=ADDRESS, verified=True)
    monkeypatch.setattr(DefaultAccountAdapter, "confirm_email", lambda *_given: confirmed)
    request = rf.get("/")
    request.user = users[by]
    assert Adapter().confirm_email(request, address) is confirmed
    player.refresh_from_db()
    assert (player.owner == users["lin"]) is (confirmed and by == "lin")


@pytest.mark.parametrize("lookalike", ["playeri@example.org", "player@gmail.com"])
def test_a_lookalike_address_takes_over_no_nickname(client, during_round, lookalike):
    """Rule 4.11: dotless i and long s are other letters, however a database upper-cases them."""
    player = accept(Entry("player", "rR", email=lookalike), door=Door.WEB).submission.player
    attacker = lookalike.replace("i", "ı")
    client.post("/en/account/signup/", {"email": attacker})
    if mail.outbox:
        client.post("/en/account/confirm-email/", {"code": code()})
    player.refresh_from_db()
    assert player.owner is None


@pytest.mark.parametrize(("others", "is_asked"), [(3, True), (4, False)])
def test_an_account_has_five_addresses_at_most(client, db, others, is_asked):
    sign_up(client)
    (own,) = EmailAddress.objects.all()
    EmailAddress.objects.bulk_create(
        EmailAddress(user=own.user, email=f"address{number}@example.org", verified=True) for number in range(others)
    )
    client.post("/en/account/email/", {"action_add": "", "email": "next@example.org"})
    assert (mail.outbox[-1].to == ["next@example.org"]) == is_asked
