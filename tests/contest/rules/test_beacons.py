from datetime import UTC, datetime, timedelta

import pytest

from contest.rules import beacons
from contest.rules.settings import RoundSettings, parse

QUICKNET = beacons.BEACONS["drand quicknet"]
CLOSES = datetime(2026, 4, 20, tzinfo=UTC)
VALUE = "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce"


@pytest.mark.parametrize("seconds", [0, 0.000001, 1, 2.999999, 3])
def test_the_round_of_a_beacon_is_the_first_at_or_after_the_close(seconds):
    """Rule 11.14: nobody knows its value at the close."""
    at = CLOSES + timedelta(seconds=seconds)
    found = QUICKNET.round_at(at)
    assert QUICKNET.time_of(found - 1) < at <= QUICKNET.time_of(found)


def test_before_it_began_the_first_round_of_a_beacon_is_its_first():
    assert QUICKNET.round_at(datetime(2020, 1, 1, tzinfo=UTC)) == 1
    assert QUICKNET.time_of(1) == datetime(2023, 8, 23, 15, 9, 27, tzinfo=UTC)


def test_number_and_value_are_mixed_by_a_hash():
    """Rules 11.14, 19.6: `printf '17|8990…b2ce' | sha256sum | cut -c 1-13`."""
    assert beacons.mix(17, VALUE) == int("adcd7764cf764", 16) < 2**52


@pytest.mark.parametrize("text", ["", "8990", VALUE.upper(), VALUE + "0", f" {VALUE}", "g" * 64])
def test_a_value_has_64_hexadecimal_digits(text):
    """Rule 11.15."""
    assert beacons.is_value(VALUE)
    assert not beacons.is_value(text)


def told(round_=None, value=VALUE):
    return {"round": round_ or QUICKNET.round_at(CLOSES), "value": value}


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("drand quicknet", told(), ""),
        ("none", None, ""),
        ("none", told(), "the settings name no beacon"),
        ("drand quicknet", None, "has nothing of it"),
        ("drand quicknet", told(QUICKNET.round_at(CLOSES) - 1), "before the close"),
        ("drand quicknet", told(value=None), "is missing"),
    ],
)
def test_an_archive_tells_of_the_beacon_that_the_settings_name(name, given, said):
    """Rule 11.14."""
    found = " ".join(beacons.faults(name, given, CLOSES, may_wait=False))
    assert said in found
    assert bool(found) == bool(said)


def test_a_provisional_result_may_wait_for_its_beacon():
    """Rule 11.15."""
    assert list(beacons.faults("drand quicknet", told(value=None), CLOSES, may_wait=True)) == []


def test_results_without_a_beacon_are_written_as_they_always_were():
    """Rule 14.3: a setting that came later leaves the hash of older results alone."""
    assert "lucky_beacon" not in RoundSettings().as_published()
    chosen = RoundSettings(lucky_beacon="drand quicknet")
    assert parse(chosen.as_published()) == chosen
