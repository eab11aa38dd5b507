"""Django's command line for the contest: `manage.py` in a checkout, `leitai-server` where the wheel is installed."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line


def main() -> None:
    """Run the command line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "contest.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"Settings: {error}")


if __name__ == "__main__":
    main()
