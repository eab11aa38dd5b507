"""`leitai-server init` from the built wheels, in an empty folder: the site runs from the files it wrote."""

import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from contest.installing import files
from contest.installing.questions import QUESTIONS
from tests.contest.conftest import free_address
from tests.contest.patience import wait_until
from tests.wheels import build_wheels
from tooling.folders import private_folder
from tooling.processes import Child, stop_children

pytestmark = [pytest.mark.exhaustive, pytest.mark.xdist_group("installing")]
SERVICES = ("redis", "web", "judge", "solve", "beat")


@pytest.fixture(scope="module")
def env(tmp_path_factory):
    """An environment without any setting, with the wheels unpacked."""
    folder = tmp_path_factory.mktemp("wheels")
    for wheel in build_wheels(folder).values():
        zipfile.ZipFile(wheel).extractall(folder / "unpacked")
    return {"PATH": os.environ["PATH"], "PYTHONPATH": str(folder / "unpacked"), "OWN_LEVELS": "0"}


def init(env, folder, *flags, exit_code=0):
    command = [sys.executable, "-m", "contest", "init", str(folder), "--as-root", "--no-compile", *flags]
    done = subprocess.run(command, cwd="/", env=env, capture_output=True, text=True, check=False)
    assert done.returncode == exit_code, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def short_folder():
    folder = private_folder()
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def site(env, short_folder):
    """The folder of an installed site, its address, and what `init` printed."""
    folder, address = short_folder / "site", f"http://{free_address()}"
    return folder, address, init(env, folder, "--yes", "--address", address)


def state(folder):
    names = [file for file in folder.rglob("*") if file.is_file() and file.relative_to(folder).parts[0] != "data"]
    return {file: (file.read_bytes(), file.stat().st_mtime_ns, file.stat().st_mode) for file in names}


def test_the_settings_are_private_and_the_password_is_shown_once(site):
    folder, _, output = site
    assert (folder / "leitai.env").stat().st_mode & 0o777 == 0o600
    assert len(re.findall(r"Organiser organiser, password \(shown only now\): \S{16}\n", output)) == 1
    assert "sudo systemctl enable --now leitai.target" in output


def test_a_second_run_changes_nothing(site, env):
    folder, address, _ = site
    before = state(folder)
    assert "password" not in init(env, folder, "--yes", "--address", "https://another.example")
    assert state(folder) == before
    assert files.read_settings(folder)["SITE_URL"] == address


def started(folder, name, env):
    """Return the process that systemd would start for a unit."""
    unit = (folder / "systemd" / f"leitai-{name}.service").read_text()
    command = shlex.split(re.search("^ExecStart=(.*)$", unit, re.MULTILINE)[1].replace("%%", "%"))
    return Child(name, command, env | files.read_settings(folder), folder / f"{name}.log", folder)


def answers_ready(address):
    try:
        return urlopen(f"{address}/readyz", timeout=10).status == 200
    except (HTTPError, OSError):
        return False


def test_the_written_units_start_a_site_that_is_ready(site, env):
    folder, address, _ = site
    children = [started(folder, name, env) for name in SERVICES]
    try:
        for child in children:
            child.start()
        wait_until(lambda: answers_ready(address))
        backup = started(folder, "backup", env)
        backup.start()
        assert backup.process.wait() == 0
        doctor = [sys.executable, "-m", "contest", "doctor", "--address"]  # the folder's settings, found by themselves
        done = subprocess.run(doctor, cwd=folder, env=env, capture_output=True, text=True, check=False)
        assert "Nothing is wrong." in done.stdout, done.stdout + done.stderr
    finally:
        stop_children(children)
    assert len(list((folder / "backups").glob("*.zip"))) == 1


def test_at_a_terminal_a_wrong_answer_is_asked_again(env, short_folder):
    folder = short_folder / "other"
    terminal, device = pty.openpty()
    command = [sys.executable, "-m", "contest", "init", str(folder), "--as-root", "--no-compile"]
    with subprocess.Popen(command, cwd="/", env=env, stdin=device, stdout=subprocess.PIPE, text=True) as process:
        answers = ["", "contest.example", "https://contest.example", "", "redis://127.0.0.1:1", "", "", "a b", "anna"]
        os.write(terminal, "".join(f"{answer}\n" for answer in answers).encode())
        output = process.communicate()[0]
    for file in (terminal, device):
        os.close(file)
    assert process.returncode == 0, output
    assert [output.count(question.text) for question in QUESTIONS] == [3, 1, 2, 1, 2]
    assert "Write it like https://contest.example" in output
    assert "Organiser anna, password" in output
    assert files.read_settings(folder)["SITE_URL"] == "https://contest.example"
    assert f"sudo cp {folder}/Caddyfile" in output


def test_a_wrong_flag_is_reported_before_anything_is_written(env, tmp_path):
    folder = tmp_path / "site"
    assert "An answer is missing (--address)" in init(env, folder, "--yes", exit_code=1)
    assert "name a port" in init(env, folder, "--yes", "--address", "http://contest.example", exit_code=1)
    assert "There is no terminal" in init(env, folder, exit_code=1)
    assert "without spaces" in init(env, tmp_path / "a site", "--yes", exit_code=1)
    assert not folder.exists()
