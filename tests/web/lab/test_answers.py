import pytest
from django.core.cache import cache

from contest.celery import tasks, waking
from contest.vetting import klotski

HENG_DAO = "aCCbaCCbcddec12e3..4"
MIRRORED = "bCCabCCaeddce21c4..3"


@pytest.fixture
def asking(client, cache_of_its_own, monkeypatch):
    cache.clear()

    def ask(language="en", **fields):
        return client.get(f"/{language}/lab/klotski/strict/", {"from": HENG_DAO, "to": MIRRORED} | fields)

    ask.sent = []
    monkeypatch.setattr(waking, "ask_klotski", lambda *both: ask.sent.append(both))
    return ask


def test_a_strict_solution_is_pending_until_a_worker_has_found_it(asking, monkeypatch):
    assert asking().status_code == 202
    assert asking.sent == [(HENG_DAO, MIRRORED)]
    monkeypatch.setattr(klotski, "solve", lambda start, target, *, is_strict: "a way" if is_strict else None)
    tasks.solve_klotski(*asking.sent[0])
    answer = asking()
    assert (answer.status_code, answer.json()) == (200, {"moves": "a way"})


def test_an_invalid_question_is_refused_in_the_readers_language(asking):
    for fields, message in (
        ({"from": "x" * 5000}, "上限"),
        (dict.fromkeys(("from", "to"), "VCCVVCCVVHHVVooVo..o"), "每枚棋子都要有自己的一个字符作名字"),
    ):
        answer = asking("zh-hans", **fields)
        assert answer.status_code == 422
        assert message in answer.json()["error"]
    assert asking.sent == []
