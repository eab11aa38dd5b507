"""`dev.py test` and the other test runs: which suites exist, and what each needs on the machine."""

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
from tooling.folders import ROOT, private_folder, writable
from tooling.postgres import postgres_programs, started_postgres
from tooling.processes import answers
from tooling.redis import started_redis
from tooling.reports import Report, Suite
from tooling.terminal import Problem, print_line

BROWSER_TESTS = "tests/browser"
# Tests that a short run repeats without the fast paths.
PLAIN = [
    "tests/api/test_batches.py",
    "tests/api/test_rounds.py",
    "tests/api/test_submissions.py",
    "tests/legacy/test_protocol.py",
    "tests/legacy/letslogic/test_calls.py",
    "tests/web/play/test_entering.py",
    "tests/web/shell/test_live.py",
]
# Tests that neither the database nor a fast path can change: doctests and puzzles.
WITHOUT_SITE = [f"--ignore={folder}" for folder in ("contest", "gym", "solvers", "tests/solvers")]
SHELL = "chromium-headless-shell"  # Debian's name of the package and of the program
# Files for GitHub and for citations, by the schemas that check-jsonschema carries.
SCHEMAS = {
    "vendor.github-workflows": ".github/workflows/*",
    "custom.github-workflows-require-timeout": ".github/workflows/*",
    "vendor.dependabot": ".github/dependabot.yml",
    "vendor.github-issue-config": ".github/ISSUE_TEMPLATE/config.yml",
    "vendor.github-issue-forms": ".github/ISSUE_TEMPLATE/[0-9]*",
    "vendor.citation-file-format": "CITATION.cff",
    "vendor.compose-spec": "docker-compose.yml",
}
LIMIT = 2_400  # seconds for one suite: more than the longest takes on a slow machine


def read_options(arguments: list[str]) -> tuple[bool, float] | None:
    """Return whether the run is exhaustive and the limit of a suite in seconds; None if *arguments* are invalid.

    >>> read_options([]), read_options(["--limit", "0", "--exhaustive"]), read_options(["--limit", "soon"])
    ((False, 2400), (True, 0), None)
    """
    is_exhaustive, limit = False, LIMIT
    rest = iter(arguments)
    for word in rest:
        if word == "--exhaustive":
            is_exhaustive = True
        elif word == "--limit" and (seconds := next(rest, "")).isdecimal():
            limit = int(seconds)
        else:
            return None
    return is_exhaustive, limit


def test(extra: list[str], *, exhaustive: bool, limit: float) -> int:
    """Run every check and every suite, short or *exhaustive*, and add up the results."""
    prepare(DEV, compile_searches=False)
    install_missing()
    if exhaustive:  # in random order; pytest prints the seed
        extra = ["--exhaustive", "-p", "randomly", *extra]
    lacks_fail = os.environ.get("REQUIRE_E2E") == "1" or os.environ.get("CI") == "true"
    with contextlib.ExitStack() as stack:
        scratch = private_folder()
        scratch.chmod(0o711)  # the database runs as another user and has its folder inside
        stack.callback(shutil.rmtree, scratch, ignore_errors=True)
        if kept := os.environ.get("REPORTS"):
            stack.callback(keep_reports, scratch, writable(Path(kept).absolute()))
        report = Report(scratch, lacks_fail=lacks_fail, limit=limit)
        env = test_environment(scratch) | ({"EXHAUSTIVE": "1"} if exhaustive else {})  # read by the tests in Node
        postgres = postgres_tests(report, with_redis(report, env, scratch / "servers", stack), scratch, stack, extra)
        browser = browser_tests(report, with_redis(report, env, scratch / "browsers", stack), scratch, extra)
        # Each of two lanes takes the next suite when it is free. Kernels and migrations come before what needs them.
        first = [kernels(env), *checks(env), *player_tests(report, env, scratch), *postgres[:1]]
        sqlite, kills, plain = (with_redis(report, env, scratch / name, stack) for name in ("lite", "kills", "plain"))
        others = [sqlite_suite(sqlite, scratch, extra), *browser, *postgres[1:], chaos_suite(kills, scratch, extra)]
        report.run(suites := iter([*first, *others, plain_suite(plain, scratch, extra)]), suites)
    return report.close()


