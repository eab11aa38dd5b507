"""Archives of rounds with sealed answers: written, verified, forged, imported on another site."""

import base64
import json
from collections.abc import Callable
from datetime import timedelta

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
from tests.contest.archive.conftest import build_once, differences, pack
from tests.contest.archive.test_writer import packed, unpacked

pytestmark = pytest.mark.django_db
SOON = cast.CLOSES + timedelta(hours=2)
LATER = cast.CLOSES + timedelta(days=1, minutes=5)


def play(*, finalise: bool = True, **settings) -> None:
    """Ann opens her sealed answer, which Bo sent openly in the meantime; Cy opens nothing."""
    with clock.set_to(cast.DURING):
        round_ = cast.a_round()
        round_.settings |= {"sealed_answers": True, **settings}
        round_.save()
        texts = [vouch(name, salt) for name, salt in (("Ann", "a" * 32), ("Cy", "c" * 32))]
        chain()
    with clock.set_to(cast.DURING + timedelta(hours=1)):
        cast.send("Bo", "rR")
        judging.judge_until_empty()
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


def made() -> dict[str, bytes]:
    play()
    with clock.set_to(LATER):
        return unpacked(packed())


@pytest.fixture
def files():
    return build_once("sealed", made)


def lines(files, name) -> list[dict]:
    return [json.loads(line) for line in files[name].splitlines()]


def test_the_archive_lists_every_sealed_answer_and_verifies(files, tmp_path):
    """Rules 5.12, 5.13, 24.1, 24.2."""
    report = verify.verify(pack(tmp_path, files))
    assert report.differences == []
    assert (report.format, report.sealed, report.opened, report.replayed, report.bare) == (4, 2, 1, 2, 0)
    ann, cy = lines(files, archived.SEALED)
    opened = next(row for row in lines(files, archived.SUBMISSIONS) if row["number"] == ann["submission"])
    assert (ann["received_at"], opened["received_at"]) == (canonical.instant(cast.DURING),) * 2
    assert ann["opened_at"] == canonical.instant(SOON)
    assert (opened["sha256"], opened["lurd"]) == (ann["sha256"], "rR")
    assert base64.b64decode(opened["text"]).startswith(b"leitai-sealed-1\n1/main\n")
    assert (cy["opened_at"], cy["submission"]) == (None, None)
    ranked = json.loads(files[archived.BOARDS])["contest"]["human"]["main"]["moves"]
    assert [row["number"] for row in ranked] == [ann["submission"], ann["submission"] - 1]


def test_names_are_in_no_hashed_file_and_can_be_erased(tmp_path):
    """Rule 15.6."""
    files = made()
    before = {name: data for name, data in files.items() if name in archived.HASHED[4]}
    assert not any(b"Ann" in data or b"Cy" in data for data in before.values())
    for player in Player.objects.all():
        acts.erase(player, None)
    with clock.set_to(LATER):
        after = unpacked(packed())
    assert {name: after[name] for name in before} == before
    assert after[archived.PLAYERS] != files[archived.PLAYERS]
    assert verify.verify(pack(tmp_path, after)).differences == []


def test_sealed_answers_without_published_moves_verify_without_texts(tmp_path):
    """Rules 7.3, 24.1."""
    play(solutions_public="never")
    with clock.set_to(LATER):
        files = unpacked(packed())
    report = verify.verify(pack(tmp_path, files))
    assert (report.differences, report.opened, report.not_published) == ([], 1, 2)
    assert all(row["text"] is None for row in lines(files, archived.SUBMISSIONS))


# Forgeries


Forge = Callable[[dict], None]


def changed(name: str, place: int, *, is_relinked: bool = False, **facts) -> Forge:
    """Change a line of a file. With *is_relinked* its leaf is recomputed, which is then missing from the chain."""

    def forge(files):
        rows = lines(files, name)
        row = rows[place] = rows[place] | facts
        if is_relinked:
            document = [row[name] for name in ("slot", "number", "received_at", "moves", "pushes", "sha256", "sent_as")]
            row["leaf"] = canonical.sealed_leaf(1, *document)
        write(files, name, rows)

    return forge


