"""The long form: `python3 dev.py chaos [--submissions N] [--kills N]`; ends with one line that says what was lost."""

import argparse
import sys
import time

from tests.chaos import disturbances, oracle, site
from tests.chaos.disturbances import Disturbance, Trial
from tests.chaos.senders import Refusal, sending
from tooling.folders import ROOT
from tooling.processes import Child, follow
from tooling.terminal import last_lines

# Of all kills and submissions, what the larger site bears.
ON_POSTGRES = 0.65


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="dev.py chaos", description=__doc__)
    parser.add_argument("--submissions", type=int, default=5_000, help="at least this many (5000)")
    parser.add_argument("--kills", type=int, default=60, help="at least this many (60)")
    wanted = parser.parse_args(words)
    on_postgres = round(wanted.kills * ON_POSTGRES), round(wanted.submissions * ON_POSTGRES)
    on_one_box = wanted.kills - on_postgres[0], wanted.submissions - on_postgres[1]
    counts = [
        _run("PostgreSQL and Redis", disturbances.ON_POSTGRES, *on_postgres, postgres=True, beats=2),
        _run("one box", disturbances.ON_ONE_BOX, *on_one_box, postgres=False),
    ]
    kills, submissions = (
        sum(numbers) for numbers in zip(*((one[0], one[1].submissions) for one in counts), strict=True)
    )
    lost, doubled = (sum(len(getattr(one[1], name)) for one in counts) for name in ("lost", "doubled"))
    print(f"kills {kills}, submissions {submissions}, lost {lost}, doubled {doubled}")
    return 0 if all(one[1].is_clean for one in counts) else 1


def _run(
    name: str, disturb: tuple[Disturbance, ...], kills: int, submissions: int, *, postgres: bool, beats: int = 1
) -> tuple[int, oracle.Count]:
    """Disturb one site over and over until there are enough of both, and stop at the first fault."""
    print(f"{name}: starting", flush=True)
    with site.running(postgres=postgres, beats=beats) as running:
        trial, started, count = Trial(running), time.monotonic(), oracle.Count()
        while count.is_clean and (running.kills < kills or count.submissions < submissions):
            for one in disturb:
                count, retries = _disturb(trial, one)
                _say(f"{name}, {time.monotonic() - started:4.0f} s", one, trial, count, retries)
                if not count.is_clean:
                    break
        if audit := _audit(running):
            count.wrong.append(audit)
            print(audit)
        for ended in running.own_ends:
            print(f"{name}: ended by itself: {ended}")
        print(
            f"{name}: everything judged at the latest {trial.slowest_healing:.1f} s after all parts were up", flush=True
        )
        return running.kills, count


def _disturb(trial: Trial, one: Disturbance) -> tuple[oracle.Count, int]:
    """Count after one disturbance, and say how often people had to send again."""
    try:
        with sending(trial.site.port, trial.kept, size=8, rest=0.03) as crowd:
            one(trial)
        return trial.count(), crowd.retries
    except (AssertionError, Refusal) as trouble:
        return oracle.Count(len(trial.kept), wrong=[str(trouble)]), 0


def _say(where: str, done: Disturbance, trial: Trial, count: oracle.Count, retries: int) -> None:
    print(f"{where}: {done.__name__:32} kills {trial.site.kills:3}, retries {retries:4}, {count}", flush=True)


def _audit(running: site.Site) -> str:
    """What the site's own audit finds; "" if it finds nothing."""
    log = running.folder / "audit.log"
    audit = Child("audit", [sys.executable, "manage.py", "audit", "--replay"], running.env, log, ROOT)
    return f"audit:\n{last_lines(log)}" if follow(audit, limit=300) else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
