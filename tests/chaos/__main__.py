"""The long form: `python3 dev.py chaos [--submissions N] [--kills N]`; ends with one line that says what was lost."""

import argparse
import sys
import time
from collections import Counter

from tests.chaos import disturbances, oracle, site, soak
from tests.chaos.disturbances import Disturbance, Lacking, Trial, people_meanwhile
from tests.chaos.senders import Refusal, sending
from tooling.folders import ROOT
from tooling.processes import Child, follow
from tooling.terminal import last_lines

# Of all kills and submissions, what the larger site bears.
ON_POSTGRES = 0.65
# How many times everything is killed at once, each time that comes round.
OFTEN = 20
HEALED_SECONDS = 10
EVERY = disturbances.ON_POSTGRES, disturbances.ON_ONE_BOX
NAMES = [one.__name__ for one in disturbances.ON_POSTGRES]


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="dev.py chaos", description=__doc__)
    parser.add_argument("--submissions", type=int, default=5_000, help="at least this many (5000)")
    parser.add_argument("--kills", type=int, default=60, help="at least this many (60)")
    parser.add_argument("--only", choices=NAMES, nargs="+", help="do these alone, until there is enough")
    parser.add_argument("--soak", type=float, metavar="SECONDS", help="disturb nothing, and see whose memory grows")
    wanted = parser.parse_args(words)
    if wanted.soak:
        return soak.run(wanted.soak)
    on_postgres = round(wanted.kills * ON_POSTGRES), round(wanted.submissions * ON_POSTGRES)
    on_one_box = wanted.kills - on_postgres[0], wanted.submissions - on_postgres[1]
    chosen = [tuple(one for one in every if one.__name__ in (wanted.only or NAMES)) for every in EVERY]
    counts = [
        _run("PostgreSQL and Redis", chosen[0], *on_postgres, postgres=True),
        _run("one box", chosen[1], *on_one_box, postgres=False),
    ]
    kills, submissions = (
        sum(numbers) for numbers in zip(*((one[0], one[1].submissions) for one in counts), strict=True)
    )
    lost, doubled = (sum(len(getattr(one[1], name)) for one in counts) for name in ("lost", "doubled"))
    print(f"kills {kills}, submissions {submissions}, lost {lost}, doubled {doubled}")
    return 0 if all(one[1].is_clean for one in counts) else 1


def _run(
    name: str, disturb: tuple[Disturbance, ...], kills: int, submissions: int, *, postgres: bool
) -> tuple[int, oracle.Count]:
    """Disturb one site over and over until there are enough of both, and stop at the first fault."""
    print(f"{name}: starting", flush=True)
    with site.running(postgres=postgres, beats=2) as running:
        trial = Trial(running, often=OFTEN, heals_within=HEALED_SECONDS)
        started, count = time.monotonic(), oracle.Count()
        while disturb and count.is_clean and (running.kills < kills or count.submissions < submissions):
            for one in disturb:
                count, retries = _disturb(trial, one)
                _say(f"{name}, {time.monotonic() - started:4.0f} s", one, trial, count, retries)
                if not count.is_clean:
                    break
        if audit := _audit(running):
            count.wrong.append(audit)
            print(audit)
        for ended, times in Counter(running.own_ends).items():
            print(f"{name}: ended by itself, {times} times: {ended}")
        print(
            f"{name}: everything judged at the latest {trial.slowest_healing:.1f} s after all parts were up", flush=True
        )
        return running.kills, count


def _disturb(trial: Trial, one: Disturbance) -> tuple[oracle.Count, int]:
    """Count after one disturbance, and say how often people had to send again."""
    try:
        with sending(trial.site.port, trial.kept, size=people_meanwhile(one), rest=0.03) as trial.crowd:
            one(trial)
        return trial.count(), trial.crowd.count("retries")
    except Lacking as lacking:
        print(f"not done: {one.__name__}: {lacking}")
        return trial.count(), 0
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
