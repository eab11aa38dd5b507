"""A site on trial, and what every disturbance waits for."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.chaos import oracle
from tests.chaos.senders import Client, Kept, Order
from tests.chaos.site import Site

SOLUTION = "rDldR"


class Lacking(Exception):
    """This machine lacks what a disturbance needs: what, in words."""


@dataclass
class Trial:
    """A site, the receipts that people hold, and those of what staff must have got."""

    site: Site
    kept: list[Kept] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    slowest_healing: float = 0.0
    often: int = 2  # how many times what is done over and over is done

    def send(self, moves: str = SOLUTION, nickname: str = "", **fields: str) -> Kept:
        """Send as somebody new, and keep the receipt."""
        client = Client(self.site.port)
        try:
            self.kept.append(client.send(Order(nickname or f"x{secrets.token_hex(5)}", moves, **fields)))
        finally:
            client.close()
        return self.kept[-1]

    def try_to_send(self) -> tuple[int, dict[str, Any]]:
        """The status and the answer of one attempt."""
        client = Client(self.site.port)
        try:
            return client.post({"nickname": f"x{secrets.token_hex(5)}", "moves": SOLUTION}, secrets.token_hex(16))
        finally:
            client.close()

    def count(self) -> oracle.Count:
        """Wait until the site has healed, then count everything."""
        self.slowest_healing = max(self.slowest_healing, self.site.heal())
        found = oracle.count(self.site.database, self.kept, self.held)
        found.wrong += self.site.wrong_boards()
        return found


def wait_until_at_work(trial: Trial, name: str) -> None:
    trial.site.wait_until(f"{name} is at work", lambda: trial.site.is_at_work(name), 30)


def wait_until_done(trial: Trial, order: str) -> None:
    trial.site.wait_until(f"somebody has carried out: {order}", lambda: trial.site.is_done(order), 30)


def goes_on(trial: Trial, what: str, seconds: float) -> None:
    """Somebody gets a receipt, and then a verdict, within *seconds* together."""
    started = time.monotonic()
    number = trial.send().receipt["number"]
    left = seconds - (time.monotonic() - started)
    if left < 0:
        raise AssertionError(f"a receipt took {time.monotonic() - started:.1f} s {what}")
    trial.site.wait_until(
        f"it is judged {what}", lambda: all(row["number"] != number for row in trial.site.waiting()), left
    )


Disturbance = Callable[[Trial], None]


def people_meanwhile(disturb: Disturbance) -> int:
    """How many send while *disturb* is done."""
    return 0 if getattr(disturb, "is_alone", False) else 6
