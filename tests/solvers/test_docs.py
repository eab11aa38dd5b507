import doctest
import io
import re
import shlex
import sys
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TUTORIALS = [ROOT / "docs/tutorials" / f"puzzle-library{language}.md" for language in ("", ".zh-hans")]
REFERENCE = [ROOT / "docs/reference" / f"{name}.md" for name in ("solvers", "knights", "games", "klotski")]
PAGES = [*TUTORIALS, *REFERENCE]
# With the pages that have no commands.
PYTHON_PAGES = [
    *PAGES,
    ROOT / "docs" / "reference" / "logic.md",
    *(ROOT / "docs" / "how-to").glob("language-models*.md"),
]


def blocks(page):
    return re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_commands_of_a_page_print_the_documented_output(page, tmp_path, monkeypatch):
    """The first block of solvers.md creates the file that its other blocks use."""
    monkeypatch.chdir(tmp_path)
    assert len(blocks(page)) >= 3
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", "".join(blocks(page)), re.MULTILINE):
        assert carried_out(shlex.split(command), monkeypatch) == expected, command


def carried_out(words, monkeypatch):
    """Return a shell command's output; it may read from `echo` or write to a file. No process is started."""
    if words[0] == "cat":
        return Path(words[1]).read_text("utf-8")
    input_text = f"{words[1]}\n" if words[0] == "echo" else ""
    words = words[words.index("python") :]
    words, target = (words[:-2], words[-1]) if ">" in words else (words, None)
    shown = io.TextIOWrapper(io.BytesIO(), "utf-8")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(input_text.encode())))
    with redirect_stdout(shown), redirect_stderr(shown):
        import_module(f"{words[2]}.__main__").main(words[3:])
    text = shown.buffer.getvalue().decode()
    if target:
        Path(target).write_text(text, "utf-8")
    return "" if target else text


@pytest.mark.parametrize("page", PYTHON_PAGES, ids=lambda page: page.stem)
def test_the_python_examples_of_a_page_are_true(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert (failed, tried > 4) == (0, True)
