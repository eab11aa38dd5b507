"""Lighthouse scores of the most visited pages, on its simulated phone.

Lighthouse comes from npm on the first run; the browser is the one that the tests use.
"""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import Any

from bench.figures import Figure
from bench.site.services import free_port
from tooling.folders import ROOT, data_folder, private_folder
from tooling.processes import Child, stop_children, wait_for
from tooling.site import Address, is_healthy, web_command
from tooling.suites import find_browser, test_environment
from tooling.terminal import Problem, cause

# 12.6.1 is the last version that runs on Node.js 20.
LIGHTHOUSE = "lighthouse@12.6.1"
CATEGORIES = {"performance": 95, "accessibility": 100, "best-practices": 100, "seo": 100}
RUNS = 3
# On a busy machine a browser sometimes records nothing, and Lighthouse asks to be run again.
TRIES = 3
FLAGS = "--headless=new --no-sandbox --disable-gpu --disable-background-networking --disable-component-update"

# Load the data of the pages, and print the pages to measure.
PREPARE = """
import django, json
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0, interactive=False)
from contest.models import Submission
from tests.browser import whole_site
site = whole_site.load()
shown = Submission.objects.filter(round__number=site.final, verdict="accepted").latest("moves")
print(json.dumps({
    "home": "/en/",
    "round": f"/en/rounds/{site.open}/",
    "standings": f"/en/rounds/{site.final}/main/moves/",
    "level": f"/en/rounds/{site.open}/main/",
    "player": f"/en/rounds/{site.open}/main/play/",
    "library": "/en/levels/",
    "results": f"/en/rounds/{site.final}/results/",
    "klotski": "/zh-hans/lab/klotski/",
    "replay": f"/en/rounds/{site.final}/replays/{shown.number}/",
    "help": "/en/help/",
}))
"""


def measure() -> Iterator[Figure]:
    """Yield each category of each page: the median of three runs, out of 100."""
    with contextlib.ExitStack() as stack:
        base, paths = _site(stack)
        program = _lighthouse()
        for name, path in paths.items():
            reports = [_report(program, base + path) for _ in range(RUNS)]
            for category, target in CATEGORIES.items():
                score = median(100 * (report["categories"][category]["score"] or 0) for report in reports)
                yield Figure(f"{name}, {category}", score, "", target=f"{target}", is_met=score >= target)
            paint, blocked = (
                median(report["audits"][audit]["numericValue"] for report in reports)
                for audit in ("largest-contentful-paint", "total-blocking-time")
            )
            yield Figure(f"{name}, largest paint", paint, "ms", target="1,500 ms", is_met=paint <= 1_500)
            yield Figure(f"{name}, blocked for", blocked, "ms", target="100 ms", is_met=blocked <= 100)


def _site(stack: contextlib.ExitStack) -> tuple[str, Mapping[str, str]]:
    scratch = private_folder()
    address = Address("127.0.0.1", free_port())
    env = test_environment(scratch) | {"DJANGO_SETTINGS_MODULE": "contest.settings"}
    env |= {"SITE_URL": f"http://{address}", "ALLOWED_HOSTS": "127.0.0.1,localhost"}
    prepared = subprocess.run(
        [sys.executable, "-c", PREPARE], env=env, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
    )
    web = Child("web", [sys.executable, *web_command(address)], env, scratch / "web.log")
    stack.callback(stop_children, [web])
    web.start()
    wait_for("The site", web, lambda: is_healthy(address, env), limit=60)
    return f"http://{address}", json.loads(prepared.stdout.splitlines()[-1])


def _lighthouse() -> Path:
    folder = data_folder() / "lighthouse"
    program = folder / "node_modules" / ".bin" / "lighthouse"
    if not program.exists():
        folder.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), LIGHTHOUSE]
        try:
            subprocess.run(command, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise Problem(f"Lighthouse could not be installed with npm: {error}") from None
    return program


def _report(program: Path, url: str) -> dict[str, Any]:
    chromium = find_browser()
    if chromium is None:
        raise Problem("There is no Chromium (apt-get install chromium, or set CHROMIUM).")
    command = [str(program), url, "--quiet", "--output=json", f"--chrome-flags={FLAGS}"]
    env = {**os.environ, "CHROME_PATH": chromium}
    for _ in range(TRIES):
        result = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        if not result.returncode:
            break
    else:
        raise Problem(f"Lighthouse found no way to {url}: {cause(result.stderr)}")
    report: dict[str, Any] = json.loads(result.stdout)
    return report
