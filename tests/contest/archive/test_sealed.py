import base64
import json
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from contest import judging, players, results
from contest.archive import format as archived
from contest.archive import verify
from contest.infra import clock
from contest.judging import receipt_chain
from contest.models import Door, Player, Round
from contest.players import acts
from contest.rules import canonical
from contest.rules.sealed_answers import SealedText
from contest.submissions.sealed_answers import SealedEntry, open_answer, seal
from tests import cast
from tests.contest.archive.conftest import build_once, faults, pack
from tests.contest.archive.forger import Forgery
from tests.contest.archive.test_writer import rows, written

pytestmark = pytest.mark.django_db
SOON = cast.CLOSES + timedelta(hours=2)
LATER = cast.CLOSES + timedelta(days=1, minutes=5)


def play(*, finalise: bool = True, **settings) -> None:
    with clock.set_to(cast.DURING):
        cast.with_settings(cast.a_round(), sealed_answers=True, **settings)
        texts = [vouch(name, salt) for name, salt in (("Ann", "a" * 32), ("Cy", "c" * 32))]
        chain()
    with clock.set_to(cast.DURING + timedelta(hours=1)):
        cast.submit("Bo", "rR")
        chain()
    with clock.set_to(SOON):
        open_answer(1, texts[0], door=Door.WEB)
        judging.judge_until_empty()
        chain()
    if finalise:
        with clock.set_to(LATER):
            results.finalise(Round.objects.get(), at=LATER, by=None)


def vouch(name: str, salt: str) -> str:
    player = players.create(name, country="", email="", at=cast.OPENS)[0]
    text = SealedText(1, "main", player.archive_number, salt, "rR")
    seal(SealedEntry(1, "main", 2, 1, text.sha256), player, door=Door.API)
    return str(text)


def chain() -> None:
    """Append all links, also where PostgreSQL cannot know within one transaction which missing numbers are final."""
    rows = receipt_chain._received_after(receipt_chain._last_number()).order_by("number")
    receipt_chain.add(rows, receipt_chain._unbound_answers())


def sealed() -> dict[str, bytes]:
    play()
    return written(LATER)


@pytest.fixture
def files():
    return build_once("sealed", sealed)


def test_the_archive_lists_every_sealed_answer_and_verifies(files, tmp_path):
    report = verify.verify(pack(tmp_path, files))
    assert report.differences == []
    assert (report.format, report.sealed, report.opened, report.replayed, report.bare) == (4, 2, 1, 2, 0)
    ann, cy = rows(files, archived.SEALED)
    opened = next(row for row in rows(files, archived.SUBMISSIONS) if row["number"] == ann["submission"])
    assert (ann["received_at"], opened["received_at"]) == (canonical.instant(cast.DURING),) * 2
    assert ann["opened_at"] == canonical.instant(SOON)
    assert (opened["sha256"], opened["lurd"]) == (ann["sha256"], "rR")
    assert base64.b64decode(opened["text"]).startswith(b"leitai-sealed-1\n1/main\n")
    assert (cy["opened_at"], cy["submission"]) == (None, None)
    ranked = json.loads(files[archived.BOARDS])["contest"]["human"]["main"]["moves"]
    assert [row["number"] for row in ranked] == [ann["submission"], ann["submission"] - 1]


def test_names_are_in_no_hashed_file_and_can_be_erased(tmp_path):
    """Rule 15.6."""
    files = sealed()
    before = {name: data for name, data in files.items() if name in archived.HASHED[4]}
    assert not any(b"Ann" in data or b"Cy" in data for data in before.values())
    for player in Player.objects.all():
        acts.erase(player, None)
    after = written(LATER)
    assert {name: after[name] for name in before} == before
    assert after[archived.PLAYERS] != files[archived.PLAYERS]
    assert verify.verify(pack(tmp_path, after)).differences == []


def test_sealed_answers_without_published_moves_verify_without_texts(tmp_path):
    """Rules 7.3, 24.1."""
    play(solutions_public="never")
    files = written(LATER)
    report = verify.verify(pack(tmp_path, files))
    assert (report.differences, report.opened, report.not_published) == ([], 1, 2)
    assert all(row["text"] is None for row in rows(files, archived.SUBMISSIONS))


def relinked(**facts) -> Callable[[Forgery], None]:
    """Change facts of the first answer and compute its leaf again, which is then missing from the chain."""

    def change(forgery):
        row = forgery.answers[0]
        row |= facts
        document = [row[name] for name in ("slot", "number", "received_at", "moves", "pushes", "sha256", "sent_as")]
        row["leaf"] = canonical.sealed_leaf(1, *document)

    return change


def duplicate(forgery) -> None:
    first, second = forgery.answers
    second |= {name: first[name] for name in ("submission", "opened_at")}


def finalise(forgery, at: datetime, **facts) -> None:
    forgery.about |= {"finalised_at": canonical.instant(at), **facts}
    forgery.about["revisions"][0] |= {"made_at": canonical.instant(at)}


def send_to_another_level(forgery) -> None:
    text = base64.b64decode(forgery.rows[1]["text"])
    assert text.startswith(b"leitai-sealed-1")
    forgery.rows[1]["text"] = base64.b64encode(text.replace(b"1/main", b"1/extra")).decode()


_IN_A_DAY, _IN_THREE_DAYS = (canonical.instant(cast.CLOSES + timedelta(days=days)) for days in (1, 3))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda f: f.answers[0].update(moves=1), "does not open its leaf"),
        (relinked(moves=1), "its leaf is not in the chain"),
        (relinked(pushes=3), "has 3 pushes in 2 moves"),
        (relinked(slot="extra2"), "there is no level extra2"),
        (relinked(received_at=canonical.instant(cast.CLOSES)), "when the round was not open"),
        (relinked(received_at=canonical.instant(cast.OPENS)), "has another received_at"),
        (lambda f: f.answers[0].update(opened_at=_IN_A_DAY), "not in the day after the reveal"),
        (lambda f: f.answers[0].update(opened_at=None), "became a submission and was not opened"),
        (lambda f: f.answers[0].update(submission=99), "there is no submission 99"),
        (lambda f: f.answers[0].update(player=5), "has another player"),
        (lambda f: f.answers[0].update(opened_at=None), "binds 1 opened sealed answers"),
        (lambda f: f.answers[1].update(opened_at=canonical.instant(SOON)), "binds 1 opened sealed answers"),
        (duplicate, "became a submission that another one became"),
        (lambda f: f.about.update(opened_until=_IN_THREE_DAYS), "opened_until is no day after the reveal"),
        (lambda f: finalise(f, SOON), "became final before the day of opening was over"),
        (lambda f: f.rows[1].update(lurd="rlrR", moves=4), "has other moves than its text"),
        (send_to_another_level, "was sealed for another round, level or player"),
    ],
)
def test_forged_sealed_answers_are_reported(files, tmp_path, change, why):
    """Rules 5.11 to 5.13, 24.2."""
    assert why in faults(tmp_path, files, change)


def test_a_reveal_a_day_later_delays_the_day_of_opening(files, tmp_path):
    """Rule 3.10."""
    until = cast.CLOSES + timedelta(days=2)
    found = faults(tmp_path, files, lambda f: finalise(f, until, opened_until=canonical.instant(until)))
    assert "opened_until" not in found
    assert "before the day of opening" not in found
