"""`dev.py extension`: build the browser extension, as a folder to load and a ZIP to distribute."""

import re
import shutil
import zipfile
from pathlib import Path

from tooling.folders import ROOT
from tooling.terminal import Problem, say

SOURCE = ROOT / "extension"
RULES = ROOT / "contest/static/contest/player/rules"
NAME = "leitai-extension"
_IMPORT = re.compile(r'^import [^;]*? from "\./([\w-]+\.js)";', re.MULTILINE)
_FIRST = ("errors.js", "finding.js", "reading.js")  # imported by extension/finding.js
_HOST = re.compile(r'(DEFAULT_HOST = )"[^"]*"')
_EPOCH = (1980, 1, 1, 0, 0, 0)  # a fixed date, so that equal files give an equal ZIP


def read_options(words: list[str]) -> tuple[Path, str] | None:
    """Return the folder and the host of a command line, or None if it is invalid."""
    own = list(words)
    host = ""
    if "--host" in own:
        at = own.index("--host")
        host = own[at + 1] if at + 1 < len(own) else "-"
        del own[at : at + 2]
    if len(own) > 1 or any(word.startswith("-") for word in own):
        return None
    return Path(own[0] if own else ROOT / "builds").absolute(), host


def command(folder: Path, host: str) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    build(folder, host)
    return 0


def build(folder: Path, host: str = "") -> Path:
    """Write the extension for *host* into *folder*, unpacked and as a ZIP; return the unpacked folder."""
    if host and not re.fullmatch(r"https?://[^/\s\"]+", host):
        raise Problem(f"{host} is no address of a site; write it as https://leitai.example")
    made = folder / NAME
    if made.exists() and not (made / "manifest.json").exists():
        raise Problem(f"{made} is something else; name another folder")
    shutil.rmtree(made, ignore_errors=True)
    shutil.copytree(SOURCE, made, ignore=shutil.ignore_patterns("README.md"))
    (made / "rules").mkdir()
    for name in sorted(_needs_of(_FIRST)):
        shutil.copyfile(RULES / name, made / "rules" / name)
    if host:
        acts = made / "acts.js"
        acts.write_text(_HOST.sub(rf'\1"{host}"', acts.read_text()))
    _pack(made, folder / f"{NAME}.zip")
    say(f"The extension is in {made} and {NAME}.zip beside it; extension/README.md says how to load it.")
    return made


def _needs_of(names: tuple[str, ...]) -> set[str]:
    """Return the modules with these names and all modules that they import."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _IMPORT.findall((RULES / name).read_text())
    return found


def _pack(folder: Path, target: Path) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            packed.writestr(zipfile.ZipInfo(str(path.relative_to(folder)), _EPOCH), path.read_bytes())
