"""What every test may ask for."""

import os

import pytest
from django.core.cache import cache

from contest import clock
from tests import cast


@pytest.fixture
def during_round(db):
    """An open round, with the clock stopped inside it."""
    with clock.set_to(cast.DURING):
        yield cast.a_round()


@pytest.fixture(autouse=True)
def _no_wake_up_is_left(request):
    """A broker that is up keeps its wake-up mark between tests; drop it."""
    yield
    if "db" in request.fixturenames and not os.environ.get("REDIS_URL", ":1").endswith(":1"):
        cache.clear()
