import pytest
from django.core.cache import cache

from contest.celery import tasks, waking
from contest.infra import cache as kept
from contest.infra import rate_limits as gate
from contest.vetting import klotski
from solvers.klotski import atlas

HENG_DAO = "aCCbaCCbcddec12e3..4"
MIRRORED = "bCCabCCaeddce21c4..3"


@pytest.fixture
def asking(client, cache_of_its_own, monkeypatch):
    """Request a strict solution; questions for a worker are in `asking.sent`."""
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
        ({"to": "aCCbaCCbcddec12e3..9"}, "每枚棋子都要有自己的一个字符作名字"),
        ({"to": "aCCbaCCbcddec12e...."}, "棋盘要有 1 个 2×2、5 员大将、4 个小兵"),
    ):
        answer = asking("zh-hans", **fields)
        assert answer.status_code == 422
        assert message in answer.json()["error"]
    assert asking.sent == []


def test_too_many_questions_are_refused_with_retry_after(asking, monkeypatch):
    def busy(_cost, _address, _size=0):
        raise gate.Busy(1, 7)

    monkeypatch.setattr(gate, "pass_door", busy)
    answer = asking()
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "7")
    assert "7 seconds" in answer.json()["error"]


def test_a_network_that_floods_the_lab_stops_no_letters(monkeypatch, settings):
    """Four addresses kept a worker so busy that the tasks for letters expired in its queue."""
    counted = []
    monkeypatch.setattr(gate, "_pass", lambda counter, _amount: counted.append(counter.key))
    for address in ("203.0.113.1", "203.0.113.2", "198.51.100.1"):
        gate.pass_door(gate.KLOTSKI, address)
    assert counted[0] == counted[1] != counted[2]
    periodic = [entry["options"] for entry in settings.CELERY_BEAT_SCHEDULE.values()]
    assert all(entry["expires"] > waking._KLOTSKI_SECONDS for entry in periodic if entry["queue"] == waking.LONG_WORK)


def test_without_a_cache_the_response_is_503(client, settings, monkeypatch):
    backend = "django.core.cache.backends.redis.RedisCache"
    settings.CACHES = {"default": {"BACKEND": backend, "LOCATION": "redis://127.0.0.1:1"}}
    monkeypatch.setattr(kept.breaker, "rests_until", 0.0)
    answer = client.get("/en/lab/klotski/strict/", {"from": HENG_DAO, "to": MIRRORED})
    assert (answer.status_code, answer.json()["error"]) == (503, "The server cannot search just now.")


def test_the_atlas_is_not_sent_again_to_a_client_that_has_it(client):
    answer = client.get("/lab/klotski/exit.bin")
    assert answer.content == atlas.FILE.read_bytes()
    again = client.get("/lab/klotski/exit.bin", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
