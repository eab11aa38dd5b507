"""Django's command line for the contest: `manage.py` in a checkout, `leitai-server` where the wheel is installed.

The site's folder holds its settings, `leitai.env`: `--folder`, LEITAI_FOLDER, or the working folder.
"""

import os
import secrets
import sys
from argparse import ArgumentParser
from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line


def main() -> None:
    """Run the command line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "contest.settings")
    parser = ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--folder", default=os.environ.get("LEITAI_FOLDER"))
    options, arguments = parser.parse_known_args(sys.argv[1:])
    if arguments[:1] == ["init"]:  # it writes the settings, so it has none yet; none of its acts needs this key
        os.environ.setdefault("SECRET_KEY", secrets.token_urlsafe(50))
        os.environ["LEITAI_FOLDER"] = options.folder or "."
    else:
        _read_settings(Path(options.folder or "."), is_named=bool(options.folder))
    try:
        execute_from_command_line([sys.argv[0], *arguments])
    except ImproperlyConfigured as error:
        sys.exit(f"Settings: {error}")


def _read_settings(folder: Path, *, is_named: bool) -> None:
    """Add the settings of the site's *folder* to the environment, whose own variables take precedence."""
    file = folder.resolve() / "leitai.env"
    try:
        with file.open(encoding="utf-8") as stream:
            environ.Env.read_env(stream)
    except FileNotFoundError:
        if is_named:
            sys.exit(f"There is no {file}. To install a site there: leitai-server init {folder.resolve()}")
    except OSError as error:
        sys.exit(f"Cannot read {file}: {error.strerror}. Run this as the user of the site: sudo -u USER …")
    else:
        os.environ["LEITAI_FOLDER"] = str(folder.resolve())


if __name__ == "__main__":
    main()
