"""The MCP server, driven by the SDK's own client, against the real site."""

import asyncio
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from leitai import AsyncClient
from leitai.mcp_server import make_server
from mcp import Client, MCPError, StdioServerParameters

from contest import judging
from contest.infra import clock
from contest.models import Submission
from tests import cast

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def site(live_server):
    with clock.set_to(cast.DURING):
        cast.a_round(7)
        yield live_server.url


@pytest.fixture
def token(site):
    return cast.token_of("Model")


def ask(server, *calls):
    async def talk():
        async with Client(server) as client:
            return [(await client.call_tool(name, arguments)).content[0].text for name, arguments in calls]

    return asyncio.run(talk())


def test_a_model_plays_the_open_round_to_its_receipt(site, token):
    """Rule 5.1."""
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "leitai", "mcp"],
        env=os.environ | {"LEITAI_URL": site, "LEITAI_TOKEN": token, "PYTHONPATH": f"{ROOT}:{ROOT / 'client'}"},
    )  # fmt: skip
    rounds, level, mistake, trial, *sent = ask(
        command, ("list_rounds", {}), ("read_level", {}), ("try_moves", {"moves": "ru"}),
        ("try_moves", {"moves": "rR"}), ("submit_moves", {"moves": "ru"}), ("submit_moves", {"moves": "rR"}),
    )  # fmt: skip
    assert "Round 7" in rounds
    assert " 1 #@-$.#" in level
    assert "Closes at" in level
    assert "At most 1,000,000 moves" in level
    assert "Move 2 (u) walks into a wall." in mistake
    assert " 1 #-@$.#" in mistake
    assert trial.endswith("/main. Solved: 2 moves, 1 push.")
    assert "/main. Move 2 (u) walks into a wall." in sent[0]
    judging.judge_until_empty()
    (verdict,) = ask(
        make_server(AsyncClient(site, token), has_token=True), ("read_receipt", {"receipt_id": sent[1].split()[-1]})
    )
    assert verdict.startswith("Verdict: accepted.")
    assert "Rank 1 by moves, 1 by pushes." in verdict
    assert not any(token in text for text in (rounds, level, mistake, trial, *sent, verdict))


def test_the_same_moves_sent_twice_at_once_have_one_key_and_both_a_receipt(site):
    keys, both = [], None

    class Slow(AsyncClient):
        async def submit(self, _moves, *, idempotency_key, **_entry):  # type: ignore[override]  # only what is used
            keys.append(idempotency_key)
            await both.wait()
            return SimpleNamespace(number=1, received_at=cast.DURING, id="abc")

    async def talk():
        nonlocal both
        both = asyncio.Barrier(2)
        async with Client(make_server(Slow(site), has_token=True)) as client:
            await client.call_tool("read_level", {"round_number": 7})
            arguments = {"moves": "rR", "round_number": 7}
            return await asyncio.gather(*[client.call_tool("submit_moves", arguments) for _ in range(2)])

    assert [answer.content[0].text[:10] for answer in asyncio.run(talk())] == ["Receipt 1,"] * 2
    assert len({*keys}) == 1


def test_mistakes_are_answered_with_their_place_and_nothing_is_sent(site):
    answers = ask(
        make_server(AsyncClient(site), has_token=False),
        ("read_level", {"round_number": 99}), ("try_moves", {"moves": "rx"}), ("submit_moves", {"moves": "rR"}),
        ("read_receipt", {"receipt_id": "../rounds"}), ("read_receipt", {"receipt_id": "a" * 65}),
        ("try_moves", {"moves": "r", "round": 7}), ("read_level", {"round_number": 10**400}),
    )  # fmt: skip
    expected = [
        "Round 99 does not exist", "x", "Nothing was sent: this server has no token.", "receipt_id", "receipt_id",
        "round\n  Extra inputs are not permitted", "round_number",
    ]  # fmt: skip
    assert all(part in answer for part, answer in zip(expected, answers, strict=True)), answers
    assert not Submission.objects.exists()


def test_the_page_has_all_tools_levels_are_resources_and_the_prompt_has_rules_and_board(site):
    page = (ROOT / "docs/how-to/language-models.md").read_text()

    async def talk():
        async with Client(make_server(AsyncClient(site), has_token=False)) as client:
            assert all(f"| `{tool.name}` |" in page for tool in (await client.list_tools()).tools)
            board = (await client.read_resource("leitai://levels/7/main")).contents[0].text
            prompt = (await client.get_prompt("play_level", {"number": "7"})).messages[0].content.text
            for mistake, message in (
                (client.read_resource("leitai://levels/7/nowhere"), "Level 7/nowhere does not exist"),
                (client.get_prompt("play_level", {"number": "x"}), "such as 7, not 'x'"),
                (client.get_prompt("play"), "no prompt 'play'"),
            ):
                with pytest.raises(MCPError, match=message):
                    await mistake
            return board, prompt

    board, prompt = asyncio.run(talk())
    assert board == cast.CORRIDOR.replace("|", "\n")
    assert "push every box" in prompt
    assert " 1 #@-$.#" in prompt
