"""`leitai-server init --compose`: the files of a site in containers."""

import stat
import subprocess
import sys
from io import StringIO
from unittest.mock import Mock

import pytest
import yaml
from django.core.management import CommandError, call_command

from contest.installing import containers
from tooling.folders import ROOT

ANSWERS = {"address": "https://contest.example", "mail": "smtp://u:p$x@mail.example:25", "organiser": "anna"}


@pytest.fixture
def init(tmp_path, monkeypatch):
    """Run the command in an empty folder; return the folder and a function that returns the output."""
    monkeypatch.setattr("contest.installing.questions.get_connection", Mock())

    def run(**options):
        out = StringIO()
        call_command("init", tmp_path, compose=True, yes=True, stdout=out, **(ANSWERS | options))
        return out.getvalue()

    return tmp_path, run


def test_the_compose_file_fits_the_schema_and_differs_from_ours_only_in_the_image(init):
    folder, run = init
    run()
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    subprocess.run([*check, str(folder / "docker-compose.yml")], check=True)
    ours, written = (yaml.safe_load((place / "docker-compose.yml").read_text()) for place in (ROOT, folder))
    assert written["services"].keys() == ours["services"].keys()
    same = ("web", "judge", "solve", "beat", "postgres", "redis")
    assert [written["services"][name].get("command") for name in same] == [
        ours["services"][name].get("command") for name in same
    ]
    assert "manage.py" not in (folder / "docker-compose.yml").read_text()
    assert all(service["build"]["context"] == "." for service in written["services"].values() if "build" in service)


def test_every_change_of_our_file_still_applies():
    text = (ROOT / "docker-compose.yml").read_text()
    assert [old for old, _new in containers._CHANGES if old not in text] == []


def test_the_settings_are_private_and_survive_a_second_run(init):
    folder, run = init
    assert "createsuperuser --username anna" in run()
    before = (folder / ".env").read_bytes()
    assert stat.S_IMODE((folder / ".env").stat().st_mode) == 0o600
    assert b"EMAIL_URL='smtp://u:p$x@mail.example:25'" in before
    run(force=True)
    assert (folder / ".env").read_bytes() == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"address": "http://10.0.0.5:8000"}, "https address without a port"),
        ({"redis": "redis://127.0.0.1"}, "one of the containers"),
        ({"mail": "smtp://u:it's@mail.example:25"}, "apostrophe"),
    ],
)
def test_what_containers_cannot_do_is_refused(init, options, message):
    folder, run = init
    with pytest.raises(CommandError, match=message):
        run(**options)
    assert list(folder.iterdir()) == []
