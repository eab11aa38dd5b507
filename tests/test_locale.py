"""Every word people see has its Chinese."""

import gettext
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
WORDS = Path("contest/locale/zh_Hans/LC_MESSAGES/django.po")

pytestmark = pytest.mark.skipif(not shutil.which("msgfmt"), reason="needs gettext")


def _catalog(compiled: Path) -> dict[str, str]:
    with compiled.open("rb") as file:
        return dict(gettext.GNUTranslations(file)._catalog)


def test_the_compiled_words_are_those_of_the_text(tmp_path):
    subprocess.run(["msgfmt", "-o", tmp_path / "django.mo", ROOT / WORDS], check=True)
    assert _catalog(tmp_path / "django.mo") == _catalog(ROOT / WORDS.with_suffix(".mo"))


def test_no_word_is_left_untranslated(tmp_path):
    """As `makemessages` finds them now, in a copy."""
    for folder in ("contest", "templates"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    shutil.copy(ROOT / "manage.py", tmp_path)
    env = os.environ | {"DJANGO_SETTINGS_MODULE": "contest.settings", "PYTHONPATH": str(ROOT)}
    words = ["makemessages", "-l", "zh_Hans", "--no-location"]
    made = subprocess.run(
        [sys.executable, "manage.py", *words], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
    for lacking in ("--untranslated", "--only-fuzzy"):
        found = subprocess.run(
            ["msgattrib", lacking, "--no-obsolete", tmp_path / WORDS], check=True, capture_output=True, text=True
        )
        assert found.stdout.count("\nmsgid ") <= 1, found.stdout  # the one is the header
