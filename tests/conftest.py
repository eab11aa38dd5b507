"""What every test may ask for."""

import os
from types import SimpleNamespace

import pytest
from allauth.mfa.totp.internal import auth as totp
from django.core.cache import cache
from django.utils import translation
from hypothesis import settings as examples

from contest import tasks
from contest.infra import cache as cached
from contest.infra import clock, database_state, kept
from contest.judging import judge as judging
from solvers.sokoban import readers
from tests import authenticator, cast

# How long an example takes says how busy the machine is.
examples.register_profile("untimed", deadline=None)
examples.load_profile("untimed")


@pytest.fixture
def during_round(db):
    """An open round, with the clock stopped inside it."""
    with clock.set_to(cast.DURING):
        yield cast.a_round()


@pytest.fixture
def cache_of_its_own(settings, monkeypatch):
    """A cache in this process, empty, whatever an earlier test found out about Redis."""
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    monkeypatch.setattr(cached, "_resting_until", 0.0)
    cache.clear()


@pytest.fixture
def codes_stand_still(monkeypatch):
    """No code of an app runs out on its way to the site."""
    monkeypatch.setattr(totp, "time", SimpleNamespace(time=lambda: authenticator.NOW))


@pytest.fixture
def in_english():
    """The language of requests without one, whatever language an earlier request left behind."""
    with translation.override("en"):
        yield


@pytest.fixture(autouse=True)
def _nothing_is_kept():
    """A Redis that is up keeps the wake-up mark and answers about rows whose numbers the next test's have again."""
    yield
    kept.store.clear()
    database_state.forget()
    if not os.environ.get("REDIS_URL", ":1").endswith(":1"):
        cache.clear()
        tasks.let_wake()


@pytest.fixture
def new_engine(monkeypatch):
    """An engine that finds fault with what Bo sent."""
    as_before = readers.judge

    def judge(levels, text, reader, **limits):
        return as_before(levels, "r" if text == "rR" else text, reader, **limits)

    monkeypatch.setattr(judging, "ENGINE_VERSION", judging.ENGINE_VERSION + 1)
    monkeypatch.setattr(readers, "judge", judge)
