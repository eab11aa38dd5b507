import pytest

from tooling import folders


@pytest.mark.parametrize("name", ["x" * 100, "with blank", "擂台"])
def test_a_socket_is_moved_to_a_short_plain_path(tmp_path, name):
    folder = folders.socket_folder(tmp_path / name)
    try:
        assert len(str(folder / "redis.sock")) < 100
        assert folder.stat().st_mode & 0o777 == 0o700
    finally:
        folder.rmdir()
