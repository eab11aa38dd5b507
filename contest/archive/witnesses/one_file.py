"""`witness.py` as one file for a plain Python: the witness with the signatures that it imports put in place.

`python -m contest.archive.witnesses.one_file > witness.py` builds the file that the site serves.
"""

import hashlib
import sys
from functools import cache
from pathlib import Path

NAME = "witness.py"
_FOLDER = Path(__file__).resolve().parent
_SIGNATURES = _FOLDER.parents[1] / "rules/ed25519.py"
_IMPORT = "from contest.rules.ed25519 import is_signed, public_key, sign\n"


@cache
def build() -> bytes:
    """Return the program."""
    return (_FOLDER / NAME).read_bytes().replace(_IMPORT.encode(), _SIGNATURES.read_bytes(), 1)


@cache
def sha256() -> str:
    return hashlib.sha256(build()).hexdigest()


if __name__ == "__main__":
    sys.stdout.buffer.write(build())
