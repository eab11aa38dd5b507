"""The linters in tooling/lint find what they forbid: each rule in a small project that breaks it once."""

import shutil

import pytest

from tooling.folders import ROOT
from tooling.lint import house_rules, rulebook, transactions, wording

RULES = rulebook.ENGLISH
LINES = "\n" * house_rules.MOST_LINES


@pytest.fixture
def project(tmp_path, monkeypatch):
    for linter in (house_rules, rulebook, transactions, wording):
        monkeypatch.setattr(linter, "ROOT", tmp_path)
    monkeypatch.setattr(rulebook, "NOTHING_TO_TEST", {})
    monkeypatch.setattr(transactions, "NONE_OF_THEIR_OWN", "")
    (tmp_path / "tooling/lint").mkdir(parents=True)
    shutil.copy(ROOT / "tooling/lint/words_to_avoid.toml", tmp_path / "tooling/lint")

    def write(name: str, text: str = "") -> None:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    pages = ("docs/explanation/walks.md", "docs/how-to/extending.md", "docs/reference/glossary.md")
    for name in (*pages, "contest/rules/__init__.py", "dev.py"):
        write(name)
    return write


@pytest.mark.parametrize(
    ("rule", "name", "text", "breach"),
    [
        (house_rules.find_patterns, "contest/web/a.py", "verdict = Verdict.ACCEPTED\n", "only judging writes verdicts"),
        (house_rules.check_sizes, "solvers/a.py", f"{LINES}\n", "solvers/a.py: 351 lines, 350 are allowed"),
        (house_rules.check_sizes, "tests/test_a.py", "def test_a():\n" + "    a()\n" * 40, "test_a: 41 lines"),
        (house_rules.tags_of_a_line, "templates/a.html", "\n" + "{% a %}" * 4, "a.html:2: 4 tags, 3 are allowed"),
        (
            house_rules.check_kernels, "solvers/a.py", "\n@inner\ndef f(a, b, c, d, e, f, g, h, i): ...\n",
            "solvers/a.py:3: f: 9 parameters, 8 are allowed",
        ),
        (house_rules.check_package_docstrings, "contest/rules/a.py", "", "the docstring does not name `a`"),
        (house_rules.find_unused_functions, "contest/a.py", "\ndef count(): ...\n", "a.py:2: only tests call count"),
        (house_rules.check_paths_in_docs, "solvers/a.py", "# docs/none.md", "a.py: docs/none.md does not exist"),
        (
            house_rules.check_extending_page, "docs/how-to/extending.md",
            "| [`contest/a.py`](../../contest/a.py) `count` |\n", "contest/a.py defines no count",
        ),
        (
            house_rules.check_glossary, "docs/reference/glossary.md", "| push | push | a move | `contest/a.py` |\n",
            "push: no Chinese, no meaning, or no such name in contest/a.py",
        ),
        (rulebook.check_numbers, RULES, "- **8.2** Fewest moves.\n", "section 8 is not numbered in order"),
        (rulebook.check_citations, RULES, "- **8.1** Fewest moves.\n", "no test cites rule 8.1"),
        (rulebook.check_citations, "contest/a.py", "# Rule 9.9.\n", "there is no rule 9.9"),
        (rulebook.check_languages, RULES, "- **8.1** Fewest moves.\n", "rule None where"),
        (rulebook.check_tables, RULES, "this English page prevails\n## 17.\n| a |\n|---|\n| b |\n", "section 17"),
        (transactions.find_breaches, "contest/a.py", "def take(): a.lock()\n", "contest/a.take locks rows"),
        (wording.check_docstrings, "solvers/a.py", '"""Whether it is."""\n', "a.py:1: a docstring begins with Whether"),
        (wording.find_vague_names, "tests/a.py", "\ntold = 1\n", "tests/a.py:2: told in the name told"),
        (wording.find_dialect, "docs/a.md", "Whoever pushes.", "docs/a.md: Whoever"),
        (wording.find_long_sentences, "docs/a.md", "Push " * 30 + "now.", "docs/a.md: a sentence has 31 words"),
    ],
)  # fmt: skip
def test_a_rule_names_the_file_that_breaks_it(project, rule, name, text, breach):
    project(name, text)
    breaches = list(rule())
    assert len(breaches) == 1
    assert breach in breaches[0]
