import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from contest.rules import beacons
from tests import sizes

QUICKNET = beacons.BEACONS["drand quicknet"]
CLOSES = datetime(2026, 4, 20, tzinfo=UTC)
VALUE = "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce"


@pytest.mark.parametrize("seconds", [0, 0.000001, 1, 2.999999, 3])
def test_the_round_of_a_beacon_is_the_first_at_or_after_the_close(seconds):
    """Rule 11.14: its value is unknown at the close."""
    at = CLOSES + timedelta(seconds=seconds)
    found = QUICKNET.round_at(at)
    assert QUICKNET.time_of(found - 1) < at <= QUICKNET.time_of(found)
    assert QUICKNET.round_at(datetime(2020, 1, 1, tzinfo=UTC)) == 1, "before it began"


def test_number_and_value_of_64_digits_are_mixed_by_a_hash():
    """Rules 11.14, 11.15, 19.6: `printf '17|8990…b2ce' | sha256sum | cut -c 1-13`."""
    assert beacons.mix(17, VALUE) == int("adcd7764cf764", 16) < 2**52
    values = (VALUE, "", "8990", VALUE.upper(), VALUE + "0", f" {VALUE}", "g" * 64)
    assert [beacons.is_value(text) for text in values] == [True] + [False] * 6


def share(round_=None, value=VALUE):
    return {"round": round_ or QUICKNET.round_at(CLOSES), "value": value}


@pytest.mark.parametrize(
    ("name", "given", "fault"),
    [
        ("drand quicknet", share(), ""),
        ("none", None, ""),
        ("none", share(), "the settings name no beacon"),
        ("drand quicknet", None, "has nothing of it"),
        ("drand quicknet", share(QUICKNET.round_at(CLOSES) - 1), "before the close"),
        ("drand quicknet", share(value=None), "is missing"),
    ],
)
def test_an_archive_has_the_beacon_named_in_the_settings(name, given, fault):
    found = " ".join(beacons.faults(name, given, CLOSES, may_wait=False))
    assert fault in found
    assert bool(found) == bool(fault)
    waits = beacons.faults(name, given, CLOSES, may_wait=True)  # a provisional result may (rule 11.15)
    assert bool(list(waits)) == bool(fault and fault != "is missing")


SIGNATURE = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"
SIGNED_VALUE = "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"


def test_a_value_is_the_hash_of_its_signature():
    assert beacons.value_of(SIGNATURE) == SIGNED_VALUE


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
