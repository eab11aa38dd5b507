"""The four packages and the metadata that they share; `dev.py lint` compares each `pyproject.toml` with it."""

from typing import Any

# Folder of each package, in the order in which they depend on each other.
FOLDERS = {"leitai-solvers": ".", "leitai": "client", "leitai-gym": "gym", "leitai-server": "contest"}
# The folder with the README of each package.
README_FOLDERS = FOLDERS | {"leitai-solvers": "solvers"}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")

# A placeholder: replace it here, in docs/conf.py, the four pyproject.toml and the four READMEs.
SITE = "https://leitai.example"
SHARED: dict[str, Any] = {
    "requires-python": f">={PYTHONS[0]}",
    "authors": [{"name": "Leitai contributors"}],
    "urls": {
        "Homepage": f"{SITE}/",
        "Documentation": f"{SITE}/docs/",
        "Source": f"{SITE}/source/",
        "Issues": f"{SITE}/issues/",
        "Changelog": f"{SITE}/changes/",
    },
}
