"""One address floods the judge with the longest texts under claimed nicknames, while other players send as usual."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator

from bench.figures import Figure
from bench.site import services
from bench.site.filling.seeding import texts
from bench.site.load import Client
from bench.site.sites import Ours, Site, ours, sqlite_site
from tooling.terminal import Problem

ATTACKERS = 112
ATTACK = "X-Forwarded-For: 203.0.113.66\r\n"
HONEST, A_SECOND = 60, 3
# As many steps as allowed, padded with blanks to 2 MB: the most expensive text for the reader and the judge.
LONGEST = "lr" * 499_990 + " " * 1_000_000


def measure() -> Iterator[Figure]:
    """Yield how long honest submissions wait for their verdicts without and under the attack."""
    with services.start_services() as started:
        for site in (ours(started), sqlite_site(started)):
            site.start()
            try:
                yield from _attack(site)
            finally:
                site.stop()


def _attack(site: Ours) -> Iterator[Figure]:
    claims = asyncio.run(_nicknames(site))
    calm = asyncio.run(_honest(site, "calm"))
    attacked, answers = asyncio.run(_both(site, claims))
    worst = max(attacked)
    name = f"{site.name}: a short text to its verdict,"
    yield Figure(f"{name} median under attack", _middle(attacked), "s", "without", _middle(calm))
    yield Figure(f"{name} longest under attack", worst, "s", "without", max(calm), "at most 1 s", worst <= 1)
    yield Figure(f"{site.name}: of {ATTACKERS} texts of 2 MB taken", answers[202], "")
    others = sum(count for status, count in answers.items() if status not in (202, 429))
    yield Figure(f"{site.name}: neither taken nor asked to wait", others, "", target="0", is_met=not others)


async def _nicknames(site: Ours) -> list[str]:
    """Return the claims of nicknames that were registered from many addresses before the attack."""
    client, claims = Client(site.port), []
    for number in range(ATTACKERS):
        body = {"nickname": f"attacker {number}", "moves": "rR"}
        answer = await client.request("POST", site.submissions, body, f"X-Forwarded-For: 10.9.0.{number}\r\n")
        claims.append(answer.json()["claim"])
    client.close()
    return claims


async def _both(site: Ours, claims: list[str]) -> tuple[list[float], Counter[int]]:
    client, answers = Client(site.port), Counter[int]()

    async def attack(number: int) -> None:
        body = {"nickname": f"attacker {number}", "claim": claims[number], "moves": LONGEST + "l" * number}
        answers[(await client.request("POST", site.submissions, body, ATTACK)).status] += 1

    attacks = [asyncio.ensure_future(attack(number)) for number in range(len(claims))]
    await asyncio.sleep(1)
    waits = await _honest(site, "honest")
    await asyncio.gather(*attacks)
    client.close()
    return waits, answers


async def _honest(site: Site, name: str) -> list[float]:
    """Return the seconds from request to verdict of short texts at an even pace, each from a different player."""
    client, sent = Client(site.port), texts(HONEST)

    async def send_and_wait(number: int) -> float:
        began = time.monotonic()
        body = {"nickname": f"{name} {number}", "moves": sent[number]}
        answer = await client.request("POST", site.submissions, body, f"X-Forwarded-For: 10.8.0.{number}\r\n")
        if answer.status != 202:
            raise Problem(f"{site.name}: an honest text got {answer.status} {answer.body[:300]!r}")
        while not site.is_judged(int(answer.json()["number"])):
            await asyncio.sleep(0.005)
        return time.monotonic() - began

    begun = []
    for number in range(HONEST):
        begun.append(asyncio.ensure_future(send_and_wait(number)))
        await asyncio.sleep(1 / A_SECOND)
    waits = await asyncio.gather(*begun)
    client.close()
    return list(waits)


def _middle(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]
