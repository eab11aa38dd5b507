import gc
import math
import os
from contextlib import nullcontext
from types import SimpleNamespace

import pytest
from allauth.mfa.totp.internal import auth as totp
from django.core.cache import cache
from django.db import connection
from django.middleware import csrf
from django.utils import timezone, translation
from hypothesis import settings as examples

from contest.infra import cache as cached
from contest.infra import clock, identity, kept
from contest.infra.database import state as database_state
from contest.judging import judge as judging
from contest.models import Track
from contest.staff import first_minutes
from solvers.sokoban.reading import readers
from tests import authenticator, cast, databases, migrated, sizes

# Examples have no deadline, because the machine may be busy. The short run draws fewer, and the same each time.
examples.register_profile("short", deadline=None, derandomize=True, max_examples=40)
examples.register_profile("exhaustive", deadline=None)

# Letters of CSRF tokens that form no word or number that a test looks for.
csrf.CSRF_ALLOWED_CHARS = "qxzQXZ"

FOLDERS = pytest.StashKey()


def pytest_addoption(pluginmanager):
    pluginmanager.register(sizes)


def pytest_configure(config):
    examples.load_profile("exhaustive" if config.getoption("exhaustive") else "short")
    identity.use({})  # a module may ask for the site's time zone when it is imported


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Disable garbage collection while modules and tests load, and freeze them: they live as long as the run.

    Collecting rarely after that saves 3 % of the CPU time of tests with pages.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)
        if database_state._open_connection:  # PostgreSQL copies no template that somebody reads
            raise pytest.UsageError("A test module has read the site's own database while it was imported.")


def pytest_ignore_collect(collection_path, config):
    """Import no test file without tests of this run's size and database."""
    is_short = not config.getoption("exhaustive")
    return True if is_short and not sizes.has_short_tests(collection_path, config.rootpath, connection.vendor) else None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path, parent):
    """Collect no doctests from the test files: they contain none."""
    found = yield
    return [collector for collector in found if type(collector) is pytest.Module]


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """Collect each folder once: pytest 9.1, unlike 9.2, loses the fixtures of a second node (its issue 14635)."""
    report = yield
    folders = collector.session.stash.setdefault(FOLDERS, {})
    report.result = [
        folders.setdefault(node.path, node) if isinstance(node, pytest.Directory) else node
        for node in report.result or []
    ]
    return report


def pytest_collection_modifyitems(config, items):
    """Select the tests for this run's size and database; SQLite runs all tests of a size but those for PostgreSQL."""
    for item in items if connection.vendor == "sqlite" else ():
        if item.get_closest_marker("postgres"):
            item.add_marker(pytest.mark.skip("needs PostgreSQL"))
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
    """Create the tables by all migrations, or restore those of an earlier run of the same code."""
    with django_db_blocker.unblock():
        _tables_of_another_run()


@pytest.fixture(autouse=True)
def _clock_of_the_mark(request):
    """Stop the clock at the time that a module or test is marked with; a test that leaves it stopped fails itself."""
    mark = request.node.get_closest_marker("clock")
    with clock.set_to(*mark.args) if mark else nullcontext():
        yield
    left, clock._set_to = clock._set_to, None
    assert left is None, "the clock is still stopped: the tests after this one would see another time"


@pytest.fixture
def during_round(db):
    """Return an open round, with the clock stopped inside it."""
    with clock.set_to(cast.DURING):
        yield cast.a_round()


@pytest.fixture
def weekly(db):
    return Track.objects.create(slug="weekly", title_zh="周赛", title_en="Weekly")


@pytest.fixture
def local_site(settings, monkeypatch):
    """A site as `dev.py run` configures it, but with the tests' own database."""
    settings.EMBEDDED, settings.HTTPS, settings.BEHIND_PROXY = True, False, False
    settings.TRUSTED_PROXIES, settings.CSRF_TRUSTED_ORIGINS, settings.LEGACY_HOSTS = [], [], []
    settings.BOUND_TO, settings.SITE_URL = "127.0.0.1", "http://127.0.0.1:8000"
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
    monkeypatch.setattr(first_minutes, "_is_embedded", lambda: True)
    return settings


@pytest.fixture(autouse=True)
def _nothing_is_kept(monkeypatch):
    """Clear the caches and the wake-up flag: rows of an earlier test had the same numbers as rows of this one."""
    kept.store.clear()
    identity.use({})
    timezone.deactivate()  # a request leaves the site's zone in its thread
    monkeypatch.setattr(identity._Reading, "until", math.inf)  # no test reads what another one committed
    if not os.environ.get("REDIS_URL", ":1").endswith(":1"):
        cache.clear()
    yield
    database_state.forget()  # a database with an open connection cannot be dropped


@pytest.fixture
def cache_of_its_own(settings, monkeypatch):
    """Use an empty in-process cache, regardless of what earlier tests learnt about Redis."""
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    monkeypatch.setattr(cached.breaker, "rests_until", 0.0)
    cache.clear()


@pytest.fixture
def three_solved(cache_of_its_own, during_round):
    cast.enter_all(during_round, [("Ann", 500, 120), ("Bo", 498, 118), ("Cy", 499, 130)])
    return during_round


@pytest.fixture
def codes_stand_still(monkeypatch):
    """Stop the clock of authenticator codes, so that no code expires before it is sent."""
    monkeypatch.setattr(totp, "time", SimpleNamespace(time=lambda: authenticator.NOW))


@pytest.fixture
def in_english():
    """Activate English for requests without a language, regardless of the language of an earlier request."""
    with translation.override("en"):
        yield


@pytest.fixture
def new_engine(monkeypatch):
    """Install a new engine version that rejects Bo's submission."""
    as_before = readers.judge

    def judge(levels, text, reader, **limits):
        return as_before(levels, "r" if text == "rR" else text, reader, **limits)

    monkeypatch.setattr(judging, "ENGINE_VERSION", judging.ENGINE_VERSION + 1)
    monkeypatch.setattr(readers, "judge", judge)
