"""The client, its command and the example bot against the real site."""

import argparse
import ast
import importlib.util
import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from leitai import Client, Level, Refused
from leitai.__main__ import main

from contest import judging
from contest.infra import clock
from contest.players import api_tokens
from solvers import sokoban
from tests import cast

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def site(live_server):
    """An open round now, and the address of the site."""
    now = clock.now()
    cast.a_round(7, opens_at=now - timedelta(days=1), closes_at=now + timedelta(days=1))
    return live_server.url


@pytest.fixture
def bot():
    spec = importlib.util.spec_from_file_location("bot", ROOT / "client/examples/bot.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def client_(site):
    with Client(site) as client:
        yield client


def test_a_solution_is_entered_judged_and_ranked(client_):
    """Rule 5.1."""
    assert client_.round().number == 7
    assert client_.level(7).board == cast.CORRIDOR.replace("|", "\n")
    receipt = client_.submit("rR", nickname="Ada")
    judging.judge_until_empty()
    verdict = client_.verdict(receipt.id)
    assert (verdict.verdict, verdict.moves, verdict.pushes) == ("accepted", 2, 1)
    assert [(row.rank, row.player["name"]) for row in client_.standings(7)] == [(1, "Ada")]


def test_the_same_key_again_is_the_same_receipt(client_):
    """Rule 5.5."""
    first = client_.submit("rR", nickname="Ada", idempotency_key="k")
    again = client_.submit("rR", nickname="Ada", claim=first.claim, idempotency_key="k")
    assert again.id == first.id


def test_a_taken_name_is_refused_with_its_code(client_):
    """Rule 4.11."""
    client_.submit("rR", nickname="Ada")
    with pytest.raises(Refused) as refused:
        client_.submit("rlrR", nickname="Ada")
    assert refused.value.code == "name_taken"


def test_the_command_shows_rounds_and_levels(site, capsys):
    assert main(["--url", site, "rounds"]) == 0
    assert capsys.readouterr().out.split()[:2] == ["7", "open"]
    assert main(["--url", site, "level"]) == 0
    assert "#@-$.#" in capsys.readouterr().out


def test_the_command_says_what_is_wrong(site, capsys):
    assert main(["--url", site, "level", "99"]) == 1
    assert "leitai: " in capsys.readouterr().err


@pytest.mark.parametrize("board", [cast.CORRIDOR, cast.CORNER])
def test_the_bot_solves_a_small_level_and_proves_it_has_nothing_left_to_better(bot, board):
    work = bot.Work(Level(round=7, slot="main", board=board.replace("|", "\n")), seconds=5)
    found = list(work.improvements())
    assert sokoban.replay(sokoban.Level.parse(work.level.board), sokoban.Moves.parse(found[-1].lurd)).is_solved
    assert work.is_done


def test_the_bot_sends_nothing_that_is_no_better(bot):
    work = bot.Work(Level(round=7, slot="main", board=cast.CORNER.replace("|", "\n")), seconds=5)
    assert list(work.improvements())
    assert list(work.improvements()) == []


def test_the_bot_sends_nothing_longer_than_the_round_takes(bot):
    work = bot.Work(Level(round=7, slot="main", board=cast.CORNER.replace("|", "\n")), seconds=5, most_moves=4)
    assert list(work.improvements()) == []


def test_the_bot_gives_up_what_is_proved_unsolvable(bot):
    work = bot.Work(Level(round=7, slot="main", board="#####\n#$--#\n#-@.#\n#####"), seconds=5)
    assert (list(work.improvements()), work.is_done) == ([], True)


def test_no_django_is_needed(tmp_path):
    """The library is its own: nothing of the site is imported."""
    words = "import sys, leitai, leitai.__main__; print({name.partition('.')[0] for name in sys.modules})"
    env = {**os.environ, "PYTHONPATH": str(ROOT / "client")}
    done = subprocess.run([sys.executable, "-c", words], cwd=tmp_path, env=env, check=True, capture_output=True)
    assert not {"django", "contest", "solvers"} & ast.literal_eval(done.stdout.decode())


@pytest.fixture
def robo(site):
    """A program's client: it needs no nickname."""
    player, _claim = api_tokens.make_program("Robo", None, clock.now())
    with Client(site, api_tokens.make(player, None, clock.now()).text) as client:
        yield client


def test_a_token_enters_without_a_nickname_in_the_league_of_bots(robo):
    """Rule 16.2."""
    receipt = robo.submit("rR", slot="main")
    judging.judge_until_empty()
    assert robo.verdict(receipt.id).verdict == "accepted"
    assert [row.player["name"] for row in robo.standings(7, league="bot")] == ["Robo"]


def test_a_batch_and_a_trial(robo):
    receipt, refused = robo.submit_all([{"moves": "rR"}, {"moves": "r", "round": 99}])
    assert receipt.number
    assert refused.code == "no_round"
    assert robo.check("rR", slot="main").verdict == "accepted"
    assert robo.check("R", board="#####\n#@$.#\n#####").pushes == 1


def test_the_example_bot_enters_the_open_round_and_stands_among_the_bots(robo, bot):
    """Rules 5.1, 16.2."""
    options = argparse.Namespace(seconds=5, once=True)
    robo.verdict = lambda receipt_id: judging.judge_until_empty() and robo.submission(receipt_id)
    bot.play(robo, options)
    for slot in ("main", "extra"):
        assert [row.player["name"] for row in robo.standings(7, slot, league="bot")] == ["Robo"]
