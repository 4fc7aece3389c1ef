"""Elements of the view that stand in for others, and sheets made to match them.

No form, button, frame or drawing of a page exists in its view: a harmless element has its place, and in
`data-tag` the name of the original. In a sheet's selectors `svg` becomes
`img:where([data-tag="svg"])`, which weighs as much, and `img` becomes `img:not(:where([data-tag]))`.

Attributes of a page have names of ours in the view, too, if its sheets speak of them at all: `[data-id="7"]`
becomes `[data-p-data-id="7"]`, as does `attr(data-id)`: none has a meaning, or is taken for one of ours.
"""

import re
from collections.abc import Mapping
from typing import Any

import tinycss2

TAG = "data-tag"  # attribute of the view
OWN = "data-p-"  # before the name of an attribute that only the page's sheets know

_NAME = re.compile(r"[a-z][a-z0-9-]{0,60}")
_ATTRIBUTE = re.compile(r"(?!on)[a-z][a-z0-9_.:-]{0,60}")
BETWEEN = frozenset({"whitespace", "comment"})  # what may stand between any two tokens
# At-rules whose blocks hold rules; of @scope, the prelude holds selectors too.
_HOLD_RULES = frozenset({"container", "layer", "media", "scope", "starting-style", "supports"})
_SELECTOR_FUNCTIONS = "any cue has host host-context is matches -moz-any -webkit-any not slotted where"
_MAX_VALUE = 1_000
_HOLD_SELECTORS = frozenset(_SELECTOR_FUNCTIONS.split())
_BEFORE_OTHER_NAMES = (".", ":", "|")
# In the selectors of a plain rule: attributes, what is passed over, and names of elements.
_STRING = """ "[^"]*+" | '[^']*+' """
_IN_PLAIN = re.compile(
    rf"""
      (?P<start> \[ \s*+ ) (?P<attribute> (?:--|-)?[a-z_][\w-]*+ )
      (?P<rest> (?>(?: [^\]"'] | {_STRING} )*) \] )
    | :(?!(?:{_SELECTOR_FUNCTIONS.replace(" ", "|")})\()[\w-]++\([^()]*+\)
    | \\. [\w-]*+
    | (?<![\w.:|\#-]) (?P<name> [a-z][\w-]*+ )
    """,
    re.VERBOSE | re.ASCII | re.IGNORECASE,
)


class StandIns:
    """Which elements of a page have stand-ins, by name; those without are not spoken of in any rule."""

    def __init__(self, kept_attributes: Mapping[str, str] | None = None) -> None:
        """`kept_attributes`: those that the view has, by the page's names for them; None: rewrite none."""
        self.spoken: set[str] = set()  # names of the others that sheets speak of
        self._kept = kept_attributes
        self._of: dict[str, str] = {}
        self._selectors: dict[str, str] = {}

    def add(self, tag: str, instead: str) -> bool:
        """Note that elements of a name are shown as others; False where the name is none of HTML."""
        if not _NAME.fullmatch(tag):
            return False
        if tag not in self._of:
            self._of[tag] = instead
            self._selectors[tag] = f'{instead}:where([{TAG}="{tag}"])'
            if instead not in self._of:
                self._selectors[instead] = f"{instead}:not(:where([{TAG}]))"
        return True

    def put_into(self, nodes: list[Any]) -> list[Any]:
        """The rules with selectors that match the stand-ins."""
        return self._rules(nodes) if self._selectors or self._kept is not None else nodes

    def put_into_plain(self, rule: str) -> str:
        """The same for the text of one rule that is plain, as `plain_rules` has it."""
        if not self._selectors and self._kept is None:
            return rule
        selectors, brace, block = rule.partition("{")
        return _IN_PLAIN.sub(self._instead, selectors) + brace + block

    def _instead(self, found: re.Match[str]) -> str:
        if found["attribute"] and self._kept is not None:
            return f"{found['start']}{self._renamed(found['attribute'].lower())}{found['rest']}"
        return self._selectors.get((found["name"] or "").lower(), found[0])

    def _rules(self, nodes: list[Any]) -> list[Any]:
        kept: list[Any] = []
        start = 0  # of the prelude
        for node in nodes:
            if node.type == "{} block":
                kept[start:] = self._prelude(kept[start:], node)
                kept.append(node)
                start = len(kept)
            else:
                self._rename_in(node)
                kept.append(node)
                if node == ";":
                    start = len(kept)
        return kept

    def _prelude(self, prelude: list[Any], block: Any) -> list[Any]:
        first = next((node for node in prelude if node.type not in BETWEEN), None)
        if first is None or first.type != "at-keyword":
            block.content = self._rules(block.content)
            return self._selector(prelude)
        if first.lower_value in _HOLD_RULES:
            block.content = self._rules(block.content)
        if first.lower_value == "scope":
            for node in prelude:
                if node.type == "() block":
                    node.content = self._selector(node.content)
        return prelude

    def _selector(self, nodes: list[Any]) -> list[Any]:
        kept: list[Any] = []
        before: Any = None
        for node in nodes:
            is_name = node.type == "ident" and before not in _BEFORE_OTHER_NAMES
            if node.type == "function" and node.lower_name in _HOLD_SELECTORS:
                node.arguments = self._selector(node.arguments)
            if node.type == "[] block":
                self._rename(node.content)
            instead = self._selectors.get(node.lower_value) if is_name else None
            kept += tinycss2.parse_component_value_list(instead) if instead else [node]
            before = node
        return kept

    def _rename_in(self, node: Any) -> None:
        """Give the attributes in `attr()` the names that they have in the view."""
        if self._kept is None or node.type != "function":
            return
        if node.lower_name == "attr":
            self._rename(node.arguments)
        for argument in node.arguments:
            self._rename_in(argument)

    def _rename(self, nodes: list[Any]) -> None:
        """Rename the attribute whose name comes first in these nodes."""
        at = next((at for at, node in enumerate(nodes) if node.type not in BETWEEN), None)
        if self._kept is None or at is None or nodes[at].type != "ident":
            return
        nodes[at] = tinycss2.parse_component_value_list(self._renamed(nodes[at].lower_value))[0]

    def _renamed(self, name: str) -> str:
        """The name that an attribute of the page has in the view."""
        assert self._kept is not None
        if name not in self._kept:
            self.spoken.add(name)
        return self._kept.get(name, f"{OWN}{name}")


def own_attributes(attributes: Mapping[str, str], kept: Mapping[str, str]) -> dict[str, str]:
    """What only sheets can speak of among the attributes of an element, under the names of the view."""
    return {
        f"{OWN}{name}": value
        for name, value in attributes.items()
        if name not in kept and len(value) <= _MAX_VALUE and _ATTRIBUTE.fullmatch(name)
    }
