"""What a page says alike to everybody, made once for each language."""

from django import template
from django.template.base import FilterExpression, NodeList, Parser, Token
from django.template.loader_tags import BlockNode
from django.urls import get_script_prefix
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()

# A name is one with few values. Whoever could choose one at will fills no memory with it.
_MOST_KEPT = 64


class OnceNode(template.Node):
    """A part of a template that knows nothing of the page but its language and the values named in its tag."""

    child_nodelists = ()  # it holds no block: whoever looks for those, as each page does, need not look here

    def __init__(self, nodelist: NodeList, named: dict[str, FilterExpression]) -> None:
        self.nodelist = nodelist
        self._named = named
        self._made: dict[tuple[object, ...], SafeString] = {}

    def render(self, context: template.Context) -> SafeString:
        """Give what was made before with the same values."""
        values = {name: expression.resolve(context) for name, expression in self._named.items()}
        key = (get_language(), get_script_prefix(), *values.values())
        made = self._made.get(key)
        if made is None:
            made = self.nodelist.render(context.new(values))
            if len(self._made) < _MOST_KEPT:
                self._made[key] = made
        return made


@register.tag
def once(parser: Parser, token: Token) -> OnceNode:
    """Make what stands up to `endonce` once for each language and each value of the names that follow.

    No other name is known there, so that nothing of a reader can stay. Blocks are of the page, and stand outside.
    """
    names = token.split_contents()[1:]
    nodes = parser.parse(("endonce",))
    parser.delete_first_token()
    if nodes.get_nodes_by_type(BlockNode):
        raise template.TemplateSyntaxError("what is made once can hold no block")
    return OnceNode(nodes, {name: parser.compile_filter(name) for name in names})
