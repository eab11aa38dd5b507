"""The bot of docs/tutorials/first-bot.md enters a solution, and both languages have the same commands."""

import re
from pathlib import Path

import pytest
from leitai import Client

from contest.infra import clock
from contest.management.demo.demo import LADDER
from contest.models import Best, League
from tests import cast
from tests.client.test_site import judge_and_read

FOLDER = Path(__file__).parents[2] / "docs/tutorials"
ENGLISH = (FOLDER / "first-bot.md").read_text("utf-8")


def blocks(text, language):
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


@pytest.mark.django_db(transaction=True)
def test_the_bot_enters_a_solution(live_server, monkeypatch, capsys):
    monkeypatch.setattr(Client, "verdict", judge_and_read)
    with clock.set_to(cast.DURING):
        cast.a_round(7)
        monkeypatch.setenv("LEITAI_URL", live_server.url)
        monkeypatch.setenv("LEITAI_TOKEN", cast.token_of("My first bot"))
        (program,) = blocks(ENGLISH, "python")
        exec(compile(program, "first-bot.md", "exec"), {})
    assert capsys.readouterr().out.startswith("main ")
    assert Best.objects.filter(player__nickname="My first bot", league=League.BOT).exists()


def test_the_command_sends_the_best_answer_of_the_demo():
    assert f'"moves":\n"{LADDER.solution}"' in ENGLISH


def test_both_languages_have_the_same_blocks():
    for name in ("first-bot", "first-round", "puzzle-library"):
        english, chinese = ((FOLDER / f"{name}{end}").read_text("utf-8") for end in (".md", ".zh-hans.md"))
        assert blocks(english, "[a-z]*") == blocks(chinese, "[a-z]*")
