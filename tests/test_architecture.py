"""What docs/architecture.md promises and no linter checks."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CONTEST = sorted((ROOT / "contest").rglob("*.py"))
PLAYER = sorted((ROOT / "contest/static/contest/player").rglob("*.js"))
# Modules of the player that may know the page; all others are rules and run without one. main.js only introduces them.
VIEW_CODE = {
    "acts.js",
    "looks.js",
    "menu.js",
    "movelist.js",
    "table.js",
    "view.js",
    "input.js",
    "text.js",
    "settings.js",
    "skin.js",
    "store.js",
    "submit.js",
    "main.js",
    "controls.js",
    "entry.js",
    "verdict.js",
    "preview.js",
    "lurd.js",
}
# The same of watching replays.
REPLAY = sorted((ROOT / "contest/static/contest/replay").glob("*.js"))
REPLAY_VIEW_CODE = {"embed.js", "main.js", "overlay.js", "parting.js", "projector.js", "screen.js"}
# And of the lab.
LAB = sorted((ROOT / "contest/static/contest/lab").rglob("*.js"))
LAB_VIEW_CODE = {
    "board.js",
    "games-page.js",
    "klotski-editor.js",
    "klotski-page.js",
    "klotski-view.js",
    "knight-page.js",
    "opening.js",
    "pages.js",
    "path-section.js",
    "rebuild-section.js",
    "savitch-section.js",
    "series-section.js",
}
# And of the editor.
EDITOR = sorted((ROOT / "contest/static/contest/editor").rglob("*.js"))
EDITOR_VIEW_CODE = {
    "board.js",
    "findings.js",
    "frame.js",
    "keeping.js",
    "main.js",
    "names.js",
    "section.js",
    "sheet.js",
    "texts.js",
}


def _files_with(pattern: str, files: list[Path]) -> set[str]:
    return {file.relative_to(ROOT).as_posix() for file in files if re.search(pattern, file.read_text())}


def test_only_judging_writes_verdicts():
    writes = r"verdict\s*=\s*(?!=)[^,)\n]*Verdict\.|State\.JUDGED[^)]*judged_at\s*=|\"verdict\": _VERDICT_OF"
    writes += "|state = 'judged'"
    outside_models = [file for file in CONTEST if "models" not in file.parts]
    assert _files_with(writes, outside_models) == {"contest/judging/judge.py", "contest/judging/record.py"}


def test_only_the_clock_asks_what_time_it_is():
    asks = r"timezone\.now\(|datetime\.(now|utcnow)\("
    moving = {"contest/migrations/0021_keep_one_form_of_an_address.py"}  # a migration runs when it runs
    assert _files_with(asks, CONTEST) - moving == {"contest/infra/clock.py"}


def test_only_settings_read_the_environment():
    allowed = {
        "contest/settings/environment.py",
        "contest/celery.py",
        "contest/wsgi.py",
        "contest/front/__main__.py",
        "contest/__main__.py",
    }
    assert _files_with(r"os\.environ|getenv\(", CONTEST) <= allowed


def test_only_view_code_touches_the_page():
    rules = [file for file in PLAYER if file.name not in VIEW_CODE]
    rules += [file for file in REPLAY if file.name not in REPLAY_VIEW_CODE]
    rules += [file for file in LAB if file.name not in LAB_VIEW_CODE]
    rules += [file for file in EDITOR if file.name not in EDITOR_VIEW_CODE]
    assert rules
    assert _files_with(r"\b(document|window|localStorage|querySelector)\b\s*[.(]", rules) == set()


def test_templates_hold_no_inline_script_or_style():
    """The content security policy would block them."""
    templates = sorted((ROOT / "templates").rglob("*.html"))
    inline = r"<script(?![^>]*\bsrc=)(?![^>]*application/json)[^>]*>|<style|\sstyle=|\son[a-z]+="
    assert templates
    assert _files_with(inline, templates) == set()


def test_words_are_marked_by_names_that_makemessages_knows():
    """Under another name they would stay English, and no search for what lacks its Chinese would find them."""
    assert _files_with(r"gettext\w* as (?!_\b)\w+", CONTEST) == set()


# Models are named for what they hold, and doors for what the reader asks for; the rooms between them need a sign.
UNSIGNED = {"management", "migrations", "models", "static", "templatetags", "locale", "verify"}
UNSIGNED |= {"admin", "api", "desk", "legacy", "letslogic", "web"}
ROOMS = sorted(file.parent for file in (ROOT / "contest").glob("*/__init__.py") if file.parent.name not in UNSIGNED)


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_the_face_of_a_room_names_each_of_its_files(room):
    face = ast.get_docstring(ast.parse((room / "__init__.py").read_text())) or ""
    files = {file.stem for file in room.iterdir() if file.suffix == ".py" or (file / "__init__.py").exists()}
    assert {name for name in files - {"__init__"} if f"`{name}`" not in face} == set()


MODULES = [file for top in ("contest", "solvers", "tooling", "bench", "client") for file in (ROOT / top).rglob("*.py")]
MODULES = [file for file in MODULES if not {"migrations", "tests"} & set(file.relative_to(ROOT).parts)]
# Folders in which a reader looks for one name in a list, and each file bears it.
LISTS = {
    "bench": "one file a measurement",
    "contest/models": "one file a table, or a few that belong together",
    "solvers/klotski": "a library: one file a question",
    "solvers/sokoban": "a library: one file a question",
    "solvers/sokoban/solving": "one file a way of searching",
}


def test_no_module_is_longer_than_350_lines():
    assert MODULES
    assert [file.relative_to(ROOT).as_posix() for file in MODULES if len(file.read_text().splitlines()) > 350] == []


def test_no_folder_has_more_than_15_files_beside_its_face():
    folders = Counter(file.parent.relative_to(ROOT).as_posix() for file in MODULES if file.name != "__init__.py")
    assert {folder for folder, files in folders.items() if files > 15} == set(LISTS)


def test_tests_that_the_security_pages_name_are_there():
    for page in ("docs/security.md", "docs/asvs.md"):
        named = re.findall(r"`(tests/[\w/.]+)`", (ROOT / page).read_text())
        assert [path for path in named if not (ROOT / path).exists()] == []


IRREGULAR = (
    "begun bought brought built caught chosen done drawn driven found given gone held hidden kept known laid "
    "lost made meant met paid seen sent shown sold sought spent taken taught thought told withheld won worn written"
)
NO_PARTICIPLES = {
    "embed",
    "feed",
    "need",
    "oembed",
    "open",
    "red",
    "screen",
    "seed",
    "speed",
    "tighten",
    "token",
    "when",
}
# Not renamed yet.
LEFT = {
    "contest/infra/job_queue.py": {"held", "lapsed"},
    "contest/judging/rejudge.py": {"chosen"},
    "contest/submissions/collected.py": {"judged"},
    "contest/submissions/entry.py": {"cleaned", "offered"},
    "contest/submissions/store.py": {"entered"},
    "solvers/sokoban/solving/answers.py": {"checked"},
    "solvers/sokoban/solving/freezing.py": {"unmatched"},
}


def is_participle(name: str) -> bool:
    is_one = name.endswith(("ed", "en")) or name in IRREGULAR.split() or name.removeprefix("un") in IRREGULAR.split()
    return is_one and name not in NO_PARTICIPLES


def public_functions(body: list[ast.stmt]) -> Iterator[str]:
    """The functions, and the methods of classes. A property is a fact, and a QuerySet's method selects by one."""
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and not node.name.endswith("QuerySet"):
            yield from public_functions(node.body)
        elif isinstance(node, ast.FunctionDef) and "_" not in node.name and not is_property(node):
            yield node.name


def is_property(node: ast.FunctionDef) -> bool:
    return any(ast.unparse(one) in ("property", "cached_property") for one in node.decorator_list)


def test_no_public_function_is_named_by_a_participle_alone():
    found = {}
    for file in MODULES:
        names = {name for name in public_functions(ast.parse(file.read_text()).body) if is_participle(name)}
        if names:
            found[file.relative_to(ROOT).as_posix()] = names
    assert found == LEFT
