from datetime import timedelta

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection

from contest import models
from contest.archive.imports import jobs
from contest.celery import tasks
from contest.infra import clock
from contest.outreach import events
from contest.players import claims, entering
from tests import cast, old_club
from tests.desk.conftest import member, signed_in
from tests.sizes import cases

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("after_round")]
GUIDE = "/en/desk/rounds/guide/"
# What an import and its undo leave: the log, the report, the draft; sessions are the test's.
_RECORDS = {"AuditEntry", "RoundImport", "ImportDraft", "Session"}


def step(client, name: str, do: str, files: dict[str, bytes] | None = None, **fields):
    chosen = [SimpleUploadedFile(file, content) for file, content in (files or {}).items()]
    return client.post(f"{GUIDE}{name}/", {"do": do, **fields, **({"chosen": chosen} if chosen else {})}, follow=True)


def bring(client, count: int = 3, results: int = 5):
    rounds = old_club.published(count, results)
    tables = {"rounds.csv": old_club.rounds_table(rounds), "结果.csv": old_club.results_table(rounds)}
    step(client, "tables", "add", tables)
    step(client, "levels", "add", pasted=old_club.levels_file(rounds))
    for name in old_club.PEOPLE[1:3]:
        if name.strip() in client.get(f"{GUIDE}names/").text:
            step(client, "names", "names", **{"name-0": name, "other-0": "Zhang San"})
    return rounds


def decide(client, do: str):
    page = client.post(f"/en/desk/rounds/bring/{models.RoundImport.objects.latest('pk').pk}/", {"do": do}, follow=True)
    tasks.import_rounds()
    return page


def imported(client, **size: int):
    rounds = bring(client, **size)
    step(client, "check", "check")
    tasks.import_rounds()
    decide(client, "apply")
    assert models.RoundImport.objects.latest("pk").state == "done"
    return rounds


def page_of_import(client):
    return client.get(f"/en/desk/rounds/bring/{models.RoundImport.objects.latest('pk').pk}/")


def stored() -> dict[str, list[dict]]:
    tables = (model for model in apps.get_models() if model.__name__ not in _RECORDS)
    rows = {model.__name__: list(model._base_manager.order_by("pk").values()) for model in tables}
    # The newest number of an event stays in use. Ratings are computed again, as new rows.
    rows["Event"] = [row for row in rows["Event"] if row["round_id"] or row["submission_id"]]
    return rows | {"Rating": [{**row, "id": None} for row in rows["Rating"]]}


def an_older_import(client) -> None:
    rounds = b"id,begin,end\n1000,2025-01-01 20:00,2025-01-22 20:00\n"
    results = b"id,label,time,name,move,push\n1000,main,2025-01-03,Bo,9,1\n1000,main,2025-01-02,Ann,8,1\n"
    step(client, "tables", "add", {"rounds.csv": rounds, "results.csv": results})
    step(client, "levels", "add", pasted=f"{cast.CORRIDOR.replace('|', chr(10))}\nTitle: Round 1000\n")
    step(client, "check", "check")
    decide(client, "apply")
    step(client, "check", "delete")


@pytest.mark.postgres
def test_an_import_updates_the_statistics_of_postgresql(organiser):
    imported(organiser)
    with connection.cursor() as cursor:
        cursor.execute("SELECT reltuples FROM pg_class WHERE relname = %s", [models.Submission._meta.db_table])
        assert cursor.fetchone() == (models.Submission.objects.count(),)


