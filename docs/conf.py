"""Sphinx's settings for the documentation site, which `python3 dev.py docs` builds."""

import os
import re
import sys
import tomllib
from pathlib import Path
from typing import Any, TypeVar

from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "gym")]

project = "Leitai"
version = release = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
language = "en"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["site"]  # the contest server shows these pages itself
myst_heading_anchors = 3

default_role = "code"  # docstrings write code in single backticks
autodoc_default_options = {"members": True, "undoc-members": True, "no-value": True}
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
add_module_names = False
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = "Leitai 擂台"
html_favicon = "../contest/static/contest/mark.svg"
html_baseurl = os.environ.get("DOCS_URL") or os.environ.get("READTHEDOCS_CANONICAL_URL", "https://leitai.example/docs/")
html_static_path = ["_static"]
html_css_files = ["narrow.css"]
html_copy_source = False
html_show_copyright = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#a3321c", "color-brand-content": "#a3321c"},
    "dark_css_variables": {"color-brand-primary": "#ff9d7a", "color-brand-content": "#ff9d7a"},
}

# Where the source files are shown, with a / at the end. Without it, links to them become plain text.
SOURCE = os.environ.get("DOCS_SOURCE", "")
_LINK = re.compile(r"\[([^\]\[]+)\]\(((?:\.\./|/)[^)\s#]*)(?:#[^)]*)?\)")


def link_to_source(app: Sphinx, page: str, content: list[str]) -> None:
    """Replace links that leave this folder: to files by links to their source, to URLs of a contest's site by text."""

    def replace(match: re.Match[str]) -> str:
        text, target = match.groups()
        path = Path(os.path.normpath(Path(app.srcdir, page).parent / target))
        if path.is_relative_to(app.srcdir):
            return match[0]
        return f"[{text}]({SOURCE}{path.relative_to(ROOT)})" if SOURCE and path.is_relative_to(ROOT) else text

    content[0] = _LINK.sub(replace, content[0])


def skip_type_variables(_app: Sphinx, kind: str, _name: str, member: object, *_rest: object) -> bool | None:
    """Leave out the type variables of a module; None leaves other members to Sphinx."""
    return True if kind == "module" and isinstance(member, TypeVar) else None


def drop_generated_texts(
    _app: Sphinx, _kind: str, _name: str, _member: object, _options: object, lines: list[str]
) -> None:
    """Remove what Python itself writes about the fields of named tuples."""
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()


def set_language(_app: Sphinx, page: str, _template: str, context: dict[str, Any], _tree: object) -> None:
    """Declare the language of Chinese pages, for fonts and screen readers; their sidebar begins with Chinese pages."""
    if page.endswith(".zh-hans"):
        context["language"] = "zh-Hans"
        context["furo_navigation_tree"] = in_chinese(context["furo_navigation_tree"])


_CAPTIONS = {"Tutorials": "教程", "How-to": "操作指南", "Reference": "参考", "Explanation": "说明"}


def in_chinese(tree: str) -> str:
    """Return the sidebar's *tree* with the Chinese pages first and Chinese captions over the English ones."""
    *english, chinese = re.split(r'(?=<p class="caption")', tree)
    for caption, translation in _CAPTIONS.items():
        english = [part.replace(f">{caption}</span>", f">{translation}（英文）</span>") for part in english]
    return "".join([chinese, *english])


def setup(app: Sphinx) -> None:
    app.connect("source-read", link_to_source)
    app.connect("autodoc-skip-member", skip_type_variables)
    app.connect("autodoc-process-docstring", drop_generated_texts)
    app.connect("html-page-context", set_language, priority=900)  # after the theme has made the sidebar
