import json
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.files.base import ContentFile
from django.template import Context, Template

from contest.infra.bundling import CannotBundle, bundle, imports_of
from contest.web.shell.static import HashedStaticFiles

PLAYER = "contest/player/page/main.js"


def read(path):
    return Path(finders.find(path)).read_text(encoding="utf-8")


def made_of(texts, entry="a/main.js"):
    return bundle(entry, texts.__getitem__)


def test_a_module_follows_its_imports_and_appears_once():
    whole = bundle(PLAYER, read)
    for path in (PLAYER, *imports_of(PLAYER)):
        assert whole.count(f"// {path}\n") == 1
    assert whole.index("// contest/player/rules/game.js\n") < whole.index("// contest/player/play/play.js\n")
    assert whole.rindex("\n// contest/") == whole.index(f"\n// {PLAYER}\n")


@pytest.mark.parametrize("entry", HashedStaticFiles.bundles)
def test_every_bundle_builds_and_imports_nothing(entry):
    whole = bundle(entry, read)
    assert not re.search(r"^(import|export)\b", whole, re.MULTILINE)
    assert whole.count("const module_") == 1 + len(imports_of(entry))


def test_renamed_imports_keep_their_meaning():
    texts = {"a/main.js": 'import { one as two } from "../b/x.js";\ntwo();', "b/x.js": "export function one() {}\n"}
    assert "const { one: two } = module_0;" in made_of(texts)
    assert "return { one };" in made_of(texts)


@pytest.mark.parametrize(
    "text",
    ['import x from "./x.js";', 'import "./x.js";', "export default 1;", "export { a };", 'export * from "./x.js";'],
)
def test_unsupported_syntax_is_refused(text):
    with pytest.raises(CannotBundle, match=r"a/main\.js says"):
        made_of({"a/main.js": text})


def test_comment_lines_are_removed():
    text = """/** What one is. */
export const one = 1; // one

  /**
   * As `one` is.
   */
  // and two
const two = "/* 2 */"; const web = `
https://example.org`;
"""
    whole = made_of({"a/main.js": text})
    body = 'const one = 1; // one\n\nconst two = "/* 2 */"; const web = `\nhttps://example.org`;\n'
    assert whole == f"// a/main.js\nconst module_0 = (() => {{\n{body}\nreturn {{ one }};\n}})();\n\n"


@pytest.mark.parametrize("line", ["// no comment", "  /** no comment */"])
def test_a_string_that_looks_like_a_comment_is_refused(line):
    with pytest.raises(CannotBundle, match=r"a/main\.js has an indented line or a comment"):
        made_of({"a/main.js": f"// a comment\nconst text = `\n{line}\n`;\n"})


def test_a_circular_import_is_refused():
    texts = {"a/main.js": 'import { b } from "./b.js";', "a/b.js": 'import { a } from "./main.js";'}
    with pytest.raises(CannotBundle, match="circle"):
        made_of(texts)


def test_a_page_loads_one_hashed_script_and_few_files_are_stored_for_offline_use(tmp_path, monkeypatch, client, db):
    """From the player's files as collectstatic leaves them."""
    storage = HashedStaticFiles(location=tmp_path, base_url="/static/")
    paths = (
        PLAYER,
        *imports_of(PLAYER),
        "contest/site.css",
        "contest/player.css",
        "contest/mark.svg",
        "contest/skins/skins.json",
    )
    for path in paths:
        storage.save(path, ContentFile(Path(finders.find(path)).read_bytes()))
    every = {path: (storage, path) for path in paths}
    assert not [error for *_names, error in storage.post_process(every) if isinstance(error, Exception)]
    monkeypatch.setattr("contest.infra.bundling.staticfiles_storage", storage)
    monkeypatch.setattr("contest.templatetags.modules.static", storage.url)
    rendered = Template('{% load modules %}{% module "contest/player/page/main.js" %}').render(Context())
    assert rendered.count("/static/contest/player/") == 1
    name = re.search(r'src="/static/(contest/player/page/main\.bundle\.[0-9a-f]{12}\.js)"', rendered)[1]
    assert Path(storage.path(name)).read_text() == bundle(PLAYER, read)
    shell = json.loads(re.search(r"const SHELL = (\[.*\]);", client.get("/play-worker.js").content.decode())[1])
    assert any("main.bundle" in address for address in shell)
    assert len(shell) <= 13  # with the first steps and the table of sprites
