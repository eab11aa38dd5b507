from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from contest import rounds
from contest.infra import clock, rate_limits
from contest.models import AuditEntry, DeskToken, LibraryLevel, Round, Series
from contest.organising import desk_tokens
from contest.staff import members, second_factors
from contest.templatetags.record import ACT_WORDS
from solvers import sokoban
from tests import cast
from tests.api.conftest import Bot, code_of, fields_of
from tests.desk.conftest import member, signed_in

NOW = cast.OPENS - timedelta(days=30)
ADDRESSES = ("health/", "rounds/", "levels/", "series/")
pytestmark = [pytest.mark.django_db, pytest.mark.clock(NOW)]


class Program(Bot):
    def get(self, path: str, **headers: str) -> Any:
        return super().get(f"desk/{path}", **headers)

    def send(self, path: str, body: object) -> Any:
        return self.post(body, path=f"desk/{path}")


@pytest.fixture
def organiser(db) -> User:
    return member("organiser")


@pytest.fixture
def program(organiser) -> Program:
    return Program(token=desk_tokens.create_token(organiser, "a program", clock.now()))


@pytest.fixture
def series(db) -> Series:
    return Series.objects.create(name_zh="周赛", name_en="Weekly", first_opens_at=cast.OPENS)


def test_a_draft_is_created_with_a_list_of_missing_parts(program):
    made = program.send("rounds/", {"title_en": "By a program", "opens_at": "2026-12-07T12:00:00Z"})
    assert made.status_code == 201
    round_ = Round.objects.get()
    assert (round_.title_en, round_.announced_at) == ("By a program", None)
    assert round_.closes_at - round_.opens_at == timedelta(weeks=3)
    (listed,) = program.get("rounds/").json()["results"]
    assert listed == made.json()
    assert (listed["phase"], listed["is_prepared"]) == ("draft", False)
    assert listed["missing"]
    Round.objects.update(announced_at=NOW, finalised_at=NOW)
    assert program.get("rounds/").json()["results"] == []


@pytest.mark.parametrize(
    ("body", "refusal"),
    [({"opens_at": "2026-12-07T12:00:00"}, (400, ["opens_at"])), ({"track": "nothing"}, (422, ["track"])),
     ({"opens_at": "2026-12-07T12:00:00Z", "closes_at": "2026-12-01T12:00:00Z"}, (422, [])),
     ({"closes_at": "0001-01-01T00:00:00+14:00"}, (422, ["closes_at"]))],
)  # fmt: skip
def test_an_impossible_draft_is_refused_with_the_field(program, body, refusal):
    assert fields_of(program.send("rounds/", body)) == refusal
    assert not Round.objects.exists()


def test_only_a_person_publishes_a_prepared_round(program, organiser):
    round_ = cast.a_round(announced_at=None)
    assert program.send("rounds/1/prepare/", {}).json()["is_prepared"] is True
    assert Round.objects.get().announced_at is None
    desk = signed_in(organiser)
    assert "A program of organiser has prepared Round 1" in desk.get("/en/desk/").content.decode()
    desk.post("/en/desk/rounds/1/publish/")
    round_.refresh_from_db()
    assert round_.announced_at == NOW
    assert "has prepared" not in desk.get("/en/desk/").content.decode()
    assert code_of(program.send("rounds/1/prepare/", {})) == (422, "not_possible")


def test_an_incomplete_or_unknown_round_is_not_prepared(program):
    rounds.save(Round(number=1, opens_at=cast.OPENS, closes_at=cast.CLOSES), at=NOW, by=None)
    for number, refusal in ((1, (422, "not_possible")), (9, (404, "not_found"))):
        assert code_of(program.send(f"rounds/{number}/prepare/", {})) == refusal


