"""Install a site in a folder: settings, systemd units or containers, database and organiser."""

import os
import pwd
import re
import secrets
import subprocess
import sys
from argparse import SUPPRESS
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from contest.installing import containers, files, versions
from contest.installing.questions import EMBEDDED, QUESTIONS, BadAnswer, Question
from contest.ops.released import recorded_migrations

# The kernel's limit for the path of a socket.
_LONGEST_SOCKET = 107


class Command(BaseCommand):
    help = (
        "Install a site in FOLDER: asks five questions, writes settings and systemd units, migrates, and creates an "
        "organiser; or, with --compose, the files for containers. A file that exists is kept, so it may be repeated."
    )
    requires_system_checks: list[str] = []  # the settings are not written yet

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", nargs="?", type=Path, default=Path(settings.LEITAI_FOLDER), metavar="FOLDER")
        for question in QUESTIONS:
            parser.add_argument(f"--{question.name}", help=question.text)
        parser.add_argument("--yes", action="store_true", help="ask nothing: flags and defaults are the answers")
        parser.add_argument("--force", action="store_true", help="replace files that exist; the secret key stays")
        parser.add_argument(
            "--compose", action="store_true", help="write files for docker compose; install nothing here"
        )
        parser.add_argument("--as-root", action="store_true", help="let the site run as root, as in a container")
        parser.add_argument("--no-compile", action="store_true", help="leave the solver's searches to its first search")
        parser.add_argument("--prepare", action="store_true", help=SUPPRESS)  # the second part, with the settings

    def handle(self, *_args: Any, folder: Path, organiser: str | None, **options: Any) -> None:
        if options["prepare"]:
            self._prepare(str(organiser))
            return
        folder = folder.absolute()
        if options["compose"]:
            self._write_containers(folder, options | {"organiser": organiser})
            return
        _check_folder(folder)
        if os.geteuid() == 0 and not options["as_root"]:
            raise CommandError("The site would run as root. Run this as its own user (sudo -u leitai …), or --as-root.")
        present = files.read_settings(folder)
        if present and not options["force"]:
            values, organiser = present, organiser or "organiser"
        else:
            answers = self._ask(folder, present, options | {"organiser": organiser})
            values, organiser = files.new_settings(folder, answers, present), answers["organiser"]
        self._write(folder, values, force=options["force"])
        _run(folder, values, "contest", "init", str(folder), "--prepare", "--organiser", organiser)
        if find_spec("numba") and not options["no_compile"]:
            _run(folder, values, "solvers.sokoban.solving.loading")
        self._say_what_remains(folder, values)

    def _ask(self, folder: Path, present: dict[str, str], options: dict[str, Any]) -> dict[str, str]:
        own = files.own_services(folder).values()
        values = {name: value for name, value in present.items() if value not in own}
        answers = self._answer(QUESTIONS, values, options)
        if answers["redis"] == EMBEDDED:
            _check_socket(folder)
        return answers

    def _answer(self, questions: list[Question], values: dict[str, str], options: dict[str, Any]) -> dict[str, str]:
        """Return the answers: those of the flags, and those of the person at the terminal."""
        is_asked = not options["yes"]
        if is_asked and not sys.stdin.isatty():
            raise CommandError("There is no terminal to ask at: give the answers as flags, and --yes.")
        answers = {}
        for question in questions:
            answer = options[question.name]
            if answer is None and is_asked:
                answer = self._ask_until_good(question, question.present(values))
            else:
                answer = question.present(values) if answer is None else answer
                _check(question, answer)
            answers[question.name] = answer
        return answers

    def _write_containers(self, folder: Path, options: dict[str, Any]) -> None:
        """Write the files of a site in containers. Its passwords belong to its database, so they are never replaced."""
        if other := [name for name in ("database", "redis") if options[name]]:
            raise CommandError(f"--{other[0]}: with --compose it is one of the containers.")
        answers = self._answer([one for one in QUESTIONS if one.name in containers.QUESTIONS], {}, options)
        try:
            texts = containers.texts(answers)
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for name, (text, mode) in texts.items():
                force = options["force"] and name != containers.VALUES
                self.stdout.write(f"{folder / name}: {files.write(folder / name, text, mode, force=force)}")
        except BadAnswer as bad:
            raise CommandError(str(bad)) from None
        except OSError as error:
            raise CommandError(f"Cannot write {error.filename}: {error.strerror}.") from None
        self.stdout.write("\n".join(containers.remaining_steps(folder, answers)))

    def _ask_until_good(self, question: Question, default: str) -> str:
        while True:
            answer = input(f"{question.text}{f' [{default}]' if default else ''}: ").strip() or default
            try:
                _check(question, answer)
            except CommandError as error:
                self.stdout.write(f"  {error}")
            else:
                return answer

    def _write(self, folder: Path, values: dict[str, str], *, force: bool) -> None:
        texts = [(folder / files.SETTINGS, files.settings_text(values), 0o600)]
        if values["HTTPS"] == "1":
            texts.append((folder / files.CADDYFILE, files.proxy_text(values), 0o644))
        for name, text in files.unit_texts(folder, values, pwd.getpwuid(os.geteuid()).pw_name).items():
            texts.append((folder / files.UNITS / name, text, 0o644))
        try:
            for new in (folder, folder / "data", folder / "backups", folder / files.UNITS):
                new.mkdir(mode=0o700, parents=True, exist_ok=True)
            for path, text, mode in texts:
                self.stdout.write(f"{path}: {files.write(path, text, mode, force=force)}")
        except OSError as error:
            raise CommandError(f"Cannot write {error.filename}: {error.strerror}.") from None
        self.stdout.flush()  # before the output of the second part

    def _prepare(self, organiser: str) -> None:
        """Create tables, static files and an organiser, each unless there are some."""
        if recorded_migrations():
            self.stdout.write("The database has tables already; `leitai-server upgrade` brings them up to date.")
        else:
            call_command("migrate", verbosity=0, interactive=False, skip_checks=False)
            versions.note_installed()
        versions.collect_static_files()
        if not User.objects.filter(is_superuser=True).exists():
            password = secrets.token_urlsafe(12)
            User.objects.create_superuser(organiser, password=password)
            self.stdout.write(f"Organiser {organiser}, password (shown only now): {password}")

    def _say_what_remains(self, folder: Path, values: dict[str, str]) -> None:
        lines = [
            "",
            "What remains, to be copied:",
            f"  sudo cp -r {folder / files.UNITS}/. /etc/systemd/system/",
            "  sudo systemctl daemon-reload",
            f"  sudo systemctl enable --now {files.TARGET}",
        ]
        if values["HTTPS"] == "1":
            lines += [
                f"  sudo cp {folder / files.CADDYFILE} /etc/caddy/Caddyfile",
                "  sudo systemctl reload caddy",
            ]
        lines += [
            *_advice_on_solver(),
            f"Then sign in at {values['SITE_URL']}/desk/. What does not work, and the command that mends it:",
            f"  {versions.program(str(folder))} doctor",
        ]
        self.stdout.write("\n".join(lines))


