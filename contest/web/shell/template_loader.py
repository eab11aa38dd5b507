"""Template loader that removes the white space that lays out the HTML templates."""

import re

from django.template import Origin, Template
from django.template.loaders import filesystem

# White space counts in these elements and tags, so they stay as they are.
_RAW = re.compile(
    r"<(pre|textarea|script|style)\b.*?</\1\s*>"
    r"|\{%\s*(verbatim|comment|blocktrans(?:late)?)\b(?:(?!%\}).)*%\}.*?\{%\s*end\2\s*%\}",
    re.DOTALL | re.IGNORECASE,
)
# Placeholders for raw parts with and without output; no template contains these characters.
_OUTPUT, _NO_OUTPUT = "\0", "\1"
_STORED = re.compile(r"\{%\s*(?:comment\b|(?:(?!%\}).)*\sasvar\s)")
_NAMES = r"(?:end)?(?:autoescape|block|for|if|ifchanged|language|once|with)|elif|else|empty|extends|load"
# Tags that output nothing themselves, tags that store their result (`as name`), and comments.
_SILENT = rf"\{{%\s*(?:(?:{_NAMES})\b(?:(?!%\}}).)*|(?:(?!%\}}).)*\sas\s\w+\s*)%\}}|\{{#.*?#\}}|{_NO_OUTPUT}"
_INDENTATION = re.compile(r"^\s+", re.MULTILINE)
_SILENT_LINE = re.compile(rf"^((?:(?:{_SILENT})[ \t]*)+)\n", re.MULTILINE)
_BETWEEN_TAGS = re.compile(r"(?<=[%#]\})[ \t]+(?=\{[%#]|$)")


class Loader(filesystem.Loader):
    """Load templates from DIRS; remove layout from `.html` files, like Jinja's trim_blocks and lstrip_blocks.

    Indentation, blank lines and the newline at the end of a file are removed. A line that has only silent tags and
    comments leaves nothing. Other newlines stay, because they separate words.
    """

    def get_contents(self, origin: Origin) -> str:
        """Return the text of the template without layout.

        Its line numbers differ from those of the file. With `debug`, compile the file itself first, so that a syntax
        error names the line in the file.
        """
        source = super().get_contents(origin)
        if not origin.name.endswith(".html"):
            return source
        if self.engine.debug:
            Template(source, origin, str(origin.template_name), self.engine)
        return remove_layout(source)


def remove_layout(source: str) -> str:
    r"""Return *source* without the white space that only lays it out.

    >>> remove_layout("<ul>\n  {% for name in names %}\n    <li>{{ name }}</li>\n  {% endfor %}\n</ul>\n")
    '<ul>\n{% for name in names %}<li>{{ name }}</li>\n{% endfor %}</ul>'
    """
    raw_parts = iter([match[0] for match in _RAW.finditer(source)])
    text = _RAW.sub(lambda part: _NO_OUTPUT if _STORED.match(part[0]) else _OUTPUT, source)
    text = _INDENTATION.sub("", text).removesuffix("\n") + "\n"
    text = _SILENT_LINE.sub(lambda line: _BETWEEN_TAGS.sub("", line[1]), text).removesuffix("\n")
    return re.sub(f"[{_OUTPUT}{_NO_OUTPUT}]", lambda _: next(raw_parts), text)