def with_redis(report: Report, env: dict[str, str], folder: Path, stack: contextlib.ExitStack) -> dict[str, str]:
    """Return *env* with a Redis in *folder*: no suite may clear what another one beside it has stored."""
    (folder / "data").mkdir(parents=True)
    try:
        env = env | {"REDIS_URL": started_redis(folder, stack)}
    except Problem as problem:
        report.lack("Redis", str(problem))
    return env


def keep_reports(scratch: Path, folder: Path) -> None:
    """Copy the results of the suites (JUnit, TAP) and their logs into *folder*."""
    for file in scratch.iterdir():
        if file.suffix in (".xml", ".tap", ".log"):
            shutil.copy(file, folder)


def lint() -> int:
    """Run only the checks."""
    prepare(DEV, compile_searches=False)
    with contextlib.ExitStack() as stack:
        scratch = private_folder()
        stack.callback(shutil.rmtree, scratch, ignore_errors=True)
        report = Report(scratch, lacks_fail=True)
        mypy, *others = checks(test_environment(scratch))
        report.run([mypy], others)
    return report.close()


def test_environment(scratch: Path) -> dict[str, str]:
    """Return an environment that does not reach the services of the developer's variables.

    Bytecode is cached: hundreds of processes of a run import the site, and each pytest worker rewrites the tests.
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
    """Return the environment of a production server, to check the settings that result from it."""
    production = {
        "DATABASE_URL": "postgres://leitai@localhost/leitai",
        "REDIS_URL": "redis://localhost:6379",
        "ALLOWED_HOSTS": "leitai.example",
        "SITE_URL": "https://leitai.example",
        "EMAIL_URL": "smtp+tls://leitai:secret@mail.example:587",
        "BEHIND_PROXY": "1",
        "TRUSTED_PROXIES": "10.0.0.5",
    }
    return {name: value for name, value in env.items() if name != "EMBEDDED"} | production


def checks(env: dict[str, str]) -> list[Suite]:
    """Return the checks that read the code without running it, the slowest first."""
    lint_imports = "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"
    with_site = (
        "import os, sys, django; os.environ['DJANGO_SETTINGS_MODULE'] = 'contest.settings'; django.setup();"
        "from tooling.lint.{} import main; sys.exit(main())"
    )
    commands: dict[str, list[str]] = {
        "mypy": ["-m", "mypy"],
        "ruff check": ["-m", "ruff", "check", "."],
        "ruff format": ["-m", "ruff", "format", "--check", "."],
        "djhtml": ["-m", "djhtml", "--check", "-t", "2", "templates"],
        "djlint": ["-m", "djlint", "templates", "--lint", "--quiet"],
        "import-linter": ["-c", lint_imports],
        "house rules": ["-m", "tooling.lint.house_rules"],
        "wording": ["-m", "tooling.lint.wording"],
        "links": ["-m", "tooling.lint.links"],
        "reference": ["-m", "tooling.lint.reference"],
        **{name: ["-c", with_site.format(name)] for name in ("cookies", "deployment", "figures", "places", "vendored")},
        "rulebook": ["-m", "tooling.lint.rulebook"],
        "transactions": ["-m", "tooling.lint.transactions"],
        "workflows": ["-m", "tooling.lint.workflows"],
        "packages": ["-m", "tooling.lint.packages"],
        "spelling": ["-m", "codespell_lib"],
        "client in step": ["-m", "tooling.sync_client", "--check"],
        "migrations in step": ["manage.py", "makemigrations", "--check", "--dry-run"],
        "check --deploy": ["manage.py", "check", "--deploy", "--fail-level", "WARNING"],
    }
    for schema, files in SCHEMAS.items():
        names = sorted(str(file.relative_to(ROOT)) for file in ROOT.glob(files))
        validate = ["-m", "check_jsonschema", "--default-filetype", "yaml", "--builtin-schema", schema]
        commands[schema.partition(".")[2]] = [*validate, *names]
    envs = dict.fromkeys(("check --deploy", "deployment"), production_environment(env))
    envs["migrations in step"] = env | {"TIME_ZONE": "Europe/Paris", "LANGUAGE_CODE": "en"}  # the same in every zone
    return [Suite(title, [str(PYTHON), *arguments], envs.get(title, env)) for title, arguments in commands.items()]


def kernels(env: dict[str, str]) -> Suite:
    """Return the suite that compiles the solver's kernels; otherwise a test would do it, next to all others."""
    return Suite("kernels", [str(PYTHON), "-m", "solvers.sokoban.solving.loading"], env)


