"""The lucky draw: commit before the round, reveal after it, divide (rule 11). Anyone can do it by hand.

$ printf '219|17|5f0c3a9be47d21866b0e9d4fa2c7310d' | sha256sum
"""

import hashlib
import secrets

LARGEST = 2**53 - 1  # rule 11.3: a browser can recompute it
DRAWN_BELOW = 1_000_000_000


def commitment(number: int, lucky: int, salt: str) -> str:
    """Rule 11.2: the SHA-256 of ROUND|L|SALT in lower-case hexadecimal.

    >>> commitment(219, 17, "5f0c3a9be47d21866b0e9d4fa2c7310d")
    '28968aff8c1e0e33e4f4b99de5692a80ea79b9f872d238f2a45162e654e1af65'
    """
    return hashlib.sha256(f"{number}|{lucky}|{salt}".encode("ascii")).hexdigest()


def new_number() -> int:
    """A lucky number from the operating system's random source (rule 11.3)."""
    return secrets.randbelow(DRAWN_BELOW)


def new_salt() -> str:
    """128 random bits as 32 lower-case hexadecimal digits (rule 11.2)."""
    return secrets.token_hex(16)
