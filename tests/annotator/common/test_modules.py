"""All modules of a screen are known before its browser has read one."""

import re
from pathlib import Path

import pytest
from django.template import Context, Template

from annotator.common.modules import graph

STATIC = Path(__file__).resolve().parents[3] / "static"
SCREENS = ("js/annotate.js", "js/adjudicate.js", "js/glass.js")


@pytest.mark.parametrize("entry", SCREENS)
def test_the_graph_holds_whatever_its_modules_import(entry: str) -> None:
    names = graph(entry)
    assert names[0] == entry
    assert len(set(names)) == len(names)
    for name in names:
        path = STATIC / name
        quoted = re.findall(r'^(?:import|export [{*])[^"]*"(\.[^"]+)"', path.read_text(), re.MULTILINE)
        imported = {str((path.parent / each).resolve().relative_to(STATIC)) for each in quoted}
        assert imported <= set(names)


def test_a_module_that_is_none_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        graph("js/no-such-screen.js")


def test_links_come_before_the_script_that_needs_them() -> None:
    html = Template("{% module 'js/glass.js' %}").render(Context())
    links = re.findall(r'<link rel="modulepreload" href="([^"]+)">', html)
    assert len(links) == len(graph("js/glass.js")) - 1
    assert html.index(links[-1]) < html.index('<script type="module" src="')
