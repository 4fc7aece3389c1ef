"""All modules of a screen are known before its browser has read one."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage, staticfiles_storage
from django.core.files.base import File
from django.template import Context, Template
from django.templatetags.static import static
from django.test import override_settings
from lxml import html

from annotator.common.templatetags.modules import graph

STATIC = Path(__file__).resolve().parents[3] / "annotator" / "static"
SCREENS = ("js/annotate.js", "js/annotate-work.js", "js/adjudicate.js", "js/error-view.js", "js/gold.js")
#: Entries that import more once they are painted.
AWAITED = [("js/annotate.js", "js/annotate-work.js")]


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


def test_missing_module_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        graph("js/no-such-screen.js")


def linked(rendered: str) -> tuple[list[str], list[str]]:
    """What is asked for at once, and what waits in the template."""
    head = html.fragment_fromstring(rendered, create_parent="head")
    at_once = head.xpath("./link[@rel='modulepreload']/@href")
    return at_once, head.xpath("./template[@id='later']//link[@rel='modulepreload']/@href")


def test_links_come_before_the_script_that_needs_them() -> None:
    rendered = Template("{% module 'js/error-view.js' %}").render(Context())
    at_once, later = linked(rendered)
    assert at_once == [static(name) for name in graph("js/error-view.js")[1:]]
    assert later == []
    assert rendered.index(at_once[-1]) < rendered.index("<script")


def test_what_comes_later_is_linked_where_no_browser_looks_at_first() -> None:
    """What is asked for at once is what the entry imports before it is painted, and nothing else."""
    rendered = Template("{% module 'js/annotate.js' later='js/annotate-work.js' %}").render(Context())
    at_once, later = linked(rendered)
    first = graph("js/annotate.js")
    assert at_once == [static(name) for name in first[1:]]
    assert later[0] == static("js/annotate-work.js")
    assert set(later) == {static(name) for name in set(graph("js/annotate-work.js")) - set(first)}
    assert len(set(later)) == len(later)


def test_links_are_those_of_the_present_storage() -> None:
    """What was rendered for one storage is not rendered for another: some tests have files without hashes."""
    template = Template("{% module 'js/error-view.js' %}")
    hashed, _later = linked(template.render(Context()))
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    with override_settings(STORAGES={**settings.STORAGES, "staticfiles": plain}):
        at_once, _later = linked(template.render(Context()))
        assert at_once == [static(name) for name in graph("js/error-view.js")[1:]]
    assert at_once != hashed


def test_less_than_half_of_the_workbench_is_needed_to_paint_a_page() -> None:
    first = graph("js/annotate.js")
    assert len(first) < len(set(first) | set(graph("js/annotate-work.js"))) / 2


@pytest.mark.parametrize(("entry", "later"), AWAITED)
def test_what_is_imported_later_is_what_the_screen_links(entry: str, later: str) -> None:
    assert re.findall(r'await import\("\./([^"]+)"\)', (STATIC / entry).read_text()) == [Path(later).name]


def collected_file(name: str) -> "File[bytes]":
    assert isinstance(staticfiles_storage, ManifestStaticFilesStorage)
    return staticfiles_storage.open(staticfiles_storage.stored_name(name))


@pytest.mark.parametrize(("entry", "later"), AWAITED)
def test_what_is_imported_later_has_the_address_that_is_linked(entry: str, later: str) -> None:
    """Under another address a browser would fetch it, and run it, a second time."""
    with collected_file(entry) as collected:
        code = collected.read().decode()
    assert f'await import("./{Path(static(later)).name}")' in code
    with collected_file(later) as collected:
        assert 'import("./dom/stage.js").Stage' in collected.read().decode(), "a type, which nobody fetches"


def test_every_import_that_is_no_type_has_the_form_whose_address_is_hashed() -> None:
    for path in (STATIC / "js").rglob("*.js"):
        code = re.sub(r"/\*\*.*?\*/|//[^\n]*", "", path.read_text(), flags=re.DOTALL)
        for call in re.findall(r".*\bimport\(.*", code):
            assert re.search(r'await import\("\./[^"]+"\)', call), f"{path}: {call}"
