"""The staff of the site, each with a browser of their own."""

import time
from datetime import timedelta
from types import SimpleNamespace

import pytest
from allauth.account.internal.flows import login, reauthentication
from allauth.core.internal import ratelimit
from allauth.mfa.totp.internal import auth as totp
from django.contrib.auth.models import Group, User
from django.test import Client

from contest.infra import clock
from contest.models import Track
from contest.staff import members, second_factors
from contest.web.account import adapter
from tests import cast
from tests.authenticator import NOW, SECRET

DESK = "/en/desk/"
PASSWORD = "a long password"
BEFORE = cast.OPENS - timedelta(days=9)


def member(role: str, name: str = "") -> User:
    user = User.objects.create_user(name or role, password=PASSWORD, is_staff=True, date_joined=clock.now())
    user.groups.add(Group.objects.get(name=role))
    return user


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    client.cookies["django_language"] = "en"
    return client


def owner_of(track: str, name: str = "track-organiser") -> Client:
    """Return the browser of an organiser of *track* alone; create the track if missing."""
    Track.objects.get_or_create(slug=track, defaults={"title_zh": track, "title_en": track.title()})
    user = member("track-organiser", name)
    members.give_role(user, "track-organiser", by=None, tracks=[track])
    return signed_in(user)


def with_device(user: User) -> User:
    totp.TOTP.activate(user, SECRET)
    return user


def proved(user: User, *, seconds_ago: float = 0, kind: str = "totp", **more: object) -> Client:
    """Return a browser in which *user* proved a second factor *seconds_ago*, with the clock stopped by `counted`."""
    client = signed_in(user)
    session = client.session
    proof = {"method": "mfa", "at": NOW - seconds_ago, "type": kind, **more}
    session[login.AUTHENTICATION_METHODS_SESSION_KEY] = [proof]
    session["account_authentication_methods_user"] = str(user.pk)
    session.save()
    return client


@pytest.fixture
def organiser(db):
    return signed_in(member("organiser"))


@pytest.fixture
def author(db):
    return signed_in(member("author"))


@pytest.fixture
def operator(db):
    return signed_in(member("operator"))


@pytest.fixture
def counted(cache_of_its_own, codes_stand_still, monkeypatch):
    """A cache that counts attempts and remembers used codes; the stopped clock lets no attempt or proof expire."""
    stopped = SimpleNamespace(**{**vars(time), "time": lambda: NOW})
    for module in (adapter, login, ratelimit, reauthentication, second_factors):
        monkeypatch.setattr(module, "time", stopped)


@pytest.fixture
def factors_wanted(settings, counted, before_round):
    settings.SECOND_FACTOR_FOR_STAFF = True


@pytest.fixture
def before_round(db):
    with clock.set_to(BEFORE):
        yield


@pytest.fixture
def at_opening(db):
    with clock.set_to(cast.OPENS):
        yield


@pytest.fixture
def after_round(db):
    with clock.set_to(cast.AFTER):
        yield


@pytest.fixture(autouse=True)
def _in_english(in_english):
    """Use English, because messages are compared word by word."""
