from collections.abc import Callable
from dataclasses import dataclass, field

from tests.chaos import oracle
from tests.chaos.senders import Client, Crowd, Order, ReceiptedOrder, new_name
from tests.chaos.site import Site

SOLUTION = "rDldR"


class Lacking(Exception):
    """Raised if this machine lacks something that a disturbance needs; says what."""


@dataclass
class Trial:
    """A site, the receipts that senders hold, and those of submissions that must be held for staff."""

    site: Site
    receipted: list[ReceiptedOrder] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    crowd: Crowd | None = None  # senders during the disturbance

    def send(self, order: Order | None = None) -> ReceiptedOrder:
        client = Client(self.site.port)
        try:
            receipted = client.send(order or Order(new_name(), SOLUTION))
        finally:
            client.connection.close()
        self.receipted.append(receipted)
        return receipted

    def let_people_try(self, times: int) -> None:
        """Wait until the senders have received *times* more responses, successful or not."""
        until = self.crowd.tries + times
        self.site.wait_until("people have tried", lambda: self.crowd.tries >= until)

    def faults(self) -> list[str]:
        """Wait until the site has healed, then count everything."""
        self.site.heal()
        return oracle.find_faults(self.site.database, self.receipted, self.held) + self.site.wrong_boards()


def check_service(trial: Trial, moment: str) -> None:
    number = trial.send().receipt["number"]
    trial.site.wait_until_judged(f"it is judged {moment}", {number})


Disturbance = Callable[[Trial], None]
