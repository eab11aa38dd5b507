"""Path of the real levels and solutions that tests use if they are present."""

import json
import os
from pathlib import Path

import pytest

SHARED_DATA = Path(os.environ.get("SHARED_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")

needs_shared_data = pytest.mark.skipif(not SHARED_DATA.is_dir(), reason="the shared test data is not here")


def json_lines(name):
    return [json.loads(line) for line in (SHARED_DATA / name).read_text(encoding="utf-8").splitlines()]
