"""Parts of a screen that are the same for everybody, rendered once a process; a builtin of all templates.

    {% kept rules=rules stands=corpus.guideline_version %} ... {% endkept %}

The part is rendered with what is named in the tag and nothing else, so nothing of a person gets into it.
"""

from collections.abc import Hashable, Mapping
from typing import Any

from django import template
from django.template import Context, Node, NodeList
from django.template.base import FilterExpression, Parser, Token, token_kwargs
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()

# Of each part; then it is begun anew.
AT_MOST = 64


class KeptNode(Node):
    child_nodelists = ("nodelist",)

    def __init__(self, nodelist: NodeList, named: Mapping[str, FilterExpression]) -> None:
        self.nodelist = nodelist
        self._named = named
        self._kept: dict[Hashable, SafeString] = {}

    def render(self, context: Context) -> SafeString:
        values: dict[str, Any] = {name: given.resolve(context) for name, given in self._named.items()}
        key = (get_language(), *values.values())
        found = self._kept.get(key)
        if found is None:
            found = self.nodelist.render(context.new(values))
            if len(self._kept) >= AT_MOST:
                self._kept.clear()
            self._kept[key] = found
        return found


@register.tag
def kept(parser: Parser, token: Token) -> KeptNode:
    """What stands up to `endkept`, kept by language and by the values named, which must be hashable."""
    named = token_kwargs(token.split_contents()[1:], parser)
    nodelist = parser.parse(("endkept",))
    parser.delete_first_token()
    return KeptNode(nodelist, named)
