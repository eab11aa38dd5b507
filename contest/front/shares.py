"""Fair queueing by CPU seconds: the next turn goes to the sender that has used least.

Start-time fair queueing (Goyal, Vin, Cheng, 1997): a new sender starts at the virtual time of the current turn, so idle
senders save up no credit, and a flood delays only itself. Each turn advances that virtual time a little: otherwise an
endless stream of new senders would starve the others. Shares are fair between regions, then between the networks of a
region, then within each network: an owner of many networks has one share. Among equal senders, the door (the kind of
page) decides that was used least: a flood from everywhere delays the pages that it asks for.
"""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from heapq import nlargest
from ipaddress import IPv6Network
from operator import itemgetter
from typing import Protocol, TypeVar

# Charged when a turn begins, before its duration is known; also the minimum charge.
EXPECTED_SECONDS = 0.02
# Maximum charge: a longer one would count against a whole network for minutes while many others wait.
MOST_CHARGED_SECONDS = 2.0
_MOST_ACCOUNTS = 4_096


class Waiting(Protocol):
    """The attributes of a turn that determine its order."""

    sender: str
    door: str
    arrived_at: float

    @property
    def region(self) -> str: ...

    @property
    def network(self) -> str: ...


T = TypeVar("T", bound=Waiting)


@lru_cache(_MOST_ACCOUNTS)
def network_of(sender: str) -> str:
    """Return the /24 of an IPv4 address, or the /48 of a /64 of IPv6 (client_ip.block_of): one site may have all of it.

    >>> network_of("192.0.2.7"), network_of("2001:db8:0:7::/64"), network_of("")
    ('192.0.2', '2001:db8::/48', '')
    """
    return str(IPv6Network(sender).supernet(new_prefix=48)) if ":" in sender else sender.rpartition(".")[0] or sender


@lru_cache(_MOST_ACCOUNTS)
def region_of(sender: str) -> str:
    """Return the /16 of an IPv4 address, or the /32 of a /64 of IPv6, the smallest block that registries allocate.

    >>> region_of("192.0.2.7"), region_of("2001:db8:0:7::/64"), region_of("")
    ('192.0', '2001:db8::/32', '')
    """
    if ":" in sender:
        return str(IPv6Network(sender).supernet(new_prefix=32))
    return network_of(sender).rpartition(".")[0] or sender


class Accounts:
    """Seconds used, by name; never below the start value of a new name."""

    def __init__(self) -> None:
        self._used: dict[str, float] = {}
        self._newcomer = 0.0

    def of(self, name: str) -> float:
        return max(self._used.get(name, 0.0), self._newcomer)

    def serve(self, name: str) -> None:
        """Begin a turn of *name*."""
        begins = self.of(name)
        self.charge(name, EXPECTED_SECONDS)
        self._newcomer = begins + EXPECTED_SECONDS / 2

    def charge(self, name: str, seconds: float) -> None:
        self._used[name] = self.of(name) + seconds
        if len(self._used) > _MOST_ACCOUNTS:
            self._used = dict(nlargest(_MOST_ACCOUNTS // 2, self._used.items(), key=itemgetter(1)))


class Shares:
    """The accounts of one kind of turn."""

    def __init__(self) -> None:
        self._regions, self._networks, self._senders, self._doors = (Accounts() for _ in range(4))

    def in_order(self, turns: Iterable[T]) -> list[T]:
        """Return *turns* in serving order: the first of each region, then the second of each, and so on."""
        before: Counter[str] = Counter()
        ranked = []
        for turn in sorted(turns, key=self._place):
            ranked.append((before[turn.region], turn))
            before[turn.region] += 1
        return [turn for _rank, turn in sorted(ranked, key=itemgetter(0))]

    def first(self, turns: Iterable[T]) -> T | None:
        """Return the first of `in_order`, in one pass."""
        return min(turns, key=self._place, default=None)

    def _place(self, turn: Waiting) -> tuple[float, ...]:
        return *(accounts.of(name) for accounts, name in self._accounts_of(turn)), turn.arrived_at

    def serve(self, turn: Waiting) -> None:
        for accounts, name in self._accounts_of(turn):
            accounts.serve(name)

    def settle(self, turn: Waiting, seconds: float) -> None:
        """Charge a finished turn's time beyond EXPECTED_SECONDS."""
        for accounts, name in self._accounts_of(turn):
            accounts.charge(name, min(max(seconds, EXPECTED_SECONDS), MOST_CHARGED_SECONDS) - EXPECTED_SECONDS)

    def _accounts_of(self, turn: Waiting) -> Iterable[tuple[Accounts, str]]:
        return (
            (self._regions, turn.region),
            (self._networks, turn.network),
            (self._senders, turn.sender),
            (self._doors, turn.door),
        )


class Holdings:
    """Bytes that one process holds: in *total*, of a sender, and of a region, which may hold a part of the total."""

    def __init__(self) -> None:
        self.total = 0
        self._sizes: Counter[tuple[str, str]] = Counter()

    def add(self, sender: str, size: int) -> None:
        """Count *size* bytes more of *sender*, or fewer if it is negative."""
        self.total += size
        for account in self._accounts_of(sender):
            self._sizes[account] += size
            if not self._sizes[account]:
                del self._sizes[account]

    def of(self, sender: str) -> int:
        return self._sizes["sender", sender]

    def of_region(self, sender: str) -> int:
        """Return the bytes of the region of *sender*; 0 if the sender is unknown."""
        return self._sizes["region", region_of(sender)] if sender else 0

    def _accounts_of(self, sender: str) -> tuple[tuple[str, str], ...]:
        return ("sender", sender), ("region", region_of(sender))
