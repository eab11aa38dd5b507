import subprocess

import pytest

from tooling import sync_client


def test_the_synchronous_client_is_generated_from_the_other():
    assert sync_client.generate() == sync_client.TARGET.read_text()


def test_a_source_that_is_no_python_is_refused(monkeypatch, tmp_path):
    source = tmp_path / "async_client.py"
    source.write_text("return = 1\n")
    monkeypatch.setattr(sync_client, "SOURCE", source)
    with pytest.raises(subprocess.CalledProcessError):
        sync_client.generate()
