"""Contents of the environment, and when it is installed again."""

import pytest

from tooling.environment import DEV, SATISFIED_BY, SOLVE, UV, is_installed, stamp


def test_what_the_tests_install_is_enough_to_run_and_not_the_other_way_round():
    assert is_installed(SOLVE, stamp(DEV, "3.11"), "3.11")
    assert not is_installed(DEV, stamp(SOLVE, "3.11"), "3.11")


@pytest.mark.parametrize("stamped", ["", "base.txt", "nonsense", stamp(SOLVE, "3.12")])
def test_an_environment_that_is_unfinished_or_of_another_python_is_installed_again(stamped):
    assert not is_installed(SOLVE, stamped, "3.11")


def test_a_changed_lock_is_installed_again(tmp_path, monkeypatch):
    lock = tmp_path / "base.txt"
    monkeypatch.setitem(SATISFIED_BY, lock, (lock,))
    lock.write_text("django==5.2.19")
    before = stamp(lock, "3.11")
    assert is_installed(lock, before, "3.11")
    lock.write_text("django==5.2.20")
    assert not is_installed(lock, before, "3.11")


@pytest.mark.parametrize("lock", [SOLVE, DEV, UV], ids=lambda lock: lock.name)
def test_a_lock_has_hashes_and_no_addresses(lock):
    text = lock.read_text()
    assert text.count("--hash=sha256:") >= text.count("==") > 0
    assert "://" not in text
