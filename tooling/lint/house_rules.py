"""Rules of structure that no other linter checks; `python -m tooling.lint.house_rules` lists violations."""

from __future__ import annotations

import ast
import gc
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import polib

from tooling.folders import ROOT
from tooling.terminal import print_line

MOST_LINES, MOST_FILES, MOST_LINES_OF_A_TEST, MOST_PARAMETERS_OF_A_KERNEL = 350, 15, 40, 8
MOST_TAGS_OF_A_LINE = 3  # {% %} in a template
CATALOGUE = ROOT / "contest/locale/zh_Hans/LC_MESSAGES/django.po"

# Pattern, the files to search, the files or folders that may contain it, and the rule.
PATTERNS = [
    (
        r"verdict\s*=\s*(?!=)[^,)\n]*Verdict\.|State\.JUDGED[^)]*judged_at\s*=|\"verdict\": _VERD|state = 'judged'",
        "contest/[!m]*/**/*.py",
        {"contest/judging/outcomes.py", "contest/judging/record.py"},
        "only judging writes verdicts",
    ),
    (
        (
            r"\b(moves|pushes|first)__[lg]te?\b|\{(first|name|metric(\.value)?)\}__[lg]te?\b|Best\.KEY"
            r"|order_by\(\"(moves|pushes|first)\", |key=lambda \w+: \(.*\bmoves, .*\bpushes, .*\b(received_at|number)"
        ),
        "contest/[!m]*/**/*.py",
        {"contest/rankings/", "contest/rules/tabulation.py"},
        "only rankings and rules/tabulation rank",
    ),
    (
        r"allauth[\w.]*\.internal",
        "contest/**/*.py",
        {"contest/staff/allauth_internals.py"},
        "ask allauth by public names",
    ),
    (r"gettext\w* as (?!_\b)\w+", "contest/**/*.py", set(), "makemessages knows gettext only by its own name or as _"),
    (
        r"^(import|from) (contest|solvers|tests|tooling|django)\b|\b(__import__|import_module|eval|exec)\(",
        "tests/oracle/[!_t]*.py",
        {"tests/oracle/comparing.py", "tests/oracle/playing.py", "tests/oracle/sealing.py"},
        "the oracle imports nothing of the site",
    ),
    (
        r"\bis (not )?[A-Z]\w*\.[A-Z_]+\b",
        "solvers/**/*.py",
        set(),
        "compare members of an enumeration with ==: a caller's plain string equals a member",
    ),
]


def find_breaches() -> Iterator[str]:
    """Yield each violation of a rule as one line."""
    code = (
        find_patterns,
        check_sizes,
        tags_of_a_line,
        check_kernels,
        check_layers,
        check_package_docstrings,
        find_unused_functions,
    )
    docs = (check_paths_in_docs, check_extending_page, check_glossary)
    for rule in (*code, *docs, check_catalogue):
        yield from rule()


def list_modules() -> list[Path]:
    """Return the Python modules that these rules apply to."""
    files = [
        file
        for top in ("contest", "solvers", "tooling", "bench", "client", "gym")
        for file in (ROOT / top).rglob("*.py")
    ]
    return [file for file in files if not {"migrations", "tests"} & set(file.relative_to(ROOT).parts)]


def list_templates() -> list[Path]:
    return [file for file in (ROOT / "templates").rglob("*") if file.is_file()]


