"""The staff of the site, each in a browser of their own."""

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

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


@pytest.fixture(autouse=True)
def _words(in_english):
    """What is said is compared word by word."""
