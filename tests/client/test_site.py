"""The client, its command and the example bot against the real site."""

import argparse
import hashlib
import importlib.util
import json
from pathlib import Path

import httpx
import pytest
from leitai import Client, Level
from leitai.__main__ import main
from leitai.connection import Connection

from contest import judging
from contest.infra import clock
from contest.models import Round, Scope, Submission
from contest.results import rulings
from contest.wording.bilingual import Reason
from solvers import sokoban
from tests import cast

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def site(live_server):
    with clock.set_to(cast.DURING):
        cast.a_round(7)
        yield live_server.url


def judge_and_read(client, receipt_id):
    judging.judge_until_empty()
    return client.submission(receipt_id)


@pytest.fixture(autouse=True)
def _judge_immediately(monkeypatch):
    monkeypatch.setattr("leitai.client.Client.verdict", judge_and_read)
    monkeypatch.setattr("leitai.client.Client.follow", lambda client, after: iter(client.events(after)))


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


def test_the_command_shows_rounds_and_levels(site, capsys):
    assert main(["--url", site, "rounds"]) == 0
    assert capsys.readouterr().out.split()[:2] == ["7", "open"]
    assert main(["--url", site, "level"]) == 0
    assert "#@-$.#" in capsys.readouterr().out


def test_the_command_reports_errors(site, capsys, monkeypatch):
    monkeypatch.setattr("leitai.talking.LONGEST_PAUSE", 0.0)
    for arguments, code in {
        ("level", "99"): 1,
        ("standings", "7/extra9"): 1,
        ("submit", "/nowhere/solution.txt"): 2,
        ("--url", "http://127.0.0.1:1", "rounds"): 2,
    }.items():
        assert main(["--url", site, *arguments]) == code
        # Before it, threads of the site may print messages, such as that a client disconnected.
        assert capsys.readouterr().err.splitlines()[-1].startswith("leitai: ")
    with pytest.raises(SystemExit) as ended:
        main(["level", "main"])
    assert ended.value.code == 2
    assert "write ROUND/SLOT" in capsys.readouterr().err


def test_an_unanswered_submission_is_entered_once_with_the_key_of_the_message(site, capsys, monkeypatch, tmp_path):
    """Rule 5.1."""
    monkeypatch.setattr("leitai.talking.LONGEST_PAUSE", 0.0)
    moves = tmp_path / "moves.txt"
    moves.write_text("rR")
    submit = ["submit", str(moves), "--nickname", "Ada"]
    send = Connection._request
    with monkeypatch.context() as patch:
        patch.setattr(Connection, "_request", lambda *call: send(*call) and httpx.ReadError("lost"))
        assert main(["--url", site, *submit]) == 2
    key = capsys.readouterr().err.partition("--key ")[2].split()[0]
    assert main(["--url", site, *submit, "--key", key]) == 0
    assert "Its claim, shown only once" in capsys.readouterr().out
    assert Submission.objects.count() == 1


