"""Rules of wording for code, documentation and messages; `python -m tooling.lint.wording` lists violations."""

from __future__ import annotations

import ast
import functools
import gc
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polib

from tooling.folders import ROOT
from tooling.lint.house_rules import CATALOGUE, list_modules, name_of
from tooling.terminal import print_line

MOST_WORDS = 30  # of a sentence in the documentation
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
NAMES_THAT_STAY = {
    # Columns of released databases.
    ("contest/models/outreach/access.py", "told"),
    ("contest/models/player.py", "told_at"),
    ("contest/models/tester.py", "told"),
    ("contest/models/library/level_library.py", "told_at"),
    # A parameter in URLs of the audit log.
    ("contest/desk/forms.py", "who"),
    # An attribute that a template reads.
    ("contest/outreach/community/bell.py", "who"),
}


def find_breaches() -> Iterator[str]:
    """Yield each violation of a rule as one line."""
    for rule in (check_docstrings, find_vague_names, find_dialect, find_long_sentences, find_words_to_avoid):
        yield from rule()


def read_words() -> dict[str, Any]:
    return tomllib.loads((ROOT / "tooling/lint/words_to_avoid.toml").read_text("utf-8"))


def python_files() -> list[Path]:
    return [*list_modules(), *(ROOT / "tests").rglob("*.py"), ROOT / "dev.py"]


@functools.cache
def named_nodes(file: Path) -> list[ast.AST]:
    """Return the nodes of *file* that have a docstring or define a name."""
    kinds = (*DOCUMENTED, ast.arg, ast.Name)
    return [node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, kinds)]


def pages() -> list[Path]:
    """Return the English documentation without the rulebook, which has sentences of its own."""
    found = (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))
    return [page for page in found if ".zh-" not in page.name and not page.name.startswith("rules")]


def check_docstrings() -> Iterator[str]:
    """Find docstrings that begin with a question word in place of a verb or a noun."""
    indirect = re.compile(
        r"(What(ever)?|Who(ever)?|Whose|Whom|Where|Whether|Which|Why|How|Those|All that|That which)\b(?!-)"
    )
    for file in python_files():
        for node in named_nodes(file):
            if isinstance(node, DOCUMENTED) and (match := indirect.match(ast.get_docstring(node) or "")):
                yield f"{name_of(file)}:{getattr(node, 'lineno', 1)}: a docstring begins with {match[0]}"


def find_vague_names() -> Iterator[str]:
    """Find names of functions, classes, parameters and variables with a word that says too little."""
    words = read_words()["names"]
    vague = re.compile(rf"(?:^|_)(?:{'|'.join(words)})(?:_|$)")
    for file in python_files():
        for node in named_nodes(file):
            name = defined_name(node)
            if not vague.search(name.lower()) or (name_of(file), name) in NAMES_THAT_STAY:
                continue
            for pattern, better in words.items():
                if match := re.search(rf"(?:^|_)({pattern})(?:_|$)", name.lower()):
                    line = getattr(node, "lineno", 1)
                    yield f"{name_of(file)}:{line}: {match[1]} in the name {name}: use {better}"


def defined_name(node: ast.AST) -> str:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return node.name
    if isinstance(node, ast.arg):
        return node.arg
    return node.id if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else ""


def find_dialect() -> Iterator[str]:
    """Find words of the project's former private English in comments, docstrings and documentation."""
    words = read_words()["prose"]
    for file in (*python_files(), *pages()):
        text = file.read_text("utf-8")
        if file.suffix == ".py":
            docstrings = (ast.get_docstring(node) or "" for node in named_nodes(file) if isinstance(node, DOCUMENTED))
            text = "\n".join([*docstrings, *re.findall(r"#.*", text)])
        for pattern, better in words.items():
            yield from (f"{name_of(file)}: {match[0]}: use {better}" for match in re.finditer(pattern, text))


def find_long_sentences() -> Iterator[str]:
    """Find sentences of more than MOST_WORDS words in the documentation, outside tables and code.

    A semicolon or a colon ends a sentence, for what follows can be read alone.
    """
    for page in pages():
        text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
        text = re.sub(r"(?<=\n\n)( {4}.*\n)+|^[|#].*$", "\n\n", text, flags=re.MULTILINE)
        for block in re.split(r"\n\s*\n|\n\s*(?:[-*]|\d+\.) ", re.sub(r"`[^`]*`", "code", text)):
            for sentence in re.split(r"(?<=[.!?:;])\s+", block):
                if (words := len(sentence.split())) > MOST_WORDS:
                    yield f"{name_of(page)}: a sentence has {words} words: {' '.join(sentence.split()[:8])} ..."


def find_words_to_avoid() -> Iterator[str]:
    """Find words that the glossary replaces: in messages of both languages and in Chinese pages."""
    avoid = read_words()
    unneeded = {(pattern, beginning) for pattern, beginnings in avoid["except"].items() for beginning in beginnings}
    for entry in polib.pofile(str(CATALOGUE)):
        if entry.obsolete:
            continue
        english = "\n".join((entry.msgid, entry.msgid_plural))
        texts = {"en": english, "zh-hans": "\n".join((entry.msgstr, *entry.msgstr_plural.values()))}
        for language, text in texts.items():
            for pattern, better in avoid[language].items():
                excepted = {(pattern, start) for start in avoid["except"].get(pattern, ()) if english.startswith(start)}
                if re.search(pattern, text):
                    unneeded -= excepted
                    if not excepted:
                        yield f"{name_of(CATALOGUE)}: {text.strip()!r}: use {better}"
    yield from (
        f"tooling/lint/words_to_avoid.toml: no message needs {start!r} below {pattern!r}" for pattern, start in unneeded
    )
    for page in (page for page in (ROOT / "docs").rglob("*.zh-hans.md") if not page.name.startswith("lab-")):
        for pattern, better in avoid["zh-hans"].items():
            if match := re.search(pattern, page.read_text("utf-8")):
                yield f"{name_of(page)}: {match[0]}: use {better}"


if __name__ == "__main__":
    gc.disable()  # the trees of 1,700 modules have no cycles, and most stay until the end
    problems = list(find_breaches())
    for line in problems:
        print_line(line)
    sys.exit(1 if problems else 0)