def answer(**facts) -> Forge:
    """Change facts of the first answer."""
    return changed(archived.SEALED, 0, **facts)


def about(**facts) -> Forge:
    """Change facts of the round."""

    def forge(files):
        document = json.loads(files[archived.ROUND]) | facts
        if "finalised_at" in facts:
            document["revisions"][0]["made_at"] = facts["finalised_at"]
        files[archived.ROUND] = canonical.json_page(document).encode()

    return forge


def write(files, name, rows) -> None:
    files[name] = "".join(canonical.json_line(row) + "\n" for row in rows).encode()


def with_a_duplicate(files) -> None:
    first, second = lines(files, archived.SEALED)
    again = {name: first[name] for name in ("submission", "opened_at")}
    write(files, archived.SEALED, [first, second | again])


def with_another_text(files) -> None:
    rows = lines(files, archived.SUBMISSIONS)
    text = base64.b64decode(rows[1]["text"])
    assert text.startswith(b"leitai-sealed-1")
    rows[1]["text"] = base64.b64encode(text.replace(b"1/main", b"1/extra")).decode()
    write(files, archived.SUBMISSIONS, rows)


@pytest.mark.parametrize(
    ("forge", "why"),
    [
        (answer(moves=1), "does not open its leaf"),
        (answer(sha256="0" * 64), "does not open its leaf"),
        (answer(sent_as=1), "does not open its leaf"),
        (answer(moves=1, is_relinked=True), "its leaf is not in the chain"),
        (answer(pushes=3, is_relinked=True), "has 3 pushes in 2 moves"),
        (answer(slot="extra2", is_relinked=True), "there is no level extra2"),
        (answer(received_at=canonical.instant(cast.CLOSES), is_relinked=True), "when the round was not open"),
        (answer(received_at=canonical.instant(cast.OPENS), is_relinked=True), "has another received_at"),
        (answer(opened_at=canonical.instant(cast.CLOSES + timedelta(days=1))), "not in the day after the reveal"),
        (answer(opened_at=None), "became a submission and was not opened"),
        (answer(submission=99), "there is no submission 99"),
        (answer(player=5), "has another player"),
        (with_a_duplicate, "became a submission that another one became"),
        (
            about(opened_until=canonical.instant(cast.CLOSES + timedelta(days=3))),
            "opened_until is no day after the reveal",
        ),
        (about(finalised_at=canonical.instant(SOON)), "became final before the day of opening was over"),
        (changed(archived.SUBMISSIONS, 1, lurd="rlrR", moves=4), "has other moves than its text"),
        (with_another_text, "was sealed for another round, level or player"),
    ],
)
def test_forged_sealed_answers_are_reported(files, tmp_path, forge, why):
    """Rules 5.11 to 5.13, 24.2."""
    forge(files)
    assert why in " ".join(differences(tmp_path, files, is_rehashed=True))


@pytest.mark.parametrize("kept", [slice(1, None), slice(1)])
def test_an_omitted_answer_is_missing_in_the_closings(files, tmp_path, kept):
    """Rules 5.12, 24.2: a closing binds how many were sealed, and which of them were opened."""
    write(files, archived.SEALED, lines(files, archived.SEALED)[kept])
    found = " ".join(differences(tmp_path, files, is_rehashed=True))
    assert "binds 2 sealed answers; before it stand 1" in found


def test_an_opened_answer_listed_as_unopened_is_detected(files, tmp_path):
    """Rules 5.13, 24.2: even if its submission is left out."""
    answer(opened_at=None, submission=None)(files)
    write(files, archived.SUBMISSIONS, lines(files, archived.SUBMISSIONS)[:1])
    found = " ".join(differences(tmp_path, files, is_rehashed=True))
    assert "binds 1 opened sealed answers" in found