def test_levels_are_queued_without_showing_board_or_solution(program, series):
    board = sokoban.Level.parse(cast.CORRIDOR)
    facts = {"sha256": board.sha256, "key": board.key, "width": 6, "height": 3, "boxes": 1, "added_at": NOW}
    facts |= {"title": "Waits", "state": LibraryLevel.State.READY}
    level = LibraryLevel.objects.create(text=board.published_text, solution="rR", **facts)
    listed = program.get("levels/")
    assert [row["id"] for row in listed.json()["results"]] == [level.pk]
    for path in ADDRESSES:
        assert cast.CORRIDOR not in program.get(path).content.decode()
        assert "rR" not in program.get(path).content.decode()
    queue = f"series/{series.pk}/queue/"
    answer = program.send(queue, {"levels": [str(level.pk), "999"], "slots": ["extra"]}).json()
    assert answer == {"queued": 1, "refused": "", "public": ""}
    assert program.get("series/").json()["results"][0]["queued"] == 1
    assert program.get("levels/").json()["count"] == 0
    by = f"organiser (desk_{DeskToken.objects.get().public_id})"
    assert AuditEntry.objects.get(act="queue level").actor_name == by
    assert fields_of(program.send(queue, {"levels": ["a"]})) == (400, ["levels"])
    assert fields_of(program.send(queue, {"levels": ["1"], "slots": ["main", "none"]})) == (400, ["slots"])


def test_posts_are_limited_per_minute(program, monkeypatch):
    def full(*_asked):
        raise rate_limits.Busy(20, 7)

    monkeypatch.setattr(rate_limits, "pass_token", full)
    answer = program.send("rounds/", {})
    assert (code_of(answer), answer["Retry-After"]) == ((429, "quota"), "7")
    assert program.get("rounds/").status_code == 200


def test_a_desk_token_expires_after_ninety_days(program):
    with clock.set_to(NOW + timedelta(days=90) - timedelta(seconds=1)):
        assert program.get("health/").json()["trouble"]
    with clock.set_to(NOW + timedelta(days=90)):
        assert code_of(program.get("rounds/")) == (401, "expired_token")


@pytest.mark.parametrize(
    "end",
    [
        lambda user: members.give_role(user, "observer", by=None),
        lambda user: second_factors.reset(user, None, reason="lost"),
        lambda user: User.objects.filter(pk=user.pk).update(is_staff=False),
        lambda user: User.objects.filter(pk=user.pk).update(is_active=False),
    ],
    ids=["role", "factor", "off the staff", "account"],
)
def test_a_desk_token_is_revoked_with_the_role_the_factor_or_the_account(organiser, program, end):
    end(organiser)
    assert code_of(program.get("rounds/")) == (401, "revoked_token")


def test_a_desk_token_has_no_more_permissions_than_its_owner(program, organiser):
    organiser.groups.clear()
    assert {program.get(path).status_code for path in ADDRESSES} == {403}
    assert program.send("rounds/", {}).status_code == 403
    assert not Round.objects.exists()


def test_desk_tokens_and_player_tokens_are_not_interchangeable(program):
    assert code_of(Bot.get(program, "rounds/")) == (401, "bad_token")
    of_player = Program(token=cast.token_of("Bot"))
    for path in ADDRESSES:
        assert code_of(of_player.get(path)) == (401, "bad_token")
        assert code_of(Program().get(path)) == (401, "no_token")


def test_a_desk_token_is_shown_once_and_revoked_by_its_owner(organiser, monkeypatch):
    desk, other = signed_in(organiser), signed_in(member("organiser", "other"))
    monkeypatch.setattr(desk_tokens, "MOST", 1)
    made = desk.post("/en/desk/tokens/", {"name": "nightly"}).content.decode()
    assert desk.post("/en/desk/tokens/", {"name": "one more"}).status_code == 422
    token = DeskToken.objects.get()
    assert made.count(f"desk_{token.public_id}_") == 1
    assert f"desk_{token.public_id}_" not in desk.get("/en/desk/tokens/").content.decode()
    assert other.post("/en/desk/tokens/", {"end": token.public_id}).status_code == 404
    assert DeskToken.objects.get().revoked_at is None
    assert desk.post("/en/desk/tokens/", {"end": token.public_id}).status_code == 302
    assert DeskToken.objects.get().revoked_at == NOW
    acts = set(AuditEntry.objects.values_list("act", flat=True))
    assert {"desk token made", "desk token revoked"} <= acts & set(ACT_WORDS)
