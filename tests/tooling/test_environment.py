"""Contents of the environment, and when it is installed again."""

import pytest

from tooling.environment import DEV, SATISFIED_BY, SOLVE, UV, is_installed, stamp_of


def test_the_test_lock_contains_the_runtime_lock_but_not_the_reverse():
    assert is_installed(SOLVE, stamp_of(DEV, "3.11"), "3.11")
    assert not is_installed(DEV, stamp_of(SOLVE, "3.11"), "3.11")


@pytest.mark.parametrize("stamped", ["", "base.txt", "nonsense", stamp_of(SOLVE, "3.12")])
def test_an_unfinished_environment_or_one_of_another_python_is_reinstalled(stamped):
    assert not is_installed(SOLVE, stamped, "3.11")


def test_a_changed_lock_is_installed_again(tmp_path, monkeypatch):
    lock = tmp_path / "base.txt"
    monkeypatch.setitem(SATISFIED_BY, lock, (lock,))
    lock.write_text("django==5.2.19")
    before = stamp_of(lock, "3.11")
    assert is_installed(lock, before, "3.11")
    lock.write_text("django==5.2.20")
    assert not is_installed(lock, before, "3.11")


@pytest.mark.parametrize("lock", [SOLVE, DEV, UV], ids=lambda lock: lock.name)
def test_a_lock_has_hashes_and_no_addresses(lock):
    text = lock.read_text()
    assert text.count("--hash=sha256:") >= text.count("==") > 0
    assert "://" not in text
