"""`dev.py test` and the other runs of tests: which there are, and what each needs of the machine."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from tooling.apt import apt_install
from tooling.environment import CONTRACT, DEV, PYTHON, plain_environment, prepare
from tooling.folders import ROOT, private_folder
from tooling.postgres import postgres_programs, started_postgres
from tooling.processes import answers
from tooling.redis import started_redis
from tooling.reports import Report, Suite
from tooling.terminal import Problem, say

BROWSER_TESTS = "tests/browser"
# What a short run asks of Django alone.
PLAIN = [
    "tests/api/test_batches.py",
    "tests/api/test_rounds.py",
    "tests/api/test_submissions.py",
    "tests/contest/judging",
    "tests/legacy",
    "tests/web/play/test_entering.py",
    "tests/web/shell",
]
SHELL = "chromium-headless-shell"  # Debian's name of the package and of the program
LIMIT = 2_400  # seconds for one suite: more than the longest takes on a slow machine


def read_options(words: list[str]) -> tuple[bool, float] | None:
    """Read whether the run is exhaustive and the limit of a suite in seconds; return None for any other *words*.

    >>> read_options([]), read_options(["--limit", "0", "--exhaustive"]), read_options(["--limit", "soon"])
    ((False, 2400), (True, 0), None)
    """
    is_exhaustive, limit = False, LIMIT
    rest = iter(words)
    for word in rest:
        if word == "--exhaustive":
            is_exhaustive = True
        elif word == "--limit" and (seconds := next(rest, "")).isdecimal():
            limit = int(seconds)
        else:
            return None
    return is_exhaustive, limit


def test(extra: list[str], *, exhaustive: bool, limit: float) -> int:
    """Run every check and every suite in the size asked for, the quick ones first, and add up."""
    prepare(DEV)
    install_what_is_lacking()
    if exhaustive:  # in random order, whose seed pytest prints
        extra = ["--exhaustive", "-p", "randomly", *extra]
    lacks_fail = os.environ.get("REQUIRE_E2E") == "1" or os.environ.get("CI") == "true"
    report = Report(lacks_fail=lacks_fail, limit=limit)
    with contextlib.ExitStack() as stack:
        scratch = private_folder()
        scratch.chmod(0o711)  # the database runs as another user and has its folder inside
        stack.callback(shutil.rmtree, scratch, ignore_errors=True)
        env = test_environment(scratch)
        mypy, *others = checks(env)
        # It takes longer than all the others and keeps one core busy; the rules in Node keep the other.
        with report.beside(mypy, scratch / "mypy.log"):
            for check in others:
                report.run(check)
            player_tests(report, env, scratch)
            report.run(kernels(env))
        try:
            env["REDIS_URL"] = started_redis(scratch, stack)
        except Problem as problem:
            report.lack("Redis", str(problem))
        # Whatever needs PostgreSQL, a browser or the whole machine has its own run.
        marks, words = "not browser and not postgres and not chaos", ["-n", "2"]
        sqlite = pytest_suite("pytest on SQLite", scratch / "sqlite.xml", marks, env, [*words, *extra])
        # The chaos suite uses its own servers and mostly waits.
        with report.beside(chaos_suite(env, scratch, extra), scratch / "chaos.log"):
            report.run(sqlite)
        report.run(plain_suite(env, scratch, extra))
        postgres_tests(report, env, scratch, stack, extra)
        browser_tests(report, env, scratch, extra)
    return report.close()


def lint() -> int:
    """Run the checks alone."""
    prepare(DEV)
    report = Report(lacks_fail=True)
    with contextlib.ExitStack() as stack:
        scratch = private_folder()
        stack.callback(shutil.rmtree, scratch, ignore_errors=True)
        for check in checks(test_environment(scratch)):
            report.run(check)
    return report.close()


def test_environment(scratch: Path) -> dict[str, str]:
    """Return an environment that cannot reach what a developer's variables point to.

    Whatever is compiled is kept: hundreds of processes of a run import the site, and each worker rewrites the tests.
    """
    unwanted = {*CONTRACT, "PYTHONDONTWRITEBYTECODE"}
    env = {name: value for name, value in plain_environment().items() if name not in unwanted}
    (scratch / "data").mkdir()
    return env | {
        "DATA_DIR": str(scratch / "data"),
        "DATABASE_URL": f"sqlite:///{scratch}/data/db.sqlite3",
        "REDIS_URL": f"unix://{scratch}/data/redis.sock",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "EMBEDDED": "1",
    }


def production_environment(env: dict[str, str]) -> dict[str, str]:
    """Return what a production server is given, to check the settings it makes."""
    production = {
        "DATABASE_URL": "postgres://leitai@localhost/leitai",
        "REDIS_URL": "redis://localhost:6379",
        "ALLOWED_HOSTS": "leitai.example",
        "SITE_URL": "https://leitai.example",
        "BEHIND_PROXY": "1",
        "TRUSTED_PROXIES": "10.0.0.5",
    }
    return {name: value for name, value in env.items() if name != "EMBEDDED"} | production


def checks(env: dict[str, str]) -> list[Suite]:
    """Return what looks at the code without running it, the slowest first."""
    lint_imports = "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"
    commands: dict[str, list[str]] = {
        "mypy": ["-m", "mypy"],
        "ruff check": ["-m", "ruff", "check", "."],
        "ruff format": ["-m", "ruff", "format", "--check", "."],
        "djlint": ["-m", "djlint", "templates", "--lint", "--quiet"],
        "import-linter": ["-c", lint_imports],
        "house rules": ["-m", "tooling.lint.house_rules"],
        "client in step": ["-m", "tooling.sync_client", "--check"],
        "migrations in step": ["manage.py", "makemigrations", "--check", "--dry-run"],
        "check --deploy": ["manage.py", "check", "--deploy", "--fail-level", "WARNING"],
    }
    envs = {"check --deploy": production_environment(env)}
    return [Suite(title, [str(PYTHON), *words], envs.get(title, env)) for title, words in commands.items()]


def kernels(env: dict[str, str]) -> Suite:
    """Return what compiles the solver's kernels: else a test does, beside all others."""
    return Suite("kernels", [str(PYTHON), "-m", "solvers.sokoban.solving.loading"], env)


