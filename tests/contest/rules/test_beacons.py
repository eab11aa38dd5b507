from datetime import UTC, datetime, timedelta

import pytest

from contest.rules import beacons

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
