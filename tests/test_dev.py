"""dev.py: whatever stops it is said in one line."""

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tooling import folders, processes

ROOT = Path(__file__).parent.parent


def started(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "dev.py"), *words]
    return subprocess.run(command, env=os.environ | env, capture_output=True, text=True, timeout=30, check=False)


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_a_busy_port_is_said_in_one_line(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        line = one_line(started("run", PORT=str(port), HOST="127.0.0.1", DATA_DIR=str(tmp_path)))
    assert f"Port {port} on 127.0.0.1 is in use" in line


def test_an_address_of_another_machine_is_said_in_one_line(tmp_path):
    assert "Cannot listen on 192.0.2.1:8000" in one_line(
        started("run", HOST="192.0.2.1", PORT="8000", DATA_DIR=str(tmp_path))
    )


def test_a_data_folder_that_cannot_be_is_said_in_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    assert "Cannot write to" in one_line(started("run", DATA_DIR=str(tmp_path / "file" / "data")))


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="only root can become another user")
def test_a_read_only_data_folder_is_said_in_one_line(request):
    folder = folders.private_folder()
    request.addfinalizer(lambda: shutil.rmtree(folder))
    shutil.copy(ROOT / "dev.py", folder)
    shutil.copytree(ROOT / "tooling", folder / "tooling", ignore=shutil.ignore_patterns("__pycache__"))
    folder.chmod(0o555)
    command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--", "/usr/bin/python3", "dev.py", "run"]
    env = {"PATH": os.defpath, "HOME": "/", "DATA_DIR": str(folder / "data"), "PORT": "8000"}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=30, check=False)
    assert re.fullmatch(r"dev.py: Cannot write to .*/data: Permission denied\.\n", one_line(done))


def test_two_runs_do_not_share_a_data_folder(tmp_path):
    with processes.claim(tmp_path, "taken"):
        assert "Another `dev.py run` already uses" in one_line(started("run", DATA_DIR=str(tmp_path)))
    with processes.claim(tmp_path, "taken"):
        pass


def test_it_can_be_read_by_a_python_too_old_to_run_it():
    compile_it = "import ast, sys; ast.parse(open(sys.argv[1], encoding='utf-8').read(), feature_version=(3, 8))"
    subprocess.run([sys.executable, "-c", compile_it, str(ROOT / "dev.py")], check=True)


def test_an_unknown_word_gets_the_usage():
    done = started("walk")
    assert done.returncode == 2
    assert "python3 dev.py run" in done.stdout


@pytest.mark.parametrize("act", ["run", "test", "shots", "pictures", "extension", "sbom", "pin"])
def test_whoever_asks_an_act_for_help_gets_it_and_nothing_else(act, tmp_path):
    done = started(act, "--help", DATA_DIR=str(tmp_path))
    assert done.returncode == 0
    assert f"dev.py {act}" in done.stdout
    assert not list(tmp_path.iterdir())
    assert not Path("--help").exists()