def pytest_suite(title: str, report: Path, marks: str, env: dict[str, str], extra: list[str]) -> Suite:
    slowest = ["--durations=10", "--durations-min=1"]
    command = [str(PYTHON), "-m", "pytest", "-q", "-m", marks, *slowest, f"--junitxml={report}", *extra]
    return Suite(title, command, dict(env), report)


def plain_suite(env: dict[str, str], scratch: Path, extra: list[str]) -> Suite:
    """Return the tests of doors, judging and pages with `FAST_PATHS_OFF`; if exhaustive, all that SQLite runs."""
    marks = "not fast_paths and not browser and not postgres and not chaos"
    plain, folders = env | {"FAST_PATHS_OFF": "all"}, [] if "--exhaustive" in extra else PLAIN
    return pytest_suite("without fast paths", scratch / "plain.xml", marks, plain, ["-n", "2", *extra, *folders])


def postgres_tests(
    report: Report, env: dict[str, str], scratch: Path, stack: contextlib.ExitStack, extra: list[str]
) -> None:
    """Run the site's tests again on PostgreSQL and Redis, but for what no database changes.

    That is the examples of the code, the puzzles and the crawl, by their folders, and whatever tests/databases.py finds
    to be the same.
    """
    title = "pytest on PostgreSQL and Redis"
    if not Path(env["REDIS_URL"].removeprefix("unix://")).exists():
        report.lack(title, "no Redis server")
        return
    try:
        url = started_postgres(scratch, stack)
    except Problem as problem:
        report.lack(title, str(problem))
        return
    env = env | {"DATABASE_URL": url}
    report.run(Suite("migrations on PostgreSQL", [str(PYTHON), "manage.py", "migrate", "-v", "0"], env))
    elsewhere = [f"--ignore={folder}" for folder in ("contest", "solvers", "tests/solvers", "tests/leaks")]
    words = ["-n", "2", "--dist", "loadgroup", *elsewhere, *extra]
    report.run(
        pytest_suite(
            title, scratch / "postgres.xml", "not browser and not chaos", env | {"TEST_TEMPLATE": "leitai"}, words
        )
    )


def player_tests(report: Report, env: dict[str, str], scratch: Path) -> None:
    """Run the tests of the browser's JavaScript, which need no browser."""
    files = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("*.test.*js"))
    if not files:
        return
    if not has_node():
        report.lack("node --test", "no Node.js 18 or newer (apt-get install nodejs)")
        return
    tap = scratch / "node.tap"
    reporters = ["--test-reporter=dot", "--test-reporter-destination=stdout"]
    reporters += ["--test-reporter=tap", f"--test-reporter-destination={tap}"]
    report.run(Suite("node --test", ["node", "--test", *reporters, *files], env, tap))


