import json
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.files.base import ContentFile
from django.template import Context, Template

from contest.infra.bundling import bundle, imports_of
from contest.web.shell.static import HashedStaticFiles

PLAYER = "contest/player/page/main.js"


def read(path):
    return Path(finders.find(path)).read_text(encoding="utf-8")


@pytest.mark.parametrize("entry", HashedStaticFiles.bundles)
def test_every_bundle_builds_and_imports_nothing(entry):
    whole = bundle(entry, read)
    assert not re.search(r"^(import|export)\b", whole, re.MULTILINE)
    assert whole.count("const module_") == 1 + len(imports_of(entry))


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