def name_of(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def find_patterns() -> Iterator[str]:
    for pattern, places, allowed, rule in PATTERNS:
        for file in ROOT.glob(places):
            if not name_of(file).startswith(tuple(allowed)) and (
                match := re.search(pattern, file.read_text("utf-8"), re.MULTILINE)
            ):
                yield f"{name_of(file)}: {match[0]!r}: {rule}"


def check_sizes() -> Iterator[str]:
    scripts = [file for file in (ROOT / "contest/static/contest").rglob("*.js") if "vendor" not in file.parts]
    for file in (*list_modules(), *scripts):
        if (lines := file.read_text("utf-8").count("\n")) > MOST_LINES:
            yield f"{name_of(file)}: {lines} lines, {MOST_LINES} are allowed"
    counted = [file for file in list_modules() if file.name != "__init__.py"]
    for folder, files in Counter(file.parent for file in (*counted, *scripts, *list_templates())).items():
        if files > MOST_FILES:
            yield f"{name_of(folder)}: {files} files, {MOST_FILES} are allowed"
    for file in (ROOT / "tests").rglob("*.py"):
        functions = (node for node in ast.parse(file.read_text("utf-8")).body if isinstance(node, ast.FunctionDef))
        for test in (node for node in functions if node.name.startswith("test_")):
            if (lines := (test.end_lineno or 0) - test.lineno + 1) > MOST_LINES_OF_A_TEST:
                yield f"{name_of(file)}: {test.name}: {lines} lines, {MOST_LINES_OF_A_TEST} are allowed"


def tags_of_a_line() -> Iterator[str]:
    """Find lines with too many tags in the HTML templates."""
    for file in list_templates():
        if file.suffix == ".html":
            for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
                if (count := line.count("{%")) > MOST_TAGS_OF_A_LINE:
                    yield f"{name_of(file)}:{number}: {count} tags, {MOST_TAGS_OF_A_LINE} are allowed"


def check_kernels() -> Iterator[str]:
    """Find compiled functions with too many parameters: the tables of a search belong in a few named tuples."""
    for file in (ROOT / "solvers").rglob("*.py"):
        nodes = ast.walk(ast.parse(file.read_text("utf-8")))
        for function in (node for node in nodes if isinstance(node, ast.FunctionDef)):
            is_compiled = {"kernel", "inner", "inlined"}.intersection(map(ast.unparse, function.decorator_list))
            if is_compiled and (count := len(function.args.args)) > MOST_PARAMETERS_OF_A_KERNEL:
                rule = f"{count} parameters, {MOST_PARAMETERS_OF_A_KERNEL} are allowed"
                yield f"{name_of(file)}:{function.lineno}: {function.name}: {rule}"


def check_layers() -> Iterator[str]:
    """Compare the diagram in docs/explanation/architecture.md with the import-linter contract."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    (contract,) = (contract["layers"] for contract in contracts if contract.get("containers") == ["contest"])
    drawing = (ROOT / "docs/explanation/architecture.md").read_text("utf-8").partition("```\n")[2].partition("----")[0]
    rows = [line[14:].partition("  ")[0] for line in drawing.splitlines() if line[:1].strip()]
    drawn = [set(re.findall(r"\w+", re.sub(r"\(.*\)", "", row))) for row in rows]
    if drawn != [set(layer.split(" | ")) - {"migrations"} for layer in contract]:
        yield "docs/explanation/architecture.md: the drawing differs from the layers in pyproject.toml"


def check_package_docstrings() -> Iterator[str]:
    """Find files that the docstring of their folder's `__init__.py` does not name."""
    doors = {"admin", "api", "desk", "legacy", "web"}  # named after the kind of request they serve
    plain = {"management", "migrations", "static", "templatetags", "locale", "verify"}
    rooms = [face for face in ROOT.glob("contest/*/__init__.py") if face.parent.name not in doors | plain]
    listed: tuple[str, ...] = (
        "contest/models/*",
        "contest/archive/witnesses",
        "contest/management/demo",
        "contest/outreach/community",
    )
    listed += ("solvers/klotski/records", "solvers/klotski/searching", "solvers/sokoban/solving/**")
    for face in (*rooms, *(face for room in listed for face in ROOT.glob(f"{room}/__init__.py"))):
        docstring = ast.get_docstring(ast.parse(face.read_text("utf-8"))) or ""
        files = {file.stem for file in face.parent.iterdir() if file.suffix == ".py" or (file / "__init__.py").exists()}
        for name in sorted(files - {"__init__"}):
            if f"`{name}`" not in docstring:
                yield f"{name_of(face)}: the docstring does not name `{name}`"


def find_unused_functions() -> Iterator[str]:
    """Find functions of the site that are called nowhere, or only by tests."""
    text = "\n".join(file.read_text("utf-8") for file in (*list_modules(), *list_templates()))
    uses = Counter(re.findall(r"\w+", re.sub(r"__all__ = \[[^\]]*\]|import \([^)]*\)|import .*", "", text)))
    for file in list_modules():
        if file.is_relative_to(ROOT / "contest"):
            for node in own_functions(ast.parse(file.read_text("utf-8")).body):
                if uses[node.name] < 2 and node.name not in {"process_exception", "process_view", "to_url"}:
                    yield f"{name_of(file)}:{node.lineno}: only tests call {node.name}"


def own_functions(body: list[ast.stmt]) -> Iterator[ast.FunctionDef]:
    """Yield functions, and methods that no base class calls; skip functions connected to signals."""
    for node in body:
        if isinstance(node, ast.ClassDef) and all("QuerySet[" in ast.unparse(base) for base in node.bases):
            yield from own_functions(node.body)
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("__"):
            decorators = " ".join(map(ast.unparse, node.decorator_list))
            if not re.search(r"\b(receiver|connect)\b", decorators):
                yield node


def check_paths_in_docs() -> Iterator[str]:
    """Find files that documents or docstrings name but that do not exist."""
    named = {
        (file, path) for file in list_modules() for path in re.findall(r"docs/[\w./-]+\.md", file.read_text("utf-8"))
    }
    top = "bench|client|contest|docs|extension|gym|requirements|solvers|templates|tests|tooling"
    pattern = rf"`((?:{top})/[\w/.-]+\.(?:md|py|js|html|toml|po)|tests/[\w/.-]+)`"
    for page in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")):
        named |= {(page, path) for path in re.findall(pattern, page.read_text("utf-8"))}
    for page, path in sorted(named):
        if page.name != "CHANGELOG.md" and not (ROOT / path).exists():
            yield f"{name_of(page)}: {path} does not exist"
    folder = ROOT / "contest"
    for name in re.findall(r"`([\w/-]+\.(?:py|js))`", (ROOT / "docs/explanation/walks.md").read_text("utf-8")):
        file = (ROOT / "contest" if "/" in name else folder) / name
        folder = file.parent
        if not file.is_file():
            yield f"docs/explanation/walks.md: {name} does not exist"


def check_extending_page() -> Iterator[str]:
    """Check that each function named in a row of docs/how-to/extending.md is defined in the file next to it."""
    place = re.compile(r"\[`([^`]+)`\]\((?:\.\./)+[^)]+\) `(\w+)`(?:, `(\w+)`)?")
    rows = re.findall(r"^\| .*", (ROOT / "docs/how-to/extending.md").read_text("utf-8"), re.MULTILINE)
    for file, *names in place.findall("\n".join(rows)):
        text = (ROOT / file).read_text("utf-8") if (ROOT / file).is_file() else ""
        for name in filter(None, names):
            if not re.search(rf"^ *(?:def |class )?{name}(?=[(:\[]| =)", text, re.MULTILINE):
                yield f"docs/how-to/extending.md: {file} defines no {name}"


def check_glossary() -> Iterator[str]:
    """Check that each term of the glossary occurs once and exists in the file that its row names."""
    lines = (ROOT / "docs/reference/glossary.md").read_text("utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    rows = [row for row in rows if row[0] != "English" and not row[0].startswith("---")]
    counts = Counter(row[0] for row in rows)
    yield from (f"docs/reference/glossary.md: {word} twice" for word, times in counts.items() if times > 1)
    for english, chinese, meaning, place in rows:
        file, *names = re.findall(r"`([^`]+)`", place)
        text = (ROOT / file).read_text("utf-8") if (ROOT / file).is_file() else ""
        if not (meaning and re.search("[\u4e00-\u9fff]", chinese) and all(re.search(rf"\b{n}\b", text) for n in names)):
            yield f"docs/reference/glossary.md: {english}: no Chinese, no meaning, or no such name in {file}"


def check_catalogue() -> Iterator[str]:
    """Compare the Chinese catalogue with the messages in the code and with its compiled form."""
    texts, compiled = polib.pofile(str(CATALOGUE)), polib.mofile(str(CATALOGUE.with_suffix(".mo")))
    if _translations(compiled) != _translations(texts.translated_entries()):
        yield f"{name_of(CATALOGUE)}: run compilemessages"
    with tempfile.TemporaryDirectory() as folder:
        for name in ("contest", "templates", "manage.py"):
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, Path(folder) / name)
        env = os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings", "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "manage.py", "makemessages", "-l", "zh_Hans", "--no-location", "-v", "0"]
        subprocess.run(command, cwd=folder, env=env, check=True)
        fresh = polib.pofile(str(Path(folder) / CATALOGUE.relative_to(ROOT)))
    for entry in (*fresh.untranslated_entries(), *fresh.fuzzy_entries()):
        yield f"{name_of(CATALOGUE)}: no Chinese for {entry.msgid!r}"


def _translations(entries: Iterable[Any]) -> dict[tuple[str | None, str], tuple[str, dict[int, str]]]:
    return {(entry.msgctxt, entry.msgid): (entry.msgstr, entry.msgstr_plural) for entry in entries}


if __name__ == "__main__":
    gc.disable()  # the trees of 1,700 modules have no cycles
    problems = list(find_breaches())
    for line in problems:
        print_line(line)
    sys.exit(1 if problems else 0)
