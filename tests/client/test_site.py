"""The client, its command and the example bot against the real site."""

import argparse
import ast
import hashlib
import importlib.util
import json
import os
import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from leitai import Client, Level, Refused, calls, sealing
from leitai.__main__ import main

from contest import judging
from contest.infra import clock
from contest.models import Player, Round, Submission
from contest.players import api_tokens
from contest.results import rulings
from contest.wording.bilingual import Reason
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


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["level", "99"], 1),
        (["standings", "7/extra9"], 1),
        (["submit", "/nowhere/solution.txt"], 2),
        (["--url", "http://127.0.0.1:1", "rounds"], 2),
    ],
)
def test_the_command_says_what_is_wrong(site, capsys, monkeypatch, words, code):
    monkeypatch.setattr("leitai.talking.LONGEST_PAUSE", 0.0)
    assert main(["--url", site, *words]) == code
    # Threads of the site may say something of their own before it, such as that somebody has hung up.
    assert capsys.readouterr().err.splitlines()[-1].startswith("leitai: ")


def test_what_names_no_level_is_wrong_usage(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["level", "main"])
    assert ended.value.code == 2
    assert "write ROUND/SLOT" in capsys.readouterr().err


def test_the_command_enters_and_checks_what_it_is_given(site, capsys, monkeypatch, tmp_path):
    """Rule 5.1."""
    moves = tmp_path / "moves.txt"
    moves.write_text("rR")
    assert main(["--url", site, "check", str(moves), "7/main"]) == 0
    assert main(["--url", site, "check", str(moves), "/extra", "--json"]) == 1
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["verdict"] != "accepted"
    monkeypatch.setattr("leitai.__main__.Client.verdict", judged)
    assert main(["--url", site, "submit", str(moves), "--nickname", "Ada"]) == 0
    assert "Its claim, shown only once" in capsys.readouterr().out
    assert main(["--url", site, "standings", "/main", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["player"]["name"] == "Ada"


def judged(client, receipt_id):
    judging.judge_until_empty()
    return client.submission(receipt_id)


def test_the_command_watches_what_happens(site, client_, capsys, monkeypatch):
    client_.submit("rR", nickname="Ada")
    judging.judge_until_empty()
    monkeypatch.setattr("leitai.__main__.Client.follow", lambda client, after: iter(client.events(after)))
    assert main(["--url", site, "watch", "--after", "0"]) == 0
    lines = capsys.readouterr().out
    assert "opened round 7" in lines
    assert "accepted 7/main Ada: 2 moves, 1 pushes" in lines


def test_the_command_tells_what_counts_no_longer(site, client_, capsys, monkeypatch):
    client_.submit("rR", nickname="Ada")
    judging.judge_until_empty()
    rulings.void(Submission.objects.get(), Reason(zh="", en="Copied."), at=clock.now(), by=None)
    monkeypatch.setattr("leitai.__main__.Client.follow", lambda client, after: iter(client.events(after)))
    assert main(["--url", site, "watch", "--after", "0"]) == 0
    assert "void 7/main Ada: 2 moves, 1 pushes (counts no longer)" in capsys.readouterr().out


def test_the_command_tells_no_counts_of_what_is_no_longer_accepted(site, client_, capsys, monkeypatch):
    client_.submit("rR", nickname="Ada")
    judging.judge_until_empty()
    client_.events()
    Submission.objects.update(verdict="not_solved", moves=None, pushes=None)
    monkeypatch.setattr("leitai.__main__.Client.follow", lambda client, after: iter(client.events(after)))
    assert main(["--url", site, "watch", "--after", "0"]) == 0
    told = [line.split(maxsplit=3)[3] for line in capsys.readouterr().out.splitlines() if "Ada" in line]
    assert told == ["accepted 7/main Ada (counts no longer)", *["best 7/main Ada (counts no longer)"] * 2]


def test_a_reader_who_leaves_ends_the_command_silently(site):
    command = f"{sys.executable} -m leitai --url {site} rounds --json | true; echo ${{PIPESTATUS[0]}}"
    env = {**os.environ, "PYTHONPATH": str(ROOT / "client")}
    done = subprocess.run(["bash", "-c", command], env=env, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert done.stdout.strip() in ("0", "141")


def test_every_address_of_the_api_has_a_call(client_):
    asked = {f"/api/v1/{getattr(calls, name)(**arguments).path}" for name, arguments in ARGUMENTS.items()}
    sealed = sealing.sealed_answers(7), sealing.open_sealed(sealing.sealed_text(7, "main", 1, "rR"))
    asked |= {f"/api/v1/{call.path}" for call in sealed}
    # What a program reads by the address alone; the client sends such moves in a body, however long they are.
    documented = client_.description()["paths"].keys() - {"/api/v1/rebuild/{moves}/"}
    # The library is for players: organisers' tokens open no other door, and players' none of these.
    documented = {path for path in documented if not path.startswith("/api/v1/desk/")}
    assert {re.sub(r"\{(\w+)\}", lambda match: str(DUMMIES[match[1]]), path) for path in documented} <= asked


DUMMIES = {
    "night": "2026-11-21",
    "name": "levels.ndjson.gz",
    "number": 7,
    "hook": 3,
    "slot": "main",
    "receipt_id": "r",
    "search_id": "s",
    "slug": "2026",
}
ARGUMENTS = {
    "rounds": {},
    "tracks": {},
    "one_round": {"number": 7},
    "level": {"number": 7, "slot": "main"},
    "levels_file": {"number": 7},
    "all_levels": {},
    "archives": {},
    "collections": {},
    "collection": {"slug": "2026"},
    "collection_file": {"slug": "2026"},
    "library": {"query": {}},
    "standings": {"number": 7, "slot": "main", "by": "moves", "league": None, "board": None},
    "pareto": {"number": 7, "slot": "main", "league": None},
    "results": {"number": 7, "revision": None},
    "draw": {"number": 7},
    "chain": {"number": 7},
    "submissions": {"number": 7, "slot": None},
    "solutions": {"number": 7, "slot": None},
    "all_submissions": {"since": 0},
    "all_solutions": {"since": 0},
    "events": {"after": 0, "wait": 0, "limit": None},
    "players": {},
    "player": {"number": 7},
    "hall": {"by": "points", "league": None, "track": None},
    "seasons": {},
    "season": {"name": "2026", "league": None, "track": None},
    "submit": {"entry": {}},
    "submission": {"receipt_id": "r", "wait": 0},
    "bests": {"number": None},
    "check": {"trial": {}},
    "rebuild": {"moves": "rR"},
    "dumps": {},
    "dump_file": {"night": "2026-11-21", "name": "levels.ndjson.gz"},
    "webhooks": {},
    "webhook": {"number": 3},
    "make_webhook": {"url": "https://hook.example/", "events": ["opened"]},
    "test_webhook": {"number": 3},
    "end_webhook": {"number": 3},
    "ask_solver": {"question": {}},
    "hint": {"number": 7, "slot": "main", "moves": ""},
    "search": {"search_id": "s"},
    "cancel_search": {"search_id": "s"},
    "token": {},
    "limits": {},
    "site_time": {},
}


@pytest.mark.parametrize("board", [cast.CORRIDOR, cast.CORNER])
def test_the_bot_solves_a_small_level_and_proves_it_has_nothing_left_to_better(bot, board):
    work = bot.Work(Level(round=7, slot="main", board=board.replace("|", "\n")), seconds=60)
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


def test_a_program_makes_tests_and_ends_its_webhooks(site):
    player, _claim = api_tokens.make_program("Robo", None, clock.now())
    with Client(site, api_tokens.make(player, None, clock.now(), scopes=["webhooks"]).text) as client:
        made = client.make_webhook("https://hook.example/", ["opened"])
        assert made.secret.startswith("whsec_")
        assert client.test_webhook(made.id).event == "test"
        assert [one["event"] for one in client.webhook(made.id).deliveries] == ["test"]
        assert [one.id for one in client.webhooks()] == [made.id]
        assert client.end_webhook(made.id) == []


@pytest.fixture
def sealing_round(site):
    """The open round takes sealed answers."""
    round_ = Round.objects.get()
    round_.settings |= {"sealed_answers": True}
    round_.save()
    return round_


def test_the_command_seals_moves_that_never_leave_and_opens_them_after_the_close(
    robo, sealing_round, site, capsys, monkeypatch, tmp_path
):
    """Rules 5.11 to 5.13."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LEITAI_TOKEN", api_tokens.make(Player.objects.get(), None, clock.now()).text)
    (tmp_path / "moves.txt").write_text("r r\nl")
    assert main(["--url", site, "seal", "moves.txt", "7/main"]) == 0
    (kept,) = tmp_path.glob("leitai-7-main-*.txt")
    assert f"2 moves, 1 pushes. Keep {kept.name}." in capsys.readouterr().out
    assert kept.stat().st_mode & 0o77 == 0
    (answer,) = robo.sealed_answers(7)
    assert (answer.state, answer.moves, answer.sha256) == ("sealed", 2, hashlib.sha256(kept.read_bytes()).hexdigest())
    assert not Submission.objects.exists()
    Round.objects.update(closes_at=clock.now())
    monkeypatch.setattr("leitai.client.Client.verdict", judge_and_read)
    assert main(["--url", site, "open", str(kept)]) == 0
    assert Submission.objects.get().verdict == "accepted"
    assert [one.state for one in robo.sealed_answers(7)] == ["opened"]


def judge_and_read(client, receipt_id):
    judging.judge_until_empty()
    return client.submission(receipt_id)


def test_what_the_site_refuses_to_seal_leaves_no_file(robo, site, monkeypatch, capsys, tmp_path):
    """Rule 5.11."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LEITAI_TOKEN", api_tokens.make(Player.objects.get(), None, clock.now()).text)
    (tmp_path / "moves.txt").write_text("rr")
    assert main(["--url", site, "seal", "moves.txt", "7/main"]) == 1
    assert not list(tmp_path.glob("leitai-*"))
    for moves, words in (("r", "do not solve"), ("u", "move 1 (u) is impossible"), ("3r", "only the letters")):
        (tmp_path / "moves.txt").write_text(moves)
        assert main(["--url", site, "seal", "moves.txt", "7/main"]) == 1
        assert words in capsys.readouterr().err
    assert main(["--url", site, "open", "moves.txt"]) == 1


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
