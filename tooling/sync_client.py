"""Generate `client/leitai/client.py` from `async_client.py`: `python -m tooling.sync_client [--check]`."""

import subprocess
import sys
import tempfile
from pathlib import Path

import unasync

from tooling.folders import ROOT

SOURCE, TARGET = ROOT / "client/leitai/async_client.py", ROOT / "client/leitai/client.py"
NAMES = {"AsyncClient": "Client", "AsyncConnection": "Connection"}
NOTE = "# Generated from async_client.py by `python -m tooling.sync_client`: edit that one.\n"


def generate() -> str:
    """Return the source of the synchronous client, formatted like the rest."""
    with tempfile.TemporaryDirectory() as scratch:
        rule = unasync.Rule(str(SOURCE.parent), scratch, additional_replacements=NAMES)
        unasync.unasync_files([str(SOURCE)], [rule])
        text = NOTE + (Path(scratch) / SOURCE.name).read_text()
    for arguments in (["check", "--select", "I,UP028", "--fix", "--unsafe-fixes"], ["format"]):
        command = [sys.executable, "-m", "ruff", *arguments, "--quiet", "--stdin-filename", str(TARGET), "-"]
        text = subprocess.run(command, input=text, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    return text


if __name__ == "__main__":
    if "--check" not in sys.argv:
        TARGET.write_text(generate())
    elif TARGET.read_text() != generate():
        sys.exit("client.py is not what async_client.py gives: run `python -m tooling.sync_client`.")