@pytest.mark.parametrize(("count", "results"), cases([(4, 5)], [(219, 6)]))
def test_a_club_moves_in_and_out_again(organiser, count, results):
    an_older_import(organiser)
    events.record_events(clock.now())
    before = stored()
    rounds = imported(organiser, count=count, results=results)
    sent = sorted((row["move"], row["push"]) for one in rounds for row in one["submission"])
    brought = models.Round.objects.exclude(number=1000)
    assert sorted(models.Submission.objects.filter(round__in=brought).values_list("moves", "pushes")) == sent
    with_moves = sum(bool(row["lurd"]) for one in rounds for row in one["submission"])
    replayed = models.Verification.objects.exclude(outcome__why="not_replayed")
    assert (brought.count(), replayed.count()) == (count, with_moves)
    winners = {
        row.round.number: row.player.nickname for row in models.Placing.objects.filter(round__in=brought, is_mmc=True)
    }
    assert winners == {one["id"]: winner(one) for one in rounds}
    spelt = sum(row["name"] in old_club.PEOPLE[:3] for one in rounds for row in one["submission"])
    assert models.Player.objects.get(nickname="Zhang San").submissions.count() == spelt
    assert stored()["Rating"][:2] != before["Rating"]
    events.record_events(clock.now())
    newest = events.last_number()
    decide(organiser, "undo")
    assert (stored(), events.last_number()) == (before, newest), "no number of an event is given again"
    assert models.AuditEntry.objects.filter(act="undo import").count() == count
    step(organiser, "check", "check")
    tasks.import_rounds()
    assert "Import them" in page_of_import(organiser).text


def winner(published: dict) -> str:
    row = min(published["submission"], key=lambda row: (row["move"], row["time"]))
    return "Zhang San" if row["name"] in old_club.PEOPLE[:3] else row["name"]


def test_what_rests_on_an_import_blocks_its_undo_by_name(organiser):
    imported(organiser, count=2, results=4)
    before = stored()
    player = models.Player.objects.get(nickname="Zhang San")
    models.Comment.objects.create(
        level=models.Level.objects.get(round__number=2), player=player, text="!", written_at=cast.AFTER
    )
    claims.take_link(claims.link_token(player, cast.AFTER), cast.AFTER)
    refused = decide(organiser, "undo")
    assert all(reason in refused.text for reason in ("Round 2: comments (1).", "Zhang San has an owner now"))
    models.Comment.objects.all().delete()
    models.Player.objects.filter(pk=player.pk).update(is_imported=True, claim_sha256="", reclaimed_at=None)
    assert stored() == before
    decide(organiser, "undo")
    assert not models.Round.objects.exists()
    assert "The log names no round" in decide(organiser, "undo").text


def test_a_table_with_faults_names_its_lines_and_columns(organiser):
    rounds = "期号;开始时间;结束时间;备注\n第1期;2010/5/1 20:00;2010/5/22 20:00;x\n2;May;2010-6-22;\n".encode("gb18030")
    page = step(organiser, "tables", "add", {"期次.csv": rounds, "r.csv": b"round,player,moves,time\n"}).context
    assert page["notes"] == ["期次.csv: the column '备注' is not known."]
    assert page["faults"] == [
        "期次.csv, row 3, opens_at: 'May' is not a time such as 2010-05-01 20:00.",
        "r.csv: the column pushes is missing.",
        "r.csv: the column slot is missing.",
    ]
    assert "There is no table of rounds yet" in step(organiser, "tables", "x", remove="期次.csv").text
    workbook = step(organiser, "tables", "add", {"all.xlsx": b"PK\3\4"})
    assert (workbook.status_code, "Save each of its sheets as CSV" in workbook.text) == (422, True)


def test_levels_are_put_into_rounds_by_file_title_or_hand_and_the_rest_is_listed(organiser):
    rounds = old_club.published(3, 2)
    step(organiser, "tables", "add", {"r.csv": old_club.rounds_table(rounds), "s.csv": old_club.results_table(rounds)})
    boards = [one["main"]["level"].replace("|", "\n") for one in rounds]
    files = {"02-extra.xsb": boards[0].encode(), "2.xsb": boards[1].encode(), "notes.txt": b"Nothing here"}
    page = step(organiser, "levels", "add", files, pasted=f"{boards[2]}\nTitle: Corridor\n").context
    placed = [(level.round, level.slot, level.file) for level in page["levels"]]
    assert placed == [(2, "extra", "02-extra.xsb"), (2, "main", "2.xsb")]
    assert page["faults"] == ["notes.txt contains no level."]
    assert page["missing"] == [f"Round {number} has no level: Main." for number in (1, 3)]
    (unused,) = page["plan"].unused
    page = step(organiser, "levels", "assign", **{"level-1": unused.key, "round-1": "3", "slot-1": "main"}).context
    assert (page["plan"].unused, list(page["plan"].missing)) == ([], [1])
    step(organiser, "levels", "leave-out", leaves_out="on")
    step(organiser, "check", "check")
    assert [row["number"] for row in models.RoundImport.objects.get().rounds] == [2, 3]


