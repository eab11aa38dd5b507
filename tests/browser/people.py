"""Ways to sign in: organisers by password, players by cookie, both by passkey."""

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.test import Client
from playwright.sync_api import expect

from contest.models import Player
from tests import cast
from tests.desk.conftest import PASSWORD

# A device with a user who always agrees.
DEVICE = {"protocol": "ctap2", "transport": "internal", "automaticPresenceSimulation": True}
DEVICE |= dict.fromkeys(("hasResidentKey", "hasUserVerification", "isUserVerified"), True)


def give_password(page, name, code=""):
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("Code from your two-step verification").fill(code)
    page.get_by_role("button", name="Continue").click()


def sign_in(page, name, code=""):
    give_password(page, name, code)
    expect(page.get_by_role("heading", name="Desk")).to_be_visible()


def take_session(page, user: User):
    client = Client()
    client.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    _take_cookie(page, name, client.cookies[name].value)


def set_claim_cookie(page, nickname):
    player = Player.objects.get(nickname=nickname)
    value = signing.dumps({str(player.pk): cast.claim_of(nickname)}, salt="claims", compress=True)
    _take_cookie(page, settings.CLAIMS_COOKIE_NAME, value)


def as_ann(page):
    cast.players.create("Ann", country="", email="", at=cast.OPENS)
    set_claim_cookie(page, "Ann")


def _take_cookie(page, name, value):
    site = page.evaluate("location.origin")
    page.context.add_cookies([{"name": name, "value": value, "url": site}])


def add_device(page):
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
