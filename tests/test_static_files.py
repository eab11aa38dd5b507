"""What is remembered of the static files is what a site finds that looks anew."""

import contextlib

import pytest
from django.test import Client
from whitenoise.middleware import WhiteNoiseMiddleware

from tests import static_files
from tooling.folders import ROOT

pytestmark = pytest.mark.django_db  # the end of an answer looks after the connection
STYLE = "static/contest/site.css"


@pytest.fixture
def looks(monkeypatch):
    """Each look at the files from now on, with nothing remembered."""
    counted, look = [], WhiteNoiseMiddleware.add_files_from_finders

    def add_files(middleware):
        counted.append(middleware)
        look(middleware)

    monkeypatch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", add_files)
    with static_files.remember():
        yield counted


def fetch():
    """The style as a new client gets it: its headers and its bytes."""
    with contextlib.closing(Client().get(f"/{STYLE}")) as answer:
        return dict(answer.items()), answer.getvalue()


def test_one_look_is_enough_for_all_clients(looks):
    first, second = fetch(), fetch()
    assert len(looks) == 1
    assert first[1] == second[1] == (ROOT / "contest" / STYLE).read_bytes()
    assert first[0].keys() == second[0].keys() >= {"Content-Type", "Last-Modified"}


def test_other_settings_take_another_look(looks, settings):
    before, _ = fetch()
    settings.WHITENOISE_MAX_AGE = 7
    after, _ = fetch()
    assert len(looks) == 2
    assert (before["Cache-Control"], after["Cache-Control"]) == ("max-age=60, public", "max-age=7, public")
