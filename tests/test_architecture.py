"""What docs/architecture.md promises and no linter checks."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
CONTEST = sorted((ROOT / "contest").rglob("*.py"))
PLAYER = sorted((ROOT / "contest/static/contest/player").glob("*.js"))
# Modules of the player that may know the page; all others are rules and run without one. main.js only introduces them.
VIEW_CODE = {
    "view.js",
    "input.js",
    "text.js",
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


def _files_with(pattern: str, files: list[Path]) -> set[str]:
    return {file.relative_to(ROOT).as_posix() for file in files if re.search(pattern, file.read_text())}


def test_only_judging_writes_verdicts():
    writes = r"verdict\s*=\s*(?!=)[^,)\n]*Verdict\.|State\.JUDGED[^)]*judged_at\s*=|\"verdict\": _VERDICT_OF"
    assert _files_with(writes, [file for file in CONTEST if "models" not in file.parts]) == {"contest/judging.py"}


def test_only_the_clock_asks_what_time_it_is():
    asks = r"timezone\.now\(|datetime\.(now|utcnow)\("
    assert _files_with(asks, CONTEST) == {"contest/clock.py"}


def test_only_settings_read_the_environment():
    allowed = {"contest/settings.py", "contest/celery.py", "contest/wsgi.py"}
    assert _files_with(r"os\.environ|getenv\(", CONTEST) <= allowed


def test_only_view_code_touches_the_page():
    rules = [file for file in PLAYER if file.name not in VIEW_CODE]
    rules += [file for file in REPLAY if file.name not in REPLAY_VIEW_CODE]
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
