"""Signing in with the newest django-allauth: the site uses some of its private names.

It is installed from the package index.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
UV = shutil.which("uv", path=str(Path(sys.executable).parent)) or "uv"
TESTS = ("tests/desk/test_guessing.py", "tests/desk/test_account_of_staff.py", "tests/web/account/test_accounts.py")


@pytest.mark.exhaustive
def test_players_and_staff_sign_in_with_the_newest_allauth(tmp_path):
    install = [UV, "pip", "install", "--python", sys.executable, "--target", tmp_path, "--no-deps", "django-allauth"]
    subprocess.run(install, check=True)
    pytest_ = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", *TESTS]
    subprocess.run(pytest_, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(tmp_path)}, check=True)
