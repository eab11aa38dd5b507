"""Public randomness for the lucky draw: beacons with values unknown before their time (rules 11.14, 11.15).

A value of drand's quicknet is the SHA-256 of a signature over its round's number, in the scheme
`bls-unchained-g1-rfc9380` on the curve BLS12-381: nobody can choose a value, and anybody can check one. The check needs
the package py-ecc (`pip install py-ecc`, the extra "beacon" of leitai-server) and takes some seconds.
"""

import hashlib
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

NONE = "none"
_VALUE = re.compile(r"[0-9a-f]{64}")
_SIGNATURE = re.compile(r"[0-9a-f]{96}")
_DOMAIN = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
# Of the League of Entropy's network `52db9ba7…`, as https://api.drand.sh/v2/beacons/quicknet/info gives it.
_PUBLIC_KEY = bytes.fromhex(
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
    "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
)
_DIGITS = 13  # hexadecimal digits: a number below 2^52, which a browser can recompute


@dataclass(frozen=True)
class Beacon:
    """A beacon that publishes a value every *period_seconds*, in rounds numbered from 1 at *genesis*."""

    genesis: datetime
    period_seconds: int
    address: str  # of a round's value, with a placeholder for the round's number

    def round_at(self, at: datetime) -> int:
        """Return the first round published at or after *at*.

        >>> BEACONS["drand quicknet"].round_at(datetime(2026, 4, 20, tzinfo=UTC))
        27946612
        """
        period = timedelta(seconds=self.period_seconds)
        return max(1, 1 - (self.genesis - at) // period)

    def time_of(self, number: int) -> datetime:
        """Return the publication time of round *number*.

        >>> BEACONS["drand quicknet"].time_of(27946612).isoformat()
        '2026-04-20T00:00:00+00:00'
        """
        return self.genesis + (number - 1) * timedelta(seconds=self.period_seconds)

    def address_of(self, number: int) -> str:
        """Return the public URL of the value of round *number*."""
        return self.address % number


# The League of Entropy's network; a value is the SHA-256 of a signature that no single member can produce.
BEACONS: Mapping[str, Beacon] = {
    "drand quicknet": Beacon(
        datetime.fromtimestamp(1_692_803_367, UTC),
        3,
        "https://api.drand.sh/52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971/public/%d",
    )
}


@dataclass(frozen=True)
class BeaconShare:
    """A beacon's contribution: its round's number and value, which is missing at first."""

    name: str
    round: int
    value: str | None = None


def is_value(text: str) -> bool:
    """Return True if *text* has the format of beacon values: 64 lower-case hexadecimal digits."""
    return bool(_VALUE.fullmatch(text))


def mix(lucky: int, value: str) -> int:
    """Return M, which replaces L (rule 11.14): the first 13 hexadecimal digits of the SHA-256 of `L|VALUE`.

    $ printf '17|%s' VALUE | sha256sum | cut -c 1-13

    >>> mix(17, "0" * 64) < 2**52
    True
    """
    return int(hashlib.sha256(f"{lucky}|{value}".encode("ascii")).hexdigest()[:_DIGITS], 16)


def faults(name: str, entry: Mapping[str, Any] | None, closed_at: datetime, *, may_wait: bool) -> Iterator[str]:
    """Yield errors in an archive's beacon, compared with the setting's *name* and the close (rule 11.14).

    Does not check the value itself: compare it with the beacon's publication.
    """
    beacon = BEACONS.get(name)
    if beacon is None:
        if entry:
            yield "the lucky number has a beacon's value, and the settings name no beacon"
    elif entry is None:
        yield f"{name} is in the settings, and the lucky number has nothing of it"
    elif entry["round"] < beacon.round_at(closed_at):
        yield f"round {entry['round']} of {name} was published before the close"
    elif entry["value"] is None and not may_wait:
        yield f"the value of round {entry['round']} of {name} is missing"


class NoCurve(ImportError):
    """The package py-ecc is not installed."""


def is_signature(text: str) -> bool:
    """Return True if *text* has the format of signatures: 96 lower-case hexadecimal digits."""
    return bool(_SIGNATURE.fullmatch(text))


def value_of(signature: str) -> str:
    """Return the value that belongs to a signature.

    >>> value_of("b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125"
    ...     "e342b73a8dd2bacbe47e4b6b63ed5e39")
    'fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd'
    """
    return hashlib.sha256(bytes.fromhex(signature)).hexdigest()


def is_signed(number: int, signature: str) -> bool:
    """Return whether drand signed round *number* with *signature*. Raise NoCurve without the package."""
    recursion_limit = sys.getrecursionlimit()
    try:
        from py_ecc.bls.g2_primitives import pubkey_to_G1, signature_to_G2, subgroup_check
        from py_ecc.bls.hash_to_curve import hash_to_G1
        from py_ecc.optimized_bls12_381 import G2, pairing
    except ImportError as error:
        raise NoCurve("py-ecc is not installed") from error
    finally:
        sys.setrecursionlimit(recursion_limit)  # py-ecc raises it to 100,000: deep JSON would then crash the process
    try:
        point = pubkey_to_G1(bytes.fromhex(signature))
    except ValueError:  # no point of the curve
        return False
    message = hashlib.sha256(number.to_bytes(8, "big")).digest()
    hashed = hash_to_G1(message, _DOMAIN, hashlib.sha256)
    if not subgroup_check(point):
        return False
    return bool(pairing(G2, point) == pairing(signature_to_G2(_PUBLIC_KEY), hashed))
