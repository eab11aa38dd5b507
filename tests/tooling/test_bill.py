"""What a server is made of is said whole, from the locks."""

import json
import re

from tooling import bill
from tooling.folders import ROOT


def test_every_locked_package_stands_in_the_bill_with_its_hashes():
    lock = (ROOT / "requirements" / "solve.txt").read_text()
    named = {f"{part['name']}=={part['version']}" for part in bill.bill()["components"]}
    assert set(re.findall(r"^[\w.-]+==\S+", lock, re.MULTILINE)) <= named
    assert all(part["hashes"] for part in bill.bill()["components"])
    assert sum(len(part["hashes"]) for part in bill.bill()["components"] if "purl" in part) == lock.count("--hash=")


def test_every_package_that_is_needed_says_its_licence():
    needed = [part for part in bill.bill()["components"] if part["scope"] == "required"]
    assert [part["name"] for part in needed if "licenses" not in part] == []


def test_no_licence_forbids_to_pass_the_site_on():
    """Of licences that ask for the source of all, the site uses those of libraries (LGPL, MPL) and none of programs."""
    told = {part["name"]: json.dumps(part.get("licenses", "")) for part in bill.bill()["components"]}
    assert [name for name, licence in told.items() if re.search(r"(?<!L)(AGPL|GPL)(?!.*OR)", licence)] == []


def test_files_of_others_stand_in_the_bill():
    folders = {path.name for path in bill.VENDOR.iterdir() if path.is_dir()}
    assert folders <= {part["bom-ref"] for part in bill.bill()["components"]}


def test_the_same_locks_give_the_same_bill(tmp_path):
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    assert bill.write(first) == bill.write(second) > 50
    assert first.read_bytes() == second.read_bytes()
    assert json.loads(first.read_text())["bomFormat"] == "CycloneDX"
