"""The whole task with a keyboard and a screen reader, in both languages: no mouse, and nobody looks."""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from playwright.sync_api import Browser

from annotator.annotations.models import Annotation
from annotator.corpora.models import User
from annotator.pages.models import Page as CapturedPage
from tests.browser import workbench
from tests.browser.ear import Ear
from tests.contexts import new_context
from tests.factories import PASSWORD, MakePage, span_of
from tests.processes import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ENGLISH = {
    "name": "Username", "open": "Open", "blocks": "Blocks of the page", "unmarked": "not marked",
    "marked": "marked Headline", "one": "Block {n} marked Headline", "three": "3 blocks marked Body",
    "off": "Block {n}: mark removed", "undone": "Undone", "redone": "Redone", "article": "Article",
    "missing": "Select a verdict first",
    "verdict": "Verdict: Article", "note": "Note for the adjudicator",
    "offline": "No connection since", "saved": "Saved", "keys": "Keyboard shortcuts", "close": "Close",
}  # fmt: skip
SPANISH = {
    "name": "Nombre de usuario", "open": "Abrir", "blocks": "Bloques de la página", "unmarked": "sin marcar",
    "marked": "marcado: Titular", "one": "Bloque {n} marcado: Titular", "three": "3 bloques marcados: Cuerpo",
    "off": "Bloque {n}: marca eliminada", "undone": "Deshecho", "redone": "Rehecho", "article": "Artículo",
    "missing": "Selecciona antes un veredicto",
    "verdict": "Veredicto: Artículo", "note": "Nota para quien adjudica",
    "offline": "Sin conexión desde:", "saved": "Guardado", "keys": "Teclas", "close": "Cerrar",
}  # fmt: skip


@pytest.fixture
def reader(browser: Browser) -> Iterator[Ear]:
    context = new_context(browser)
    yield Ear.at(context)
    context.close()


@pytest.fixture
def page(make_page: MakePage) -> CapturedPage:
    return make_page()


@pytest.fixture
def ada(cast: SimpleNamespace) -> User:
    user: User = cast.ada
    user.set_password(PASSWORD)
    user.save()
    return user


@pytest.mark.parametrize("words", [ENGLISH, SPANISH], ids=["en", "es"])
def test_a_page_is_annotated_by_keyboard_and_ear(
    site: str, reader: Ear, ada: User, page: CapturedPage, words: dict[str, str]
) -> None:
    keyboard = reader.page.keyboard
    _sign_in(site, reader, ada, words)
    _open_next(reader, words)
    blocks = page.documents.latest("made_at").blocks
    headline = blocks.index([*_offsets_of(page, "Bridge opens")]) + 1

    reader.comes_to("listbox", words["blocks"])
    for _ in range(headline):
        keyboard.press("j")
    here = reader.comes_to("option", f"Bridge opens; {words['unmarked']}")
    assert here.states["selected"] is True
    keyboard.press("1")
    reader.hears("polite", words["one"].format(n=headline))
    reader.comes_to("option", f"Bridge opens; {words['marked']}")

    for key in ("ArrowDown", "J", "Shift+ArrowDown", "2"):
        keyboard.press(key)
    reader.hears("polite", words["three"])
    wait_for(lambda: _selected(reader) == 3, "three blocks in the list")
    keyboard.press("Control+z")
    reader.hears("polite", words["undone"])
    keyboard.press("Control+Shift+z")
    reader.hears("polite", words["redone"])

    keyboard.press("Control+Enter")
    reader.hears("assertive", words["missing"])
    reader.comes_to("radio")
    keyboard.press("y")
    reader.hears("polite", words["verdict"])
    reader.tab_to("textbox", words["note"])
    keyboard.type("heard, not seen")
    keyboard.press("Escape")
    reader.comes_to("option")
    workbench.submit(reader.page)

    annotation = Annotation.objects.get(annotator=ada, submitted_at__isnull=False)
    last = annotation.revisions.latest("number")
    assert [tuple(span[:3]) for span in last.spans] == [
        (*_offsets_of(page, "Bridge opens"), "headline"),
        *((*block, "body") for block in blocks[headline : headline + 3]),
    ]
    assert (last.verdict, last.note) == ("article", "heard, not seen")


def test_a_block_is_read_whole_with_its_length_and_its_language(
    site: str, reader: Ear, ada: User, make_page: MakePage
) -> None:
    long = "The harbour was quiet that morning. " * 40
    make_page(f"<!doctype html><html lang=en><title>Harbour</title><p>Short.</p><p>{long}</p>")
    _sign_in(site, reader, ada, ENGLISH)
    _open_next(reader, ENGLISH)
    reader.page.keyboard.press("End")
    here = reader.comes_to("option", "The harbour was quiet")
    assert here.name.endswith(f"…; not marked, {len(long.strip()):,} characters")
    assert len(here.name) < 260
    reader.page.keyboard.press("r")
    reader.hears("polite", long.strip())
    assert reader.page.get_attribute("[data-aloud] span", "lang") == "en"
    reader.page.keyboard.press("Home")
    reader.comes_to("option", "Short.; not marked")