def test_the_command_submits_and_checks_moves(site, capsys, tmp_path):
    """Rule 5.1."""
    moves = tmp_path / "moves.txt"
    moves.write_text("rR")
    assert main(["--url", site, "check", str(moves), "7/main"]) == 0
    assert main(["--url", site, "check", str(moves), "/extra", "--json"]) == 1
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["verdict"] != "accepted"
    assert main(["--url", site, "submit", str(moves), "--nickname", "Ada"]) == 0
    assert "Its claim, shown only once" in capsys.readouterr().out
    assert main(["--url", site, "standings", "/main", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["player"]["name"] == "Ada"


def test_the_command_watches_events(site, client_, capsys):
    for nickname in ("Ada", "Bo", "Cy"):
        client_.submit("rR", nickname=nickname)
    judging.judge_until_empty()
    rulings.void(Submission.objects.get(player__nickname="Bo"), Reason(zh="", en="Copied."), at=clock.now(), by=None)
    client_.events()
    Submission.objects.filter(player__nickname="Cy").update(verdict="not_solved", moves=None, pushes=None)
    assert main(["--url", site, "watch", "--after", "0"]) == 0
    lines = [line.split(maxsplit=3)[3] for line in capsys.readouterr().out.splitlines()]
    assert "opened round 7" in lines
    assert "accepted 7/main Ada: 2 moves, 1 push" in lines
    assert "void 7/main Bo: 2 moves, 1 push (counts no longer)" in lines
    assert "accepted 7/main Cy (counts no longer)" in lines


def test_the_bot_sends_only_improvements_within_the_rounds_limit(bot):
    level = Level(round=7, slot="main", board=cast.CORNER.replace("|", "\n"))
    work = bot.Work(level, seconds=60, most_moves=5)
    *_worse, best = work.find_improvements()
    assert sokoban.replay(sokoban.Level.parse(level.board), sokoban.Moves.parse(best.lurd)).is_solved
    assert work.is_done, "that is proved to be the optimum"
    assert list(work.find_improvements()) == list(bot.Work(level, seconds=5, most_moves=4).find_improvements()) == []
    unsolvable = bot.Work(Level(round=7, slot="main", board="#####\n#$--#\n#-@.#\n#####"), seconds=5)
    assert (list(unsolvable.find_improvements()), unsolvable.is_done) == ([], True)


@pytest.fixture
def robo(site, monkeypatch):
    """A program's client, which needs no nickname; commands use its token too."""
    token = cast.token_of("Robo", Scope.values)
    monkeypatch.setenv("LEITAI_TOKEN", token)
    with Client(site, token) as client:
        yield client


def test_a_token_submits_batches_and_trials_without_a_nickname(robo):
    """Rule 16.2."""
    receipt, refused = robo.submit_all([{"moves": "rR", "slot": "main"}, {"moves": "r", "round": 99}])
    assert (robo.verdict(receipt.id).verdict, refused.code) == ("accepted", "no_round")
    assert [row.player.name for row in robo.standings(7, league="bot")] == ["Robo"]
    trial = robo.check("me: rR", slot="main")
    assert (trial.verdict, trial.reading, trial.left_out) == ("accepted", "words", [{"line": 1, "text": "me:"}])
    assert robo.check("R", board="#####\n#@$.#\n#####").pushes == 1


def test_a_program_creates_tests_and_ends_its_webhooks(robo):
    made = robo.make_webhook("https://hook.example/", ["opened"])
    assert made.secret.startswith("whsec_")
    assert robo.test_webhook(made.id).event == "test"
    assert [item["event"] for item in robo.webhook(made.id).deliveries] == ["test"]
    assert [item.id for item in robo.webhooks()] == [made.id]
    assert robo.end_webhook(made.id) == []


def test_the_command_seals_moves_locally_and_opens_the_file_after_the_close(robo, site, capsys, monkeypatch, tmp_path):
    """Rules 5.11 to 5.13."""
    monkeypatch.chdir(tmp_path)
    Round.objects.update(settings={**Round.objects.get().settings, "sealed_answers": True})
    (tmp_path / "moves.txt").write_text("r r\nl")
    assert main(["--url", site, "seal", "moves.txt", "7/main"]) == 0
    (path,) = tmp_path.glob("leitai-7-main-*.txt")
    assert f"2 moves, 1 push. Keep {path.name}." in capsys.readouterr().out
    assert path.stat().st_mode & 0o77 == 0
    (answer,) = robo.sealed_answers(7)
    assert (answer.state, answer.moves, answer.sha256) == ("sealed", 2, hashlib.sha256(path.read_bytes()).hexdigest())
    assert not Submission.objects.exists()
    with clock.set_to(cast.CLOSES):
        assert main(["--url", site, "open", str(path)]) == 0
        assert [answer.state for answer in robo.sealed_answers(7)] == ["opened"]
    assert Submission.objects.get().verdict == "accepted"


def test_a_refused_seal_leaves_no_file(robo, site, monkeypatch, capsys, tmp_path):
    """Rule 5.11."""
    monkeypatch.chdir(tmp_path)
    refusals = {"rr": "", "r": "do not solve", "u": "move 1 (u) is impossible", "3r": "only the letters"}
    for moves, text in refusals.items():
        (tmp_path / "moves.txt").write_text(moves)
        assert main(["--url", site, "seal", "moves.txt", "7/main"]) == 1
        assert text in capsys.readouterr().err
    assert not list(tmp_path.glob("leitai-*"))
    assert main(["--url", site, "open", "moves.txt"]) == 1


def test_the_example_bot_enters_the_open_round_and_is_ranked(robo, bot):
    """Rules 5.1, 16.2."""
    bot.play(robo, argparse.Namespace(seconds=5, once=True))
    for slot in ("main", "extra"):
        assert [row.player.name for row in robo.standings(7, slot, league="bot")] == ["Robo"]
