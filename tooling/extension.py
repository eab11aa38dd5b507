"""`dev.py extension`: build the browser extension, as a folder to load and a ZIP to distribute."""

import re
import shutil
import zipfile
from pathlib import Path

from tooling.folders import ROOT
from tooling.terminal import Problem, print_line

SOURCE = ROOT / "extension"
RULES = ROOT / "contest/static/contest/player/rules"
NAME = "leitai-extension"
_IMPORT = re.compile(r'^import [^;]*? from "\./([\w-]+\.js)";', re.MULTILINE)
_FIRST = ("errors.js", "reading.js", "single.js")  # imported by extension/finding.js
_HOST = re.compile(r'(DEFAULT_HOST = )"[^"]*"')
_EPOCH = (1980, 1, 1, 0, 0, 0)  # a fixed date, so that equal files give an equal ZIP


def read_options(arguments: list[str]) -> tuple[Path, str] | None:
    """Return the folder and the host of a command line, or None if it is invalid."""
    rest = list(arguments)
    host = ""
    if "--host" in rest:
        at = rest.index("--host")
        host = rest[at + 1] if at + 1 < len(rest) else "-"
        del rest[at : at + 2]
    if len(rest) > 1 or any(word.startswith("-") for word in rest):
        return None
    return Path(rest[0] if rest else ROOT / "builds").absolute(), host


def command(folder: Path, host: str) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    build_extension(folder, host)
    return 0


def build_extension(folder: Path, host: str = "") -> Path:
    """Write the extension for *host* into *folder*, unpacked and as a ZIP; return the unpacked folder."""
    if host and not re.fullmatch(r"https?://[^/\s\"]+", host):
        raise Problem(f"{host} is not a site address; write it as https://leitai.example")
    target = folder / NAME
    if target.exists() and not (target / "manifest.json").exists():
        raise Problem(f"{target} is something else; name another folder")
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(SOURCE, target, ignore=shutil.ignore_patterns("README.md"))
    (target / "rules").mkdir()
    for name in sorted(_find_imports(_FIRST)):
        shutil.copyfile(RULES / name, target / "rules" / name)
    if host:
        acts = target / "acts.js"
        acts.write_text(_HOST.sub(rf'\1"{host}"', acts.read_text()))
    _pack(target, folder / f"{NAME}.zip")
    print_line(f"The extension is in {target} and {NAME}.zip beside it; extension/README.md says how to load it.")
    return target


def _find_imports(names: tuple[str, ...]) -> set[str]:
    """Return the modules with these names and all modules that they import."""
    needed: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            waiting += _IMPORT.findall((RULES / name).read_text())
    return needed


def _pack(folder: Path, target: Path) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            packed.writestr(zipfile.ZipInfo(str(path.relative_to(folder)), _EPOCH), path.read_bytes())