def test_a_list_of_five_thousand_blocks_stays_small_and_says_where_one_is(
    site: str, reader: Ear, ada: User, make_page: MakePage
) -> None:
    many = "".join(f"<p>Paragraph {n}</p>" for n in range(1, 5001))
    make_page(f"<!doctype html><title>Long</title>{many}")
    _sign_in(site, reader, ada, ENGLISH)
    _open_next(reader, ENGLISH)
    workbench.until(reader.page, "goldpan.stage.geometry.isMeasured")
    reader.page.keyboard.press("End")
    reader.comes_to("option", "Paragraph 5000; not marked")
    at = reader.page.evaluate("""(() => {
      const list = document.getElementById("blocks");
      const at = document.getElementById(list.getAttribute("aria-activedescendant"));
      return [list.children.length, at.ariaPosInSet, at.ariaSetSize];
    })()""")
    assert at == [11, "5000", "5000"]
    reader.page.keyboard.press("k")
    reader.comes_to("option", "Paragraph 4999; not marked")


def test_what_happens_twice_is_told_twice(site: str, reader: Ear, ada: User, page: CapturedPage) -> None:
    _sign_in(site, reader, ada, ENGLISH)
    _open_next(reader, ENGLISH)
    for key in ("j", "1", "j", "2"):
        reader.page.keyboard.press(key)
    for expected in (ENGLISH["undone"], ENGLISH["undone"], "Nothing to undo", "Nothing to undo"):
        reader.page.keyboard.press("Control+z")
        reader.hears("polite", expected)
    for _ in range(2):
        reader.page.keyboard.press("Control+Enter")
        reader.hears("assertive", ENGLISH["missing"])


def test_the_connection_is_told_when_it_goes_and_when_it_is_back(
    site: str, reader: Ear, ada: User, page: CapturedPage
) -> None:
    _sign_in(site, reader, ada, ENGLISH)
    _open_next(reader, ENGLISH)
    reader.page.context.set_offline(True)
    for key in ("j", "Space"):
        reader.page.keyboard.press(key)
    reader.page.wait_for_selector("[data-saved][data-state=offline]")
    workbench.until(reader.page, "window.heard.some(([, said]) => said.includes('connection'))")
    # The seconds until the next try tick on the screen; nobody hears them.
    reader.page.wait_for_timeout(2500)
    told = [said for _, said in reader.heard() if "connection" in said]
    assert len(told) == 1
    assert told[0].startswith(ENGLISH["offline"])
    reader.page.context.set_offline(False)
    reader.page.wait_for_selector("[data-saved][data-state=saved]")
    reader.hears("polite", ENGLISH["saved"])


def test_no_part_of_the_workbench_keeps_the_focus_and_dialogs_give_it_back(
    site: str, reader: Ear, ada: User, page: CapturedPage
) -> None:
    _sign_in(site, reader, ada, ENGLISH)
    _open_next(reader, ENGLISH)
    keyboard = reader.page.keyboard
    keyboard.press("j")
    reader.tab_to("textbox", ENGLISH["note"])
    reader.tab_to("option", "", key="Shift+Tab")
    reader.tab_to("button", ENGLISH["keys"])
    keyboard.press("Enter")
    reader.page.wait_for_selector("#keys:popover-open :focus")
    inside = {reader.focus().name for _ in range(6) if keyboard.press("Tab") is None}
    assert inside == {"Disable single-key shortcuts", "Close Esc"}
    keyboard.press("Escape")
    reader.comes_to("button", ENGLISH["keys"])
    reader.tab_to("option", "", key="Shift+Tab")
    keyboard.press("?")
    keyboard.press("Escape")
    reader.comes_to("option")


def _selected(reader: Ear) -> int:
    return sum(bool(option.states.get("selected")) for option in reader.all_of("option"))


def _sign_in(site: str, reader: Ear, user: User, words: dict[str, str]) -> None:
    reader.page.goto(f"{site}/sign-in/")
    if words is SPANISH:
        reader.tab_to("button", "Español")
        reader.page.keyboard.press("Enter")
        reader.page.wait_for_selector("html[lang=es]")
        reader.page.wait_for_load_state()
    if reader.focus().name != words["name"]:
        reader.tab_to("textbox", words["name"])
    for given, key in ((user.username, "Tab"), (PASSWORD, "Enter")):
        reader.page.keyboard.type(given)
        reader.page.keyboard.press(key)
    reader.page.wait_for_url(f"{site}/")


def _open_next(reader: Ear, words: dict[str, str]) -> None:
    reader.tab_to("button", words["open"])
    reader.page.keyboard.press("Enter")
    reader.page.wait_for_url("**/slots/**", wait_until="commit")
    workbench.ready(reader.page)


def _offsets_of(page: CapturedPage, quote: str) -> tuple[int, int]:
    span = span_of(page, quote, "headline")
    return span.start, span.end
