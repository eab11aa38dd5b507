import subprocess
import sys

import pytest

from contest.rules import beacons
from tests import sizes

SIGNATURE = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"
VALUE = "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"


def test_a_value_is_the_hash_of_its_signature():
    assert beacons.value_of(SIGNATURE) == VALUE


@pytest.mark.parametrize(
    ("number", "signature", "expected"),
    sizes.cases(
        [(1000, SIGNATURE, True), (1001, SIGNATURE, False), (1000, "0" * 96, False)],
        [(1000, "c0" + "0" * 94, False)],
    ),
)
def test_only_the_signature_of_the_very_round_is_valid(number, signature, expected):
    assert beacons.is_signed(number, signature) is expected


def test_the_package_leaves_the_limit_that_deep_json_meets():
    """In a process of its own: the package raises the limit when it is first imported."""
    check = "from contest.rules import beacons; assert not beacons.is_signed(1000, '0' * 96)"
    code = f"{check}\nimport json\ntry:\n    json.loads('[' * 100_000)\nexcept RecursionError:\n    print('refused')"
    command = [sys.executable, "-c", code]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "refused\n"


def test_without_the_package_nothing_is_decided(monkeypatch):
    monkeypatch.setitem(sys.modules, "py_ecc.bls.g2_primitives", None)
    with pytest.raises(beacons.NoCurve):
        beacons.is_signed(1000, SIGNATURE)
