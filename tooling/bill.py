"""`dev.py sbom`: bill of materials of a server (CycloneDX 1.5), from the locked packages and the vendored files."""

from __future__ import annotations

import email.parser
import hashlib
import json
import re
import uuid
from collections.abc import Iterator
from email.message import Message
from pathlib import Path
from typing import Any

from tooling.environment import SOLVE, VENV
from tooling.folders import ROOT

VENDOR = ROOT / "contest" / "static" / "contest" / "vendor"
_LOCKED = re.compile(r"^([\w.-]+)==(\S+?)(?: ; (.*?))? \\$", re.MULTILINE)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_OWN = re.compile(r'^version = "(.+)"$', re.MULTILINE)

Component = dict[str, Any]


def build_bill() -> dict[str, Any]:
    """Return the bill of materials. Equal locks give equal bills, so two bills can be compared."""
    parts = [*_list_packages(SOLVE.read_text(), _read_installed()), *_list_vendored()]
    own = _OWN.search((ROOT / "contest" / "pyproject.toml").read_text())
    assert own
    seal = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, seal)}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": "leitai-server",
                "name": "leitai-server",
                "version": own[1],
                "licenses": [{"license": {"id": "MIT"}}],
            }
        },
        "components": parts,
    }


def _list_packages(lock: str, installed: dict[str, Message]) -> Iterator[Component]:
    """Yield each package of a lock. A package with an environment marker is optional; installed ones have a licence."""
    matches = list(_LOCKED.finditer(lock))
    ends = [*(match.start() for match in matches[1:]), len(lock)]
    for match, end in zip(matches, ends, strict=True):
        name, version, marker = match.groups()
        url = f"pkg:pypi/{name}@{version}"
        hashes = [{"alg": "SHA-256", "content": content} for content in _HASH.findall(lock[match.end() : end])]
        part: Component = {"type": "library", "bom-ref": url, "name": name, "version": version, "purl": url}
        part |= {"scope": "optional" if marker else "required", "hashes": hashes}
        if licence := _find_licence(installed.get(name)):
            part["licenses"] = [licence]
        yield part


def _read_installed() -> dict[str, Message]:
    """Return the metadata of the installed packages by their normalised names, as locks spell them."""
    files = VENV.glob("lib/python3*/site-packages/*.dist-info/METADATA")
    read = email.parser.HeaderParser()
    metadata = [read.parsestr(file.read_text(encoding="utf-8", errors="replace")) for file in files]
    return {re.sub(r"[-_.]+", "-", package["Name"]).lower(): package for package in metadata}


def _find_licence(metadata: Message | None) -> dict[str, Any] | None:
    """Return the SPDX expression if the package has one, else its short License field or its classifiers."""
    if metadata is None:
        return None
    if expression := metadata["License-Expression"]:
        return {"expression": expression}
    classified = [
        line.rpartition(" :: ")[2] for line in metadata.get_all("Classifier", []) if line.startswith("License ::")
    ]
    # Some packages put the full licence text in this field.
    word = (metadata["License"] or "").strip()
    name = word if word and len(word) < 80 and "\n" not in word else ", ".join(classified)
    return {"license": {"name": name}} if name else None


def _list_vendored() -> Iterator[Component]:
    """Yield the vendored files of the repository, one component per folder, with the hash of its SHA256SUMS."""
    for folder in sorted(path for path in VENDOR.iterdir() if path.is_dir()):
        name, _, version = folder.name.rpartition("-")
        content = hashlib.sha256((folder / "SHA256SUMS").read_bytes()).hexdigest()
        licence = next(folder.glob("LICENSE*")).read_text().strip(" #\n").splitlines()[0]
        yield {
            "type": "library",
            "bom-ref": folder.name,
            "name": name,
            "version": version,
            "scope": "required",
            "hashes": [{"alg": "SHA-256", "content": content}],
            "licenses": [{"license": {"name": licence}}],
        }


def write_bill(path: Path) -> int:
    """Write the bill to *path* and return the number of its components."""
    document = build_bill()
    path.write_text(json.dumps(document, indent=1) + "\n")
    return len(document["components"])
