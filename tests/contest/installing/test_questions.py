import shutil
import stat
import subprocess
import sys
from io import StringIO
from pathlib import Path
from unittest.mock import Mock

import pytest
import yaml
from django.core.management import CommandError, call_command

from contest.installing import containers, files, questions
from contest.installing.questions import QUESTIONS, BadAnswer
from tooling import site
from tooling.folders import ROOT

CHECKS = {question.name: question.check for question in QUESTIONS}
FOLDER = Path("/srv/leitai/site")
ANSWERS = {"address": "https://contest.example", "database": "sqlite", "redis": "embedded", "mail": "none"}


@pytest.mark.parametrize(
    ("name", "answer", "message"),
    [
        ("address", "contest.example", "Write it like https://contest.example"),
        ("address", "https://contest.example/path", "nothing may follow the host"),
        ("address", "https://me@contest.example", "no user"),
        ("address", "https://a b.example", "no host name"),
        ("address", "https://machine", "no host name"),
        ("address", "https://contest.example:x", "no host name"),
        ("address", "http://contest.example", "name a port from 1024"),
        ("database", "mysql://host/name", "postgres://leitai:PASSWORD@"),
        ("database", "postgres://leitai:x@127.0.0.1:1/leitai", "cannot be reached"),
        ("redis", "localhost:6379", "redis://127.0.0.1:6379"),
        ("redis", "redis://127.0.0.1:1", "cannot be reached"),
        ("mail", "mail.example:587", r"smtp\+tls://user:password@"),
        ("mail", "consolemail://", r"smtp\+tls://user:password@"),
        ("mail", "smtp://127.0.0.1:1", "cannot be used"),
        ("organiser", "the organiser", "not a user name"),
    ],
)
def test_a_wrong_answer_is_refused_with_an_example(name, answer, message):
    with pytest.raises(BadAnswer, match=message):
        CHECKS[name](answer)


@pytest.mark.parametrize(
    "address", ["https://contest.example", "https://a.b.example:8443/", "http://10.0.0.5:8000", "http://localhost:8000"]
)
def test_an_address_with_https_or_in_a_closed_network_is_accepted(address):
    CHECKS["address"](address)


def test_settings_are_read_as_they_were_written(tmp_path):
    values = {"EMAIL_FROM": 'The "Club" <club@contest.example>', "EMPTY": "", "BACK": "a\\b'c #d"}
    (tmp_path / files.SETTINGS).write_text(files.settings_text(values))
    assert files.read_settings(tmp_path) == values


def test_new_answers_leave_the_key_and_the_operators_own_settings():
    present = {"SECRET_KEY": "x" * 50, "SITE_NAME": "Club", "SITE_URL": "https://old.example", "HTTPS": "1"}
    values = files.new_settings(FOLDER, ANSWERS | {"address": "http://10.0.0.5:9000"}, present)
    changed = {"SITE_URL": "http://10.0.0.5:9000", "HTTPS": "0", "TRUSTED_PROXIES": ""}
    assert (present | changed).items() <= values.items()


def test_a_site_runs_as_root_only_if_the_operator_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr("os.geteuid", lambda: 0)
    with pytest.raises(CommandError, match="would run as root"):
        call_command("init", str(tmp_path / "site"), "--yes")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_exists_is_kept_without_force(tmp_path):
    file = tmp_path / "file"
    file.write_text("own")
    assert files.write(file, "new", 0o600, force=False).startswith("kept")
    assert file.read_text() == "own"
    assert files.write(file, "new", 0o600, force=True) == "written"
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("new", 0o600)


def commands(database):
    values = files.new_settings(FOLDER, ANSWERS | {"database": database}, {})
    texts = files.unit_texts(FOLDER, values, "leitai")
    lines = {name: text.partition("ExecStart=")[2].partition("\n")[0].split() for name, text in texts.items()}
    return {name: line[1:] for name, line in lines.items() if line[:1] == [sys.executable]}


def test_the_units_run_the_commands_of_the_site_and_on_postgresql_workers_with_processes():
    units = commands("sqlite")
    expected = {
        "web": site.web_command(site.Address("127.0.0.1", 8000)),
        "judge": site.judge_command(),
        "solve": site.solve_command(),
        "beat": site.beat_command(FOLDER / "data/celerybeat-schedule"),
    }
    for name, command in expected.items():
        assert units[f"leitai-{name}.service"] == [word.replace("%", "%%") for word in command]
    assert units["leitai-backup.service"][-2:] == ["--due", str(FOLDER / "backups")]
    judge = commands("postgres://leitai@db/leitai")["leitai-judge.service"]
    assert [word.replace("%%", "%") for word in judge] == site.worker_command("judge", "prefork", 2)


@pytest.mark.parametrize(("installed", "started"), [("/opt/redis/redis-server",) * 2, (None, "redis-server")])
def test_the_redis_of_the_site_is_the_installed_one(monkeypatch, installed, started):
    monkeypatch.setattr(files, "redis_program", lambda: installed)
    units = files.unit_texts(FOLDER, files.new_settings(FOLDER, ANSWERS, {}), "leitai")
    assert f"ExecStart={started} --port 0 " in units["leitai-redis.service"]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd-analyze (apt-get install systemd)")
def test_systemd_accepts_the_units(tmp_path, monkeypatch):
    monkeypatch.setattr(questions, "redis_program", lambda: sys.executable)
    monkeypatch.setattr(files, "redis_program", lambda: sys.executable)
    values = files.new_settings(tmp_path, ANSWERS, {})
    texts = files.unit_texts(tmp_path, values, "daemon")
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    command = ["systemd-analyze", "verify", *(str(tmp_path / name) for name in texts)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_proxy_passes_requests_to_the_web_server_of_this_machine():
    text = files.proxy_text(files.new_settings(FOLDER, ANSWERS, {}))
    assert "reverse_proxy 127.0.0.1:8000 {" in text
    assert "\ncontest.example {" in text
    assert "request_buffers" not in text  # Debian's Caddy does not know it


OF_CONTAINERS = {"address": "https://contest.example", "mail": "smtp://u:p$x@mail.example:25", "organiser": "anna"}


@pytest.fixture
def init(tmp_path, monkeypatch):
    """Run the command in an empty folder; return the folder and a function that returns the output."""
    monkeypatch.setattr("contest.installing.questions.get_connection", Mock())

    def run(**options):
        out = StringIO()
        call_command("init", tmp_path, compose=True, yes=True, stdout=out, **(OF_CONTAINERS | options))
        return out.getvalue()

    return tmp_path, run


def test_the_compose_file_fits_the_schema_and_differs_from_ours_only_in_the_image(init):
    folder, run = init
    run()
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    subprocess.run([*check, str(folder / "docker-compose.yml")], check=True)
    ours, written = (yaml.safe_load((place / "docker-compose.yml").read_text()) for place in (ROOT, folder))
    assert written["services"].keys() == ours["services"].keys()
    for name in ("web", "judge", "solve", "beat", "postgres", "redis"):
        assert written["services"][name].get("command") == ours["services"][name].get("command"), name
    assert "manage.py" not in (folder / "docker-compose.yml").read_text()
    assert all(service["build"]["context"] == "." for service in written["services"].values() if "build" in service)
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