def browser_tests(report: Report, env: dict[str, str], scratch: Path, extra: list[str]) -> None:
    """Drive the site in a real Chromium, from the folder of these tests: no worker need load the others."""
    chromium = browser()
    if chromium is None:
        report.lack("pytest in Chromium", "no Chromium (apt-get install chromium, or set CHROMIUM)")
        return
    env = env | {"CHROMIUM": chromium, "CHROMIUM_SHELL": browser_of_pages() or chromium}
    words = ["-n", "2", BROWSER_TESTS, *extra]
    report.run(pytest_suite("pytest in Chromium", scratch / "browser.xml", "browser", env, words))


def chaos_suite(env: dict[str, str], scratch: Path, extra: list[str]) -> Suite:
    """Return what kills the parts of two sites, side by side."""
    words = ["-n", "2", "--dist", "loadfile", "tests/chaos", *extra]
    return pytest_suite("chaos", scratch / "chaos.xml", "chaos", env, words)


def browser() -> str | None:
    """Return a Chromium that starts; some systems install a stub that does not."""
    given = os.environ.get("CHROMIUM")
    names = [given] if given else ["chromium", "chromium-browser", "google-chrome"]
    found = [path for path in map(shutil.which, names) if path]
    return next((path for path in found if answers([path, "--version"])), None)


def browser_of_pages() -> str | None:
    """Return a Chromium without windows and extensions, which shows pages for half the CPU, unless one is given."""
    shell = None if os.environ.get("CHROMIUM") else shutil.which(SHELL)
    return shell if shell and answers([shell, "--version"]) else browser()


def has_node() -> bool:
    """Whether there is a Node.js whose test runner can write two reports."""
    return answers(["node", "-e", "process.exit(process.versions.node.split('.')[0] < 18 ? 1 : 0)"])


def draws_chinese() -> bool:
    """Whether our own drawing finds a font for Chinese; fontconfig does not know which letters are drawn."""
    code = "from contest.rendering.share_cards import has_chinese as drawn; raise SystemExit(not drawn())"
    return answers(["env", f"PYTHONPATH={ROOT}", str(PYTHON), "-c", code])


def install_what_is_lacking() -> None:
    """Install the Debian packages that the tests need, in one go; or say which they are."""
    present = {
        "chromium": browser() is not None,
        "fonts-wqy-microhei": "FONT_FOLDERS" in os.environ or draws_chinese(),
        "redis-server": shutil.which("redis-server") is not None,
        "postgresql": postgres_programs() is not None,
        "nodejs": has_node(),
        "gettext": shutil.which("msgfmt") is not None,
    }
    lacking = [package for package, is_there in present.items() if not is_there]
    if lacking and not apt_install(lacking):
        say(f"Not installed: some tests need more. Try: sudo apt-get install {' '.join(lacking)}")
    # Not every system has it, and the tests of pages do without.
    if not shutil.which(SHELL) and answers(["apt-cache", "show", SHELL]):
        apt_install([SHELL])


def become(module: str, words: list[str]) -> int:
    """Become a *module* that runs in .venv: the measurements, the long form of the chaos tests."""
    prepare(DEV)
    os.chdir(ROOT)
    os.execve(PYTHON, [str(PYTHON), "-m", module, *words], plain_environment())


def fuzz_api() -> int:
    """Become the long form of tests/api/test_fuzz.py."""
    prepare(DEV)
    os.chdir(ROOT)
    words = ["-m", "pytest", "-q", "-s", "tests/api/test_fuzz.py"]
    os.execve(PYTHON, [str(PYTHON), *words], plain_environment() | {"FUZZ_CASES": "26000"})


def shots(folder: Path, extra: list[str]) -> int:
    """Take a picture of every page in both languages and themes at three widths, and say what is wrong with any."""
    code = take_pictures("tests/browser/test_every_page.py", "SHOTS", folder, extra)
    say(f"Pictures and contact sheets: {folder}")
    return code


def pictures() -> int:
    """Take the pictures of docs/organising.md anew, by walking through what it tells."""
    return take_pictures("tests/browser/test_organising.py", "PICTURES", ROOT / "docs" / "pictures")


def take_pictures(walk: str, variable: str, folder: Path, extra: Iterable[str] = ()) -> int:
    """Run the tests of *walk*, which take pictures into *folder*."""
    prepare(DEV)
    chromium = browser()
    if chromium is None:
        raise Problem("There is no Chromium (apt-get install chromium, or set CHROMIUM).")
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        scratch = private_folder()
        stack.callback(shutil.rmtree, scratch, ignore_errors=True)
        env = test_environment(scratch) | {"CHROMIUM": chromium, "CHROMIUM_SHELL": browser_of_pages() or chromium}
        env[variable] = str(folder)
        words = ["-m", "pytest", "-q", "-n", "2", walk, *extra]
        return subprocess.run([str(PYTHON), *words], env=env, cwd=ROOT, check=False).returncode
