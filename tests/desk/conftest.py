"""The staff of the site, each in a browser of their own."""

import time
from datetime import timedelta

import pytest
from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.mfa.totp.internal import auth as totp
from django.contrib.auth.models import Group, User
from django.test import Client

from contest.infra import clock
from contest.staff import second_factors  # noqa: F401 - marks the sessions of the staff as they begin
from tests import cast
from tests.authenticator import SECRET

DESK = "/en/desk/"
PASSWORD = "a long password"


def member(role: str, name: str = "") -> User:
    user = User.objects.create_user(name or role, password=PASSWORD, is_staff=True)
    user.groups.add(Group.objects.get(name=role))
    return user


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    client.cookies["django_language"] = "en"
    return client


def with_device(user: User) -> User:
    totp.TOTP.activate(user, SECRET)
    return user


def proved(user: User, *, seconds_ago: float = 0) -> Client:
    """A browser in which *user* has proved a second factor so long ago."""
    client = signed_in(user)
    session = client.session
    session[AUTHENTICATION_METHODS_SESSION_KEY] = [{"method": "mfa", "at": time.time() - seconds_ago, "type": "totp"}]
    session["account_authentication_methods_user"] = str(user.pk)
    session.save()
    return client


def said(answer) -> str:
    return answer.content.decode()


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
def counted(cache_of_its_own):
    """A cache, which counts attempts and remembers codes that were used."""


@pytest.fixture
def factors_wanted(settings, counted, codes_stand_still):
    """Whoever comes to the desk proves a second factor, some days before the round opens."""
    settings.SECOND_FACTOR_FOR_STAFF = True
    with clock.set_to(cast.OPENS - timedelta(days=9)):
        yield


@pytest.fixture(autouse=True)
def _words(in_english):
    """What is said is compared word by word."""
