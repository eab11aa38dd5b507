"""What every test may ask for."""

import gc
import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from allauth.mfa.totp.internal import auth as totp
from django.core.cache import cache
from django.db import connection
from django.middleware import csrf
from django.utils import translation
from hypothesis import settings as examples

from contest.infra import cache as cached
from contest.infra import clock, kept
from contest.infra.database import state as database_state
from contest.judging import judge as judging
from solvers.sokoban.reading import readers
from tests import authenticator, cast, databases, migrated, sizes

# No example fails for the time it takes on a busy machine, and the short size draws the same examples each time.
examples.register_profile("short", deadline=None, derandomize=True)
examples.register_profile("exhaustive", deadline=None)

# A form's random token spells no name that a test looks for, nor a number.
csrf.CSRF_ALLOWED_CHARS = "qxzQXZ"


def pytest_addoption(pluginmanager):
    pluginmanager.register(sizes)


def pytest_configure(config):
    examples.load_profile("exhaustive" if config.getoption("exhaustive") else "short")


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Look for no garbage among modules and tests, which last as long as the run, while they load or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path, parent):
    """No examples stand in the tests themselves: none are looked for there."""
    found = yield
    return [collector for collector in found if type(collector) is pytest.Module]


def pytest_collection_modifyitems(config, items):
    """Select the tests of this run's size and database; SQLite has all of a size."""
    selected = items if connection.vendor == "sqlite" else databases.may_differ(items)
    if not config.getoption("exhaustive"):
        selected = [item for item in selected if sizes.is_short(item, connection.vendor)]
    config.hook.pytest_deselected(items=list(set(items) - set(selected)))
    items[:] = selected


@pytest.fixture(scope="session")
def _tables_of_another_run(request, django_db_modify_db_settings, django_db_use_migrations):
    cache = getattr(request.config, "cache", None)
    if cache and django_db_use_migrations and connection.vendor == "sqlite":
        with migrated.begin(cache.mkdir("migrated"), connection.creation._get_test_db_name()) as end:
            yield end
    else:
        yield lambda: None


@pytest.fixture(scope="session")
def django_db_setup(_tables_of_another_run, django_db_setup, django_db_blocker):
    """Create the tables by all migrations, or take those of an earlier run of the same code."""
    with django_db_blocker.unblock():
        _tables_of_another_run()


@pytest.fixture
def during_round(db):
    """An open round, with the clock stopped inside it."""
    with clock.set_to(cast.DURING):
        yield cast.a_round()


@pytest.fixture(autouse=True)
def _nothing_is_kept():
    """Rows of an earlier test had the same numbers as this one's: no answer about them stays, nor the wake-up mark."""
    kept.store.clear()
    if not os.environ.get("REDIS_URL", ":1").endswith(":1"):
        cache.clear()
    yield
    database_state.forget()  # a database that has a connection left cannot be dropped


@pytest.fixture
def cache_of_its_own(settings, monkeypatch):
    """A cache in this process, empty, whatever an earlier test found out about Redis."""
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    monkeypatch.setattr(cached.breaker, "rests_until", 0.0)
    cache.clear()


@pytest.fixture
def codes_stand_still(monkeypatch):
    """No code of an app runs out on its way to the site."""
    monkeypatch.setattr(totp, "time", SimpleNamespace(time=lambda: authenticator.NOW))


DROID = Path(__file__).parent / "data" / "fonts"


@pytest.fixture(params=["fonts of this machine", "Droid Sans Fallback alone", "no font"])
def any_fonts(request, monkeypatch, tmp_path):
    """The fonts of a machine: its own, only one without Latin letters, none."""
    folders = {"Droid Sans Fallback alone": DROID, "no font": tmp_path}
    if folder := folders.get(request.param):
        monkeypatch.setenv("FONT_FOLDERS", str(folder))
    return request.param


@pytest.fixture
def no_font(monkeypatch, tmp_path):
    """A machine with no font but Pillow's own."""
    monkeypatch.setenv("FONT_FOLDERS", str(tmp_path))


@pytest.fixture
def droid_alone(monkeypatch):
    """A machine with one font, which has some Chinese letters and no Latin ones."""
    monkeypatch.setenv("FONT_FOLDERS", str(DROID))


@pytest.fixture
def in_english():
    """The language of requests without one, whatever language an earlier request left behind."""
    with translation.override("en"):
        yield


@pytest.fixture
def new_engine(monkeypatch):
    """An engine that finds fault with what Bo sent."""
    as_before = readers.judge

    def judge(levels, text, reader, **limits):
        return as_before(levels, "r" if text == "rR" else text, reader, **limits)

    monkeypatch.setattr(judging, "ENGINE_VERSION", judging.ENGINE_VERSION + 1)
    monkeypatch.setattr(readers, "judge", judge)
