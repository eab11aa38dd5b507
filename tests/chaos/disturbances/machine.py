"""What is done to the machine: its disk, its open files, its power; and what operators do while people send."""

import psycopg

from tests.chaos import oracle
from tests.chaos.disk import LACKING
from tests.chaos.disturbances.trial import Lacking, Trial, goes_on
from tests.chaos.senders import Kept, Order, new_name

# So many answers that everybody has met the trouble, and some twice.
IN_TROUBLE = 20


def fill_the_disk(trial: Trial) -> None:
    """Leave no byte of the disk free: who gets a receipt all the same keeps it, and the operator is told."""
    disk = _own_disk(trial)
    with disk.full():
        trial.site.wait_until("the operator is told that the disk is full", lambda: not _is_ready(trial, "disk"))
        trial.let_people_try(IN_TROUBLE)
    trial.site.wait_until("the disk is called well again", lambda: _is_ready(trial, "disk"))


def close_the_disk(trial: Trial) -> None:
    """Start everything on a disk that nobody may write to; when it is opened again, nobody has to do anything."""
    disk = _own_disk(trial)
    with disk.read_only():
        trial.site.kill_all(trial.site.parts)
        trial.site.wait_until("the operator is told", lambda: not all(trial.site.readiness().values() or [False]))
        trial.let_people_try(IN_TROUBLE)
    trial.site.wait_until("everything is up again", trial.site.is_all_up)


def _own_disk(trial: Trial):
    if not trial.site.disk.is_own:
        raise Lacking(LACKING)
    return trial.site.disk


def _is_ready(trial: Trial, part: str) -> bool:
    return trial.site.readiness().get(part, False)


def take_every_file(trial: Trial) -> None:
    """Let web server and judges open nothing more: no file, no connection."""
    trial.site.wait_until("everything is up", trial.site.is_all_up)
    with trial.site.out_of_files("web", *trial.site.judges()):
        trial.let_people_try(IN_TROUBLE)
    goes_on(trial, "with files again")


def kill_everything(trial: Trial) -> None:
    """Kill every process at once in mid-write, as a power cut does, and again when all are up."""
    for _ in range(2):
        trial.site.carry_out("stall while recording")
        trial.site.kill_all(trial.site.parts)
        trial.site.wait_until("everything is up again", trial.site.is_all_up)


def migrate_while_serving(trial: Trial) -> None:
    """Change the table that people send to, and hold it for seconds, back and forth."""
    for target in ("zero", "0001"):
        trial.site.manage("migrate", "later", target)


def back_up_and_restore(trial: Trial) -> None:
    """Save while people send; what was stored before is in the backup once, and is judged where it is restored."""
    site = trial.site
    before = {row["receipt_id"] for row in oracle.read(site.database, "SELECT receipt_id FROM contest_submission")}
    name = f"restored-{new_name()}"
    file = site.folder / f"{name}.zip"
    site.manage("backup", str(file))
    database, url = _empty_database(trial, name)
    site.manage("restore", str(file), DATABASE_URL=url)
    restored = {row["receipt_id"] for row in oracle.read(database, "SELECT receipt_id FROM contest_submission")}
    if lost := before - restored:
        raise AssertionError(f"{len(lost)} submissions from before the backup are not in it")
    rows = oracle.read(site.database, "SELECT receipt_id, number, sha256, received_at, text FROM contest_submission")
    kept = [_as_kept(row) for row in rows if row["receipt_id"] in restored]
    held = [id_ for id_ in trial.held if id_ in restored]

    def is_judged() -> bool:
        # The receipt chain waits at a number that nobody has until every transaction that may still use it has ended.
        site.manage("sweep", DATABASE_URL=url)
        return not oracle.faults(database, kept, held)

    site.wait_until("the restored database has all of it, once", is_judged)
    site.manage("audit", "--replay", DATABASE_URL=url)


def _as_kept(row: dict) -> Kept:
    receipt = {"id": row["receipt_id"], "number": row["number"], "sha256": row["sha256"]}
    receipt["received_at"] = oracle.as_shown(row["received_at"])
    return Kept(Order("", bytes(row["text"]).decode()), receipt)


def _empty_database(trial: Trial, name: str) -> tuple[str, str]:
    """What the oracle reads it by, and its address."""
    address = trial.site.database
    if not address.startswith("postgres"):
        path = str(trial.site.folder / f"{name}.sqlite3")
        return path, f"sqlite:///{path}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    return (made := address.replace("/postgres?", f"/{name}?")), made