def test_old_results_are_never_joined_with_a_name_that_has_an_owner(organiser):
    entering.create("Bo", country="", email="", at=cast.OPENS)
    bring(organiser)
    assert [name.nickname for name in organiser.get(f"{GUIDE}names/").context["undecided"]] == ["Bo"]
    refused = step(organiser, "names", "names", **{"name-1": "Zhang San", "other-1": "bo"})
    assert (refused.status_code, "Choose another name" in refused.text) == (422, True)
    step(organiser, "check", "check")
    assert "belongs to a player of this site" in models.RoundImport.objects.latest("pk").faults[0]
    step(organiser, "names", "names", **{"name-1": "Bo", "other-1": "Bo (old)"})
    step(organiser, "check", "check")
    decide(organiser, "apply")
    assert models.Player.objects.get(nickname="Bo (old)").is_imported


def test_a_solution_that_disagrees_is_named_and_its_result_imported_as_published(organiser):
    rounds = old_club.published(1, 2)
    for row in rounds[0]["submission"]:
        row |= {"move": 9, "lurd": "rrrR"}
    step(organiser, "tables", "add", {"r.csv": old_club.rounds_table(rounds), "s.csv": old_club.results_table(rounds)})
    step(organiser, "levels", "add", pasted=old_club.levels_file(rounds))
    page = step(organiser, "check", "check")
    assert page.context["sums"]["remarks"] == 2
    assert "s.csv, row 2, moves: the replay has 2 moves, 1 push." in page.text


def test_a_draft_is_continued_on_another_machine_and_deleted_long_after(organiser):
    bring(organiser)
    again = signed_in(models.ImportDraft.objects.get().owner).get(f"{GUIDE}check/")
    assert (len(again.context["found"].rounds), again.context["results"], again.context["lacks"]) == (3, 15, 0)
    stranger = signed_in(member("organiser", "other")).get(f"{GUIDE}check/")
    assert not stranger.context["found"].rounds
    jobs.forget_old(cast.AFTER + timedelta(days=91))
    assert not models.ImportDraft.objects.exists()


def test_solutions_beside_levels_are_shown_and_kept_with_the_levels(organiser):
    """As of YASC and of SOK files; the results of the round have no moves."""
    rounds = b"id,begin,end\n7,2010-01-01 20:00,2010-01-22 20:00\n"
    results = b"id,label,time,name,move,push\n7,main,2010-01-02,Ann,4,1\n"
    step(organiser, "tables", "add", {"rounds.csv": rounds, "results.csv": results})
    levels_and_slots = ((cast.CORRIDOR, "main"), (cast.CORNER, "extra"))
    boards = (f"{board}\n\nTitle: Round 7 {slot}\n".replace("|", "\n") for board, slot in levels_and_slots)
    levels = "\n".join(f"{board}Solution/Moves 2\n{lurd}\n" for board, lurd in zip(boards, ("rR", "rD"), strict=True))
    shown = step(organiser, "levels", "add", pasted=levels).text
    assert "with a solution: 1" in shown
    assert "its solution does not solve it" in shown
    step(organiser, "check", "check")
    checked = page_of_import(organiser).text
    assert "levels with a solution in their file: 1" in checked
    assert "the solution beside the level extra does not solve it" in checked
    decide(organiser, "apply")
    assert dict(models.Level.objects.values_list("slot", "solution")) == {"main": "rR", "extra": ""}
    decide(organiser, "undo")
    assert not models.Level.objects.exists()