def sqlite_suite(env: dict[str, str], scratch: Path, extra: list[str]) -> Suite:
    """Return the suite of all tests but those that need PostgreSQL, a browser or a whole site."""
    marks = "not browser and not postgres and not chaos"
    return pytest_suite("pytest on SQLite", scratch / "sqlite.xml", marks, env, ["-n", "2", *extra])


def pytest_suite(title: str, report: Path, marks: str, env: dict[str, str], extra: list[str]) -> Suite:
    slowest = ["--durations=10", "--durations-min=1"]
    command = [str(PYTHON), "-m", "pytest", "-q", "-m", marks, *slowest, f"--junitxml={report}", *extra]
    return Suite(title, command, dict(env), report)


def plain_suite(env: dict[str, str], scratch: Path, extra: list[str]) -> Suite:
    """Return the tests of views, judging and pages with `FAST_PATHS_OFF`; all tests of the site if exhaustive."""
    marks = "not fast_paths and not browser and not postgres and not chaos"
    plain, folders = env | {"FAST_PATHS_OFF": "all"}, WITHOUT_SITE if "--exhaustive" in extra else PLAIN
    workers = "2" if "--exhaustive" in extra else "0"  # each costs three CPU seconds before its first test
    return pytest_suite("without fast paths", scratch / "plain.xml", marks, plain, ["-n", workers, *extra, *folders])


def postgres_tests(
    report: Report, env: dict[str, str], scratch: Path, stack: contextlib.ExitStack, extra: list[str]
) -> list[Suite]:
    """Return the suites of the site's tests on PostgreSQL and Redis, except those that do not depend on the database.

    These are the doctests, the puzzles and the crawl, excluded by folder, and the tests that tests/databases.py finds
    to be the same.
    """
    title = "pytest on PostgreSQL and Redis"
    if not Path(env["REDIS_URL"].removeprefix("unix://")).exists():
        report.lack(title, "no Redis server")
        return []
    try:
        url = started_postgres(scratch, stack)
    except Problem as problem:
        report.lack(title, str(problem))
        return []
    env, tests_env = env | {"DATABASE_URL": url}, env | {"DATABASE_URL": url, "TEST_TEMPLATE": "leitai"}
    migrate = [str(PYTHON), "manage.py", "migrate", "-v", "0"]
    arguments = ["-n", "2", "--dist", "loadgroup", *WITHOUT_SITE, "--ignore=tests/leaks", *extra]
    return [
        Suite("migrations on PostgreSQL", migrate, env | {"OWN_LEVELS": "0"}),
        pytest_suite(title, scratch / "postgres.xml", "not browser and not chaos", tests_env, arguments),
    ]


def player_tests(report: Report, env: dict[str, str], scratch: Path) -> list[Suite]:
    """Return the suite of the client-side JavaScript, which needs no browser."""
    files = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("*.test.*js"))
    if not has_node():
        report.lack("node --test", "no Node.js 18 or newer (apt-get install nodejs)")
        return []
    tap = scratch / "node.tap"
    reporters = ["--test-reporter=dot", "--test-reporter-destination=stdout"]
    reporters += ["--test-reporter=tap", f"--test-reporter-destination={tap}"]
    return [Suite("node --test", ["node", "--test", *reporters, *files], env, tap)]


def browser_tests(report: Report, env: dict[str, str], scratch: Path, extra: list[str]) -> list[Suite]:
    """Return the suite that drives the site in a real Chromium; its workers load no other folder."""
    chromium = find_browser()
    if chromium is None:
        report.lack("pytest in Chromium", "no Chromium (apt-get install chromium, or set CHROMIUM)")
        return []
    env = env | {"CHROMIUM": chromium, "CHROMIUM_SHELL": browser_of_pages() or chromium}
    env["TEST_DATABASE"] = str(scratch / "data" / "browser.sqlite3")
    arguments = ["-n", "2", "--reuse-db", BROWSER_TESTS, *extra]
    return [pytest_suite("pytest in Chromium", scratch / "browser.xml", "browser", env, arguments)]


