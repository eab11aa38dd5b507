"""Cache the parts of a page that are the same for all readers, per language."""

from django import template
from django.template.base import FilterExpression, NodeList, Parser, Token
from django.template.loader_tags import BlockNode
from django.urls import get_script_prefix
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from contest.infra import identity

register = template.Library()

# Limits the memory if a client can choose a named value; such values should be few.
_MOST_KEPT = 64


class OnceNode(template.Node):
    """A part of a template that depends only on the language and the values named in its tag."""

    child_nodelists = ()  # It contains no block, so Django's search for blocks on each page can skip it.

    def __init__(self, nodelist: NodeList, named: dict[str, FilterExpression]) -> None:
        self.nodelist = nodelist
        self._named = named
        self._cached: dict[tuple[object, ...], SafeString] = {}
        self._version = 0  # of the site's name and colours

    def render(self, context: template.Context) -> SafeString:
        """Render the part, or return the cached result for the same language and values."""
        values = {name: expression.resolve(context) for name, expression in self._named.items()}
        if self._version != identity.version():
            self._version, self._cached = identity.version(), {}
        key = (get_language(), get_script_prefix(), *values.values())
        html = self._cached.get(key)
        if html is None:
            html = self.nodelist.render(context.new(values))
            if len(self._cached) < _MOST_KEPT:
                self._cached[key] = html
        return html


@register.tag
def once(parser: Parser, token: Token) -> OnceNode:
    """Render the part up to `endonce` once per language and values of the names in the tag.

    No other name is defined in it, so no reader's data can be cached. It cannot contain blocks, which vary by page.
    """
    names = token.split_contents()[1:]
    nodes = parser.parse(("endonce",))
    parser.delete_first_token()
    if nodes.get_nodes_by_type(BlockNode):
        raise template.TemplateSyntaxError("what is made once can hold no block")
    return OnceNode(nodes, {name: parser.compile_filter(name) for name in names})
