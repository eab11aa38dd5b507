"""The lucky draw: commit before the round, reveal after it, divide (rule 11). Anyone can check it by hand:

$ printf '219|17|5f0c3a9be47d21866b0e9d4fa2c7310d' | sha256sum

or with this program, which needs neither the site nor its database:

$ python -m contest.rules.lucky_draw 219 17 5f0c3a9be47d21866b0e9d4fa2c7310d --commitment 28968aff... --candidates A E D
$ python -m contest.rules.lucky_draw results.json
"""

import argparse
import hashlib
import json
import secrets
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from contest.rules import beacons

LARGEST = 2**53 - 1  # rule 11.3: within a browser's exact integers
DRAWN_BELOW = 1_000_000_000

# Rule 11.9: the index of the lucky candidate, from 0, given the lucky number and the number of candidates.
FORMULAS: Mapping[str, Callable[[int, int], int]] = {"L mod N": lambda number, count: number % count}


def commitment(number: int, lucky: int, salt: str) -> str:
    """Return the SHA-256 of ROUND|L|SALT in lower-case hexadecimal (rule 11.2).

    >>> commitment(219, 17, "5f0c3a9be47d21866b0e9d4fa2c7310d")
    '28968aff8c1e0e33e4f4b99de5692a80ea79b9f872d238f2a45162e654e1af65'
    """
    return hashlib.sha256(f"{number}|{lucky}|{salt}".encode("ascii")).hexdigest()


def new_number() -> int:
    """Return a lucky number from the operating system's random source (rule 11.3)."""
    return secrets.randbelow(DRAWN_BELOW)


def new_salt() -> str:
    """Return 128 random bits as 32 lower-case hexadecimal digits (rule 11.2)."""
    return secrets.token_hex(16)


def candidates(holders: Sequence[int], champions: Collection[int]) -> list[int]:
    """Return point holders in the order of rule 11.7, without champions (rules 11.6, 11.8).

    >>> candidates([2, 1, 3, 5, 4], {2, 3})
    [1, 5, 4]
    """
    return [player for player in holders if player not in champions]


def lucky_index(number: int, count: int, formula: str = "L mod N") -> int | None:
    """Return the index of the lucky candidate among *count* (rules 11.9, 11.10); None if there are none.

    >>> lucky_index(17, 3), lucky_index(17, 0)
    (2, None)
    """
    return FORMULAS[formula](number, count) if count else None


@dataclass(frozen=True)
class Draw:
    """All inputs of a round's draw, once revealed (rule 11.5)."""

    round: int
    number: int
    salt: str
    commitment: str = ""
    formula: str = "L mod N"
    candidates: Sequence[Any] = ()
    beacon: str = ""  # the value of a public beacon, if one is mixed in (rule 11.14)

    @property
    def matches_commitment(self) -> bool:
        """True if number and salt match the commitment."""
        return commitment(self.round, self.number, self.salt) == self.commitment

    @property
    def index(self) -> int | None:
        return lucky_index(self.dividend, len(self.candidates), self.formula)

    @property
    def dividend(self) -> int:
        return beacons.mix(self.number, self.beacon) if self.beacon else self.number


def main(arguments: Sequence[str] | None = None) -> int:
    """Check a draw and print its result line by line; return 0 if everything is correct."""
    parser = argparse.ArgumentParser(
        prog="python -m contest.rules.lucky_draw", description="Recompute the lucky draw of a round."
    )
    parser.add_argument("round", help="the round's number, or the file results.json of a round")
    parser.add_argument("number", nargs="?", type=int, help="the lucky number L")
    parser.add_argument("salt", nargs="?", help="SALT, 32 hexadecimal digits")
    parser.add_argument("--commitment", default="", help="what was published when the round opened")
    parser.add_argument("--candidates", nargs="*", default=[], help="the candidates in their order, numbered from 0")
    parser.add_argument("--formula", default="L mod N", choices=FORMULAS)
    parser.add_argument("--beacon", default="", help="VALUE, the 64 hexadecimal digits that a public beacon published")
    options = parser.parse_args(arguments)
    if options.salt is None:
        try:
            published = json.loads(Path(options.round).read_text("utf-8"))
            return _check_published(published.get("results", published), published.get("players", {}))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            parser.error(f"{options.round} holds no results of a round: {error!r}")
    if not (
        options.round.isascii()
        and options.round.isdigit()
        and options.salt.isascii()
        and 0 <= options.number <= LARGEST
    ):
        parser.error("ROUND and L are whole numbers, L at most 2^53 - 1; SALT is ASCII")
    if options.beacon and not beacons.is_value(options.beacon):
        parser.error("VALUE has 64 lower-case hexadecimal digits")
    inputs = (int(options.round), options.number, options.salt, options.commitment, options.formula)
    draw = Draw(*inputs, candidates=options.candidates, beacon=options.beacon)
    return _print_draw(draw, draw.candidates)


def _check_published(results: Mapping[str, Any], players: Mapping[str, Any]) -> int:
    """Recompute the draw of a published results.json; names are stored beside the results and may be missing."""
    drawn = results["draw"]
    if drawn is None:
        return _print("This round had no lucky draw.")
    beacon = drawn.get("beacon")
    if beacon and not beacon["value"]:
        return _print(f"The draw waits for round {beacon['round']} of {beacon['name']}.")
    inputs = {name: drawn[name] for name in ("number", "salt", "commitment", "formula", "candidates")}
    draw = Draw(results["round"], **inputs, beacon=beacon["value"] if beacon else "")
    if beacon:
        address = beacons.BEACONS[beacon["name"]].address_of(beacon["round"])
        _print(f"Round {beacon['round']} of {beacon['name']} has the value {draw.beacon}; compare it with {address}")
    names = [players.get(str(player), {}).get("name") or f"player {player}" for player in draw.candidates]
    failed = _print_draw(draw, names)
    if drawn["kept_from"]:
        return failed or _print(
            f"The lucky player was kept from revision {drawn['kept_from']}: player {drawn['lucky']}"
        )
    lucky = None if draw.index is None else draw.candidates[draw.index]
    if lucky == drawn["lucky"]:
        return failed
    return _print(f"WRONG: the results name player {drawn['lucky']}.", failed=True)


def _print_draw(draw: Draw, names: Sequence[Any]) -> int:
    """Print the draw, step by step."""
    digest = commitment(draw.round, draw.number, draw.salt)
    _print(f"SHA-256 of {draw.round}|{draw.number}|{draw.salt} is {digest}")
    if draw.commitment and not draw.matches_commitment:
        return _print(f"WRONG: the commitment is {draw.commitment}.", failed=True)
    if draw.commitment:
        _print("That is the commitment.")
    for place, name in enumerate(names):
        _print(f"{place}  {name}")
    if draw.beacon:
        _print(f"M, the first 13 digits of the SHA-256 of {draw.number}|{draw.beacon}, is {draw.dividend}")
    if draw.index is None:
        return _print("N = 0: there is no lucky player.")
    inputs = f"{draw.dividend} and {len(names)} candidates"
    return _print(f"{draw.formula}: {inputs} give {draw.index}, {names[draw.index]}.")


def _print(line: str, *, failed: bool = False) -> int:
    print(line)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