def chaos_suite(env: dict[str, str], scratch: Path, extra: list[str]) -> Suite:
    """Return the suite that kills the processes of two sites, which mostly wait."""
    workers = "2" if "--exhaustive" in extra else "0"
    arguments = ["-n", workers, "--dist", "loadfile", "tests/chaos", *extra]
    return pytest_suite("chaos", scratch / "chaos.xml", "chaos", env, arguments)


def find_browser() -> str | None:
    """Return a Chromium that starts; some systems install a stub that does not."""
    given = os.environ.get("CHROMIUM")
    names = [given] if given else ["chromium", "chromium-browser", "google-chrome"]
    paths = [path for path in map(shutil.which, names) if path]
    return next((path for path in paths if answers([path, "--version"])), None)


def browser_of_pages() -> str | None:
    """Return a Chromium without windows and extensions, which needs half the CPU, unless CHROMIUM is set."""
    shell = None if os.environ.get("CHROMIUM") else shutil.which(SHELL)
    return shell if shell and answers([shell, "--version"]) else find_browser()


def has_node() -> bool:
    """Return whether there is a Node.js with a test runner that can write two reports."""
    return answers(["node", "-e", "process.exit(process.versions.node.split('.')[0] < 18 ? 1 : 0)"])


def install_missing() -> None:
    """Install the Debian packages that the tests need, in one call; or print their names."""
    present = {
        "chromium": find_browser() is not None,
        "fonts-wqy-microhei": answers(["sh", "-c", "fc-list :lang=zh | grep -q ."]),  # for Chromium
        "redis-server": shutil.which("redis-server") is not None,
        "postgresql": postgres_programs() is not None,
        "nodejs": has_node(),
        "gettext": shutil.which("msgfmt") is not None,
    }
    lacking = [package for package, is_present in present.items() if not is_present]
    if lacking and not apt_install(lacking):
        print_line(f"Not installed: some tests need more. Try: sudo apt-get install {' '.join(lacking)}")
    # Not every system has this package, and the page tests work without it.
    if not shutil.which(SHELL) and answers(["apt-cache", "show", SHELL]):
        apt_install([SHELL])


def run_module(module: str, arguments: list[str]) -> int:
    """Replace this process by a *module* that runs in .venv: benches, the long chaos run."""
    prepare(DEV)
    os.chdir(ROOT)
    os.execve(PYTHON, [str(PYTHON), "-m", module, *arguments], plain_environment())


def fuzz_api() -> int:
    """Replace this process by the long run of tests/api/test_fuzz.py."""
    prepare(DEV)
    os.chdir(ROOT)
    arguments = ["-m", "pytest", "-q", "-s", "tests/api/test_fuzz.py"]
    os.execve(PYTHON, [str(PYTHON), *arguments], plain_environment() | {"FUZZ_CASES": "26000"})


def take_shots(folder: Path, extra: list[str]) -> int:
    """Take a screenshot of every page in both languages and themes at three widths, and report what is wrong."""
    code = take_pictures("tests/browser/test_every_page.py", "SHOTS", folder, extra)
    print_line(f"Pictures and contact sheets: {folder}")
    return code


def pictures() -> int:
    """Take the pictures of README.md and of the pages for organisers again, by following their steps."""
    return take_pictures("tests/browser/test_organising.py", "PICTURES", ROOT / "docs" / "pictures")


def take_pictures(walk: str, variable: str, folder: Path, extra: Iterable[str] = ()) -> int:
    """Run the tests of *walk*, which take pictures into *folder*."""
    prepare(DEV)
    chromium = find_browser()
    if chromium is None:
        raise Problem("There is no Chromium (apt-get install chromium, or set CHROMIUM).")
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        scratch = private_folder()
        stack.callback(shutil.rmtree, scratch, ignore_errors=True)
        env = test_environment(scratch) | {"CHROMIUM": chromium, "CHROMIUM_SHELL": browser_of_pages() or chromium}
        env[variable] = str(folder)
        arguments = ["-m", "pytest", "-q", "-n", "2", walk, *extra]
        return subprocess.run([str(PYTHON), *arguments], env=env, cwd=ROOT, check=False).returncode
