import json
import re
import sys
from pathlib import Path

import pytest

from tooling import bill
from tooling.folders import ROOT


@pytest.fixture
def parts(monkeypatch):
    monkeypatch.setattr(bill, "VENV", Path(sys.prefix))
    return bill.build_bill()["components"]


def test_the_bill_lists_every_locked_package_with_hashes_and_a_licence_to_pass_it_on(parts):
    """Of copyleft licences, the site only uses those of libraries (LGPL, MPL), not those of programs."""
    lock = (ROOT / "requirements" / "solve.txt").read_text()
    named = {f"{part['name']}=={part['version']}" for part in parts}
    assert set(re.findall(r"^[\w.-]+==\S+", lock, re.MULTILINE)) <= named
    assert all(part["hashes"] for part in parts)
    assert sum(len(part["hashes"]) for part in parts if "purl" in part) == lock.count("--hash=")
    assert [part["name"] for part in parts if part["scope"] == "required" and "licenses" not in part] == []
    licences = {part["name"]: json.dumps(part.get("licenses", "")) for part in parts}
    assert [name for name, licence in licences.items() if re.search(r"(?<!L)(AGPL|GPL)(?!.*OR)", licence)] == []


def test_the_bill_lists_vendored_files_and_is_reproducible(parts, tmp_path):
    assert {path.name for path in bill.VENDOR.iterdir() if path.is_dir()} <= {part["bom-ref"] for part in parts}
    assert bill.write_bill(tmp_path / "bill.json") == len(parts) > 50
    assert json.loads((tmp_path / "bill.json").read_text()) == bill.build_bill()
