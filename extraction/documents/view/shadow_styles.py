"""Style sheets of declarative shadow roots, kept to what they are for.

The flat tree is built of ordinary elements, in which a sheet would reach the whole page. Each root is given a
number, and its sheets a scope: from that number down, but neither into what lies in its slots, which belongs
to the tree outside, nor into the roots of elements inside it.
"""

import re

from extraction.documents.structure import Event
from extraction.documents.tags import SHADOW_ROOT

ROOT, SLOT = "data-shadow", "data-slot"  # attributes of the view

_HOST = re.compile(r":host(?![\w(-])")
_SCOPE = f'@scope ([{ROOT}="{{}}"]) to ([{SLOT}] > *, :scope [{ROOT}] > *) {{{{\n{{}}\n}}}}'


def scoped(events: list[Event], styles: list[str]) -> tuple[list[Event], list[str]]:
    """The same events and sheets with roots numbered, slots marked, and each sheet in its root's scope.

    `:host` becomes the root itself, which stands in its host alone. What lies in a slot counts as put in: a
    slot's own content, shown where nothing was, has the looks of the page around.
    """
    if not any(isinstance(event, list) and SHADOW_ROOT in event[1] for event in events):
        return events, styles
    sheets = iter(styles)
    around = [0]  # the tree outside each root by its number; 0 is the page, and outside itself
    open_ = [0]  # the tree that each open element is in
    marked: list[Event] = []
    kept: list[str] = []
    for event in events:
        if event is None:
            open_.pop()
        elif isinstance(event, list):
            tag, attributes = event
            here = open_[-1]
            if tag == "style":
                kept.append(_in_scope(next(sheets), here))
            elif SHADOW_ROOT in attributes:
                around.append(here)
                here = len(around) - 1
                event = [tag, {**attributes, ROOT: str(here)}]
            elif tag == "slot" and here:
                here = around[here]
                event = [tag, {**attributes, SLOT: ""}]
            open_.append(here)
        marked.append(event)
    return marked, kept


def _in_scope(css: str, root: int) -> str:
    return _SCOPE.format(root, _HOST.sub(":scope", css)) if css and root else css
