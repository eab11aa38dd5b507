"""What docs/architecture.md promises and no linter checks."""

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
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
    "tabs.js",
    "view.js",
    "input.js",
    "text.js",
    "settings.js",
    "skin.js",
    "store.js",
    "submit.js",
    "tree.js",
    "main.js",
    "controls.js",
    "pads.js",
    "parts.js",
    "entry.js",
    "verdict.js",
    "preview.js",
    "lurd.js",
}
# The same of watching replays.
REPLAY = sorted((ROOT / "contest/static/contest/replay").glob("*.js"))
REPLAY_VIEW_CODE = {"embed.js", "main.js", "overlay.js", "parting.js", "projector.js", "screen.js", "telling.js"}
# And of the lab.
LAB = sorted((ROOT / "contest/static/contest/lab").rglob("*.js"))
LAB_VIEW_CODE = {
    "board.js",
    "builder.js",
    "drawing.js",
    "games-page.js",
    "klotski-editor.js",
    "klotski-page.js",
    "klotski-view.js",
    "knight-page.js",
    "opening.js",
    "page.js",
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


@cache
def tree_of(file: Path) -> ast.Module:
    return ast.parse(file.read_text())


def _files_with(pattern: str, files: list[Path]) -> set[str]:
    return {file.relative_to(ROOT).as_posix() for file in files if re.search(pattern, file.read_text())}


def test_only_judging_writes_verdicts():
    writes = r"verdict\s*=\s*(?!=)[^,)\n]*Verdict\.|State\.JUDGED[^)]*judged_at\s*=|\"verdict\": _VERDICT_OF"
    writes += "|state = 'judged'"
    outside_models = [file for file in CONTEST if "models" not in file.parts]
    assert _files_with(writes, outside_models) == {"contest/judging/outcomes.py", "contest/judging/record.py"}


def test_only_the_clock_asks_what_time_it_is():
    asks = r"timezone\.now\(|datetime\.(now|utcnow)\("
    moving = {"contest/migrations/0021_keep_one_form_of_an_address.py"}  # a migration runs when it runs
    assert _files_with(asks, CONTEST) - moving == {"contest/infra/clock.py"}


def test_only_settings_read_the_environment():
    allowed = {
        "contest/settings/environment.py",
        "contest/celery/__init__.py",
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


TEMPLATES = sorted(file for file in (ROOT / "templates").rglob("*") if file.is_file())


def test_templates_decide_nothing():
    """A row or a view says by one name what is asked of it: two in one condition are a rule of the contest."""
    compound = r"\{%\s*(el)?if\s(?:(?!%\}).)*\s(and|or)\s"
    assert _files_with(compound, TEMPLATES) == set()


def test_no_line_of_a_template_is_longer_than_160_characters():
    assert TEMPLATES
    long = r"(?m)^.{161,}$"
    assert _files_with(long, TEMPLATES) == set()


def test_words_are_marked_by_names_that_makemessages_knows():
    """Under another name they would stay English, and no search for what lacks its Chinese would find them."""
    assert _files_with(r"gettext\w* as (?!_\b)\w+", CONTEST) == set()


MAP = (ROOT / "docs" / "architecture.md").read_text("utf-8")


def test_the_drawing_of_the_house_is_what_the_linter_holds():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    (layers,) = (contract["layers"] for contract in contracts if contract["type"] == "layers")
    held = [set(layer.split(" | ")) - {"migrations"} for layer in layers]
    drawing = MAP.partition("```\n")[2].partition("----")[0]
    rooms = [line[14:].partition("  ")[0] for line in drawing.splitlines() if line[:1].strip()]
    assert [set(re.findall(r"\w+", re.sub(r"\(.*\)", "", row))) for row in rooms] == held
    assert len(held) <= 25


def test_the_map_is_read_in_five_minutes():
    """At two hundred words a minute."""
    assert len(MAP.split()) <= 1_000


# Doors are named for what the reader asks for; the rooms below them need a sign.
UNSIGNED = {"management", "migrations", "static", "templatetags", "locale", "verify"}
UNSIGNED |= {"admin", "api", "desk", "legacy", "web"}
ROOMS = sorted(file.parent for file in (ROOT / "contest").glob("*/__init__.py") if file.parent.name not in UNSIGNED)
ROOMS += sorted(file.parent for file in (ROOT / "contest/models").glob("*/__init__.py"))
ROOMS += [ROOT / "contest/archive/witnesses", ROOT / "contest/management/demo", ROOT / "contest/outreach/community"]
ROOMS += [ROOT / "solvers/klotski/records", ROOT / "solvers/klotski/searching"]
ROOMS += sorted(file.parent for file in (ROOT / "solvers/sokoban/solving").rglob("__init__.py"))


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_the_face_of_a_room_names_each_of_its_files(room):
    face = ast.get_docstring(tree_of(room / "__init__.py")) or ""
    files = {file.stem for file in room.iterdir() if file.suffix == ".py" or (file / "__init__.py").exists()}
    assert {name for name in files - {"__init__"} if f"`{name}`" not in face} == set()


MODULES = [file for top in ("contest", "solvers", "tooling", "bench", "client") for file in (ROOT / top).rglob("*.py")]
MODULES = [file for file in MODULES if not {"migrations", "tests"} & set(file.relative_to(ROOT).parts)]
SCRIPTS = [file for file in (ROOT / "contest/static/contest").rglob("*.js") if "vendor" not in file.parts]


def test_no_module_is_longer_than_350_lines():
    assert MODULES
    assert SCRIPTS
    files = MODULES + SCRIPTS
    assert [file.relative_to(ROOT).as_posix() for file in files if len(file.read_text().splitlines()) > 350] == []


def test_the_players_wiring_stays_under_100_lines():
    """What it introduces to each other are objects with tests of their own."""
    assert len((ROOT / "contest/static/contest/player/page/main.js").read_text().splitlines()) < 100


def test_no_folder_has_more_than_15_files_beside_its_face():
    files = [file for file in MODULES if file.name != "__init__.py"] + SCRIPTS + TEMPLATES
    folders = Counter(file.parent.relative_to(ROOT).as_posix() for file in files)
    assert {folder: files for folder, files in folders.items() if files > 15} == {}


def test_pages_of_the_docs_that_code_names_are_there():
    named = {page for file in MODULES for page in re.findall(r"docs/[\w./-]+\.md", file.read_text("utf-8"))}
    assert {page for page in named if not (ROOT / page).exists()} == set()


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
        names = {name for name in public_functions(tree_of(file).body) if is_participle(name)}
        if names:
            found[file.relative_to(ROOT).as_posix()] = names
    assert found == {}


# A table, which migrations name; the answers of a solver; and objects of the API, whose names clients know.
CLASSES_AS_NAMED_ELSEWHERE = {"Rejudged", "Solved", "Unknown", "Sent", "Accepted"}


def public_classes(body: list[ast.stmt]) -> Iterator[str]:
    """The classes without the exceptions, which say what happened."""
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            bases = [ast.unparse(base) for base in node.bases]
            if not any(base.endswith(("Exception", "Error", "Failed")) for base in bases):
                yield node.name


def test_no_public_class_is_named_by_a_participle_alone():
    found = {}
    for file in MODULES:
        public = public_classes(tree_of(file).body)
        names = {name for name in public if is_participle(name[:1].lower() + name[1:]) and name[1:].islower()}
        if names - CLASSES_AS_NAMED_ELSEWHERE:
            found[file.relative_to(ROOT).as_posix()] = names
    assert found == {}


# Called by Django and by Celery's signals without being named.
CALLED_BY_NAME = {"process_exception", "to_url"}
SIGNALS = re.compile(r"\breceiver\b|\bconnect\b")


def used_names(tree: ast.AST) -> Iterator[str]:
    """Every name that is read somewhere, not where it is only imported and listed to be handed on."""
    faces = [
        node for node in ast.walk(tree) if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    ]
    listed = {id(name) for face in faces for name in ast.walk(face)}
    for node in ast.walk(tree):
        if id(node) in listed:
            continue
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                yield name
            case ast.keyword(arg=str(name)):
                yield name
            case ast.alias(name=name, asname=str()):
                yield name
            case ast.Constant(value=str(text)) if len(text) < 80:
                yield from re.findall(r"\w+", text)


def own_functions(body: list[ast.stmt]) -> Iterator[str]:
    """The functions, and the methods of selections and of classes without a base: of others a base may call them."""
    for node in body:
        if isinstance(node, ast.ClassDef) and all("QuerySet[" in ast.unparse(base) for base in node.bases):
            yield from own_functions(node.body)
        elif isinstance(node, ast.FunctionDef) and not (node.name.startswith("__") or is_signalled(node)):
            yield node.name


def is_signalled(node: ast.FunctionDef) -> bool:
    return any(SIGNALS.search(ast.unparse(one)) for one in node.decorator_list)


def test_the_library_compares_no_enumeration_by_identity():
    """A caller's plain string equals the member that it names, and is another object."""
    member = r"[A-Z]\w*\.[A-Z_]+"
    by_identity = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for file in MODULES
        if file.is_relative_to(ROOT / "solvers")
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is | ast.IsNot)
        and any(re.fullmatch(member, ast.unparse(side)) for side in (node.left, *node.comparators))
    ]  # fmt: skip
    assert by_identity == []


def test_no_function_of_the_site_is_there_for_tests_alone():
    trees = {file: tree_of(file) for file in MODULES}
    used = {name for tree in trees.values() for name in used_names(tree)}
    used |= {word for file in TEMPLATES for word in re.findall(r"\w+", file.read_text())}
    unused = {
        file.relative_to(ROOT).as_posix(): names
        for file, tree in trees.items()
        if file.is_relative_to(ROOT / "contest") and (names := set(own_functions(tree.body)) - used - CALLED_BY_NAME)
    }
    assert unused == {}
