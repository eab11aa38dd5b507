"""Public randomness for the lucky draw: beacons whose values nobody knows before their time (rules 11.14, 11.15)."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

NONE = "none"
_VALUE = re.compile(r"[0-9a-f]{64}")
_DIGITS = 13  # of a hash: a number below 2^52, so that a browser can recompute it


@dataclass(frozen=True)
class Beacon:
    """A beacon that publishes a value every *period_seconds*, in rounds numbered from 1 at *genesis* on."""

    genesis: datetime
    period_seconds: int
    address: str  # of a round's value, with a place for the round's number

    def round_at(self, at: datetime) -> int:
        """The first of its rounds that is published at *at* or later.

        >>> BEACONS["drand quicknet"].round_at(datetime(2026, 4, 20, tzinfo=UTC))
        27946612
        """
        period = timedelta(seconds=self.period_seconds)
        return max(1, 1 - (self.genesis - at) // period)

    def time_of(self, number: int) -> datetime:
        """When its round *number* is published.

        >>> BEACONS["drand quicknet"].time_of(27946612).isoformat()
        '2026-04-20T00:00:00+00:00'
        """
        return self.genesis + (number - 1) * timedelta(seconds=self.period_seconds)

    def address_of(self, number: int) -> str:
        """Where anybody reads the value of its round *number*."""
        return self.address % number


# The League of Entropy's network; a value is the SHA-256 of a signature that no single member can make.
BEACONS: Mapping[str, Beacon] = {
    "drand quicknet": Beacon(
        datetime.fromtimestamp(1_692_803_367, UTC),
        3,
        "https://api.drand.sh/52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971/public/%d",
    )
}


@dataclass(frozen=True)
class BeaconShare:
    """What a round's beacon contributes: the number of its round, and the value, which is missing at first."""

    name: str
    round: int
    value: str | None = None


def is_value(text: str) -> bool:
    """Whether *text* is written as beacons write their values: 64 lower-case hexadecimal digits."""
    return bool(_VALUE.fullmatch(text))


def mix(lucky: int, value: str) -> int:
    """Rule 11.14: the number M that stands for L: the first 13 hexadecimal digits of the SHA-256 of `L|VALUE`.

    $ printf '17|%s' VALUE | sha256sum | cut -c 1-13

    >>> mix(17, "0" * 64) < 2**52
    True
    """
    return int(hashlib.sha256(f"{lucky}|{value}".encode("ascii")).hexdigest()[:_DIGITS], 16)


def faults(name: str, told: Mapping[str, Any] | None, closed_at: datetime, *, may_wait: bool) -> Iterator[str]:
    """What is wrong with the beacon an archive tells of, against the setting's *name* and the close (rule 11.14).

    Whether the value is what the beacon published, the beacon itself shows.
    """
    beacon = BEACONS.get(name)
    if beacon is None:
        if told:
            yield "the lucky number has a beacon's value, and the settings name no beacon"
    elif told is None:
        yield f"{name} is in the settings, and the lucky number has nothing of it"
    elif told["round"] < beacon.round_at(closed_at):
        yield f"round {told['round']} of {name} was published before the close"
    elif told["value"] is None and not may_wait:
        yield f"the value of round {told['round']} of {name} is missing"