def _check(question: Question, answer: str) -> None:
    if not answer:
        raise CommandError(f"An answer is missing (--{question.name}).")
    if not answer.isprintable() or answer.startswith("$"):
        raise CommandError(f"--{question.name}: one line of visible characters, not beginning with $.")
    try:
        question.check(answer)
    except BadAnswer as bad:
        raise CommandError(f"--{question.name}: {bad}") from None


def _advice_on_solver() -> list[str]:
    if find_spec("numba"):
        return []
    install = versions.install_command(f"leitai-server[solving]=={versions.VERSION}")
    return [f"The solver answers only easy levels until its compiler is installed:\n  {install}"]


def _check_folder(folder: Path) -> None:
    """Refuse paths that mean something else in a unit."""
    for path in (str(folder), sys.executable):
        if not re.fullmatch(r"[\w./+@:,=~-]+", path):
            raise CommandError(f"{path}: systemd cannot use this path. Choose one without spaces and quotes.")


def _check_socket(folder: Path) -> None:
    socket = files.own_services(folder)[EMBEDDED].removeprefix("unix://")
    if len(socket.encode()) > _LONGEST_SOCKET:
        raise CommandError(f"{socket} is too long for a socket: choose a folder with a shorter path.")


def _run(folder: Path, values: dict[str, str], *arguments: str) -> None:
    """Run a module with the site's own settings, which this process could not know."""
    command = [sys.executable, "-m", *arguments]
    env = os.environ | values | {"LEITAI_FOLDER": str(folder)}  # noqa: TID251 - the settings of another process
    if subprocess.run(command, env=env, check=False).returncode:  # noqa: S603 - our own words
        raise CommandError("The site could not be prepared, see above. Mend that and run the same command again.")
