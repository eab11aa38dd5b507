"""What is installed, and when it is installed again."""

import re
from pathlib import Path

import pytest

from tooling import environment


def pins(lock: Path) -> dict[str, str]:
    return dict(re.findall(r"^([\w.-]+)==(\S+)", lock.read_text(), re.MULTILINE))


def test_what_the_tests_install_is_enough_to_run():
    assert environment.is_installed(environment.SOLVE, environment.stamp(environment.DEV, "3.11"), "3.11")


def test_what_runs_is_not_enough_for_the_tests():
    assert not environment.is_installed(environment.DEV, environment.stamp(environment.SOLVE, "3.11"), "3.11")


@pytest.mark.parametrize("stamped", ["", "base.txt", "nonsense"])
def test_an_unfinished_environment_is_installed_again(stamped):
    assert not environment.is_installed(environment.SOLVE, stamped, "3.11")


def test_another_python_is_another_environment():
    assert not environment.is_installed(environment.SOLVE, environment.stamp(environment.SOLVE, "3.11"), "3.12")


def test_a_changed_lock_is_installed_again(tmp_path, monkeypatch):
    lock = tmp_path / "base.txt"
    monkeypatch.setattr(environment, "SATISFIED_BY", {lock: (lock,)})
    lock.write_text("django==5.2.19")
    before = environment.stamp(lock, "3.11")
    lock.write_text("django==5.2.20")
    assert not environment.is_installed(lock, before, "3.11")


def test_the_lock_of_the_tests_holds_the_lock_of_the_site():
    assert pins(environment.SOLVE).items() <= pins(environment.DEV).items()


@pytest.mark.parametrize("lock", [environment.SOLVE, environment.DEV, environment.UV], ids=lambda lock: lock.name)
def test_a_lock_has_hashes_and_no_addresses(lock):
    text = lock.read_text()
    assert text.count("--hash=sha256:") >= len(pins(lock)) > 0
    assert "://" not in text
