"""The page view on real and awkward pages: the text is the stored one, and offsets survive the DOM."""

import gzip
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from extraction.documents.view.build import build_view
from extraction.parsing.parse import parse
from tests import golden
from tests.browser.workbench import until

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("shared_window")]

CORPUS = Path(__file__).parents[3] / "shared" / "corpora" / "scrapinghub" / "html"
CAPTURED = sorted(CORPUS.glob("*.html.gz"))[::30]
PAGES = [*golden.PAGES, *CAPTURED]


def raw(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes()) if path.is_file() else (path / "source.html").read_bytes()


Views = dict[str, dict[str, Any]]
SHOW = "([name, facts, what]) => testing.show(name, facts).catch((error) => error[what])"


def show(window: Page, address: str, name: str, facts: dict[str, Any], said: str = "message") -> str:
    """Build the view of that name; gives its mode, or what an error says."""
    window.goto(f"{address}/stage")
    window.wait_for_selector("html[data-ready]", state="attached")
    return str(window.evaluate(SHOW, [name, facts, said]))


def show_source(window: Page, address: str, views: Views, source: bytes) -> str:
    views["page"] = build_view(parse(source))
    facts = {key: views["page"][key] for key in ("sha256", "quirks")}
    return show(window, address, "page", facts)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name[:12])
def test_view_holds_the_stored_text_in_both_views(
    window: Page, address: str, views: Views, path: Path
) -> None:
    document = parse(raw(path))
    assert show_source(window, address, views, raw(path)) in ("page", "reading")
    for mode in ("page", "reading"):
        window.evaluate("mode => stage.view.build(mode, 'light')", mode)
        assert window.evaluate("() => String(stage.view.text)") == document.text
        assert window.evaluate("digest => stage.view.verify(digest)", document.sha256) is True
        assert window.evaluate("testing.roundTrips(100, 5)") == []
        assert window.evaluate("testing.spoken(50, 6)") == []


def test_view_of_another_text_is_refused(window: Page, address: str, views: Views) -> None:
    views["other"] = build_view(parse(b"<p>One text"))
    facts = {"sha256": parse(b"<p>Another text").sha256, "quirks": False}
    assert show(window, address, "other", facts, said="reason") == "differs"


def test_view_with_a_text_node_too_many_is_refused(window: Page, address: str, views: Views) -> None:
    view = build_view(parse(b"<p>One <b>text</b>"))
    views["broken"] = {**view, "ops": [*view["ops"][:-1], "more", 0]}
    facts = {"sha256": view["sha256"], "quirks": False}
    assert "text nodes" in show(window, address, "broken", facts)


FORBIDDEN_TAGS = """
    script iframe frame frameset object embed applet portal fencedframe form input button textarea
    select option base meta link style title template slot svg math image use animate set
    foreignObject video audio source track canvas dialog details summary marquee noscript noembed
    plaintext xmp map area keygen isindex bgsound x-ink SCRIPT Script html:script toString
    constructor __proto__ hasOwnProperty head
"""
FORBIDDEN_ATTRIBUTES = """
    onclick onload onerror onfocus onpointerdown onbeforetoggle onscrollsnapchange oncommand src
    srcset srcdoc href xlink:href action formaction ping target background poster data code codebase
    manifest cite longdesc usemap ismap name form is slot part exportparts shadowrootmode autofocus
    tabindex accesskey contenteditable draggable popover popovertarget commandfor command
    interestfor download http-equiv content loading fetchpriority nonce integrity referrerpolicy
    sandbox allow xmlns inert enterkeyhint virtualkeyboardpolicy autoplay blocking itemref ONCLICK
    on-click data-links data-alt __proto__ constructor
"""
HOSTILE: list[Any] = [
    *(op for tag in FORBIDDEN_TAGS.split() for op in ([tag, {"id": tag, "onclick": "top.hurt = 1"}], 0)),
    ["img", {"src": "http://127.0.0.1:9/x", "srcset": "http://127.0.0.1:9/y", "onerror": "top.hurt = 1"}, 1],
    ["a", dict.fromkeys(FORBIDDEN_ATTRIBUTES.split(), "javascript:top.hurt=1")], 0,
    ["html", {"onload": "top.hurt = 1", "manifest": "/x"}], 0,
    ["body", {"onload": "top.hurt = 1", "background": "http://127.0.0.1:9/b"}], 0,
    [None], 0, [["p"]], 0, [{"toString": "x"}, {"style": ["x"], "title": None, "class": {"a": 1}}], 0,
    ["p", "onclick=top.hurt=1"], 0, ["p", ["onclick", "top.hurt = 1"]], 0,
]  # fmt: skip
NAMES = (
    "() => [...stage.view.document.querySelectorAll('*')]"
    ".map((element) => [element.localName, element.namespaceURI, element.getAttributeNames()])"
)
INERT = {"id", "src", "translate", "title", "class", "style", "data-alt", "charset"}


def with_ops(source: bytes, ops: list[Any]) -> dict[str, Any]:
    """The view of a page with these operations before its first text."""
    view = build_view(parse(source))
    at = next(index for index, op in enumerate(view["ops"]) if isinstance(op, str))
    return {**view, "ops": [*view["ops"][:at], *ops, *view["ops"][at:]]}


@pytest.mark.parametrize("mode", ["page", "reading"])
def test_hostile_operations_make_nothing_that_runs(
    window: Page, address: str, views: Views, mode: str
) -> None:
    view = views["hostile"] = with_ops(b"<p>Safe", HOSTILE)
    asked: list[str] = []
    window.on("request", lambda request: asked.append(request.url))
    facts = {"sha256": view["sha256"], "quirks": False, "chosen": mode}
    assert show(window, address, "hostile", facts) == mode
    elements = window.evaluate(NAMES)
    assert len(elements) > len(FORBIDDEN_TAGS.split())
    assert {namespace for _, namespace, _ in elements} == {"http://www.w3.org/1999/xhtml"}
    assert {name for name, _, _ in elements} <= {"html", "head", "body", "style", "p", "span", "img", "a"}
    assert sum(name in ("html", "head", "body") for name, _, _ in elements) == 3
    assert {name for _, _, names in elements for name in names} <= INERT
    assert window.evaluate("stage.view.body.querySelector('img').src.startsWith('data:image/svg+xml,')")
    window.evaluate("() => [...stage.view.body.querySelectorAll('*')].forEach((element) => element.click())")
    assert window.evaluate("window.hurt") is None
    assert not [url for url in asked if not url.startswith(address)]


@pytest.mark.parametrize("ops", [[None], [7], [True], [{}], ["", None]])
def test_operations_that_are_none_show_nothing(
    window: Page, address: str, views: Views, ops: list[Any]
) -> None:
    views["none"] = with_ops(b"<p>Safe", ops)
    facts = {"sha256": views["none"]["sha256"], "quirks": False}
    assert show(window, address, "none", facts) not in ("page", "reading")


def test_a_root_further_down_keeps_the_order_of_the_text(window: Page, address: str, views: Views) -> None:
    view = build_view(parse(b"<p>One</p><p>Two</p><p>Three</p>"))
    for wrong in ("html", "body"):
        ops = [[wrong] if op == ["p"] else op for op in view["ops"]]
        views["roots"] = {**view, "ops": [*ops[:2], ["div"], *ops[2:], 0]}
        show(window, address, "roots", {"sha256": view["sha256"], "quirks": False})
        assert window.evaluate("stage.view.body.textContent") == "OneTwoThree"
        assert window.evaluate("stage.view.document.querySelectorAll('html, body').length") == 2


def test_a_sheet_of_the_page_cannot_overrule_ours(window: Page, address: str, views: Views) -> None:
    """Whatever its importance, its layer or its precision; even with the server's cleaning left out."""
    css = (
        "@layer a { html, body { display: none !important } #p#p#p { user-select: none !important } }"
        "#p#p#p { animation: spin 1s infinite !important; filter: blur(9px) !important }"
        "#p#p#p { user-select: none !important } @keyframes spin { to { rotate: 1turn } }"
        "#p#p#p::highlight(goldpan-1) { background-color: red !important }"
    )
    view = build_view(parse(b"<p id=p style='filter:blur(9px)!important;user-select:none ! important'>Text"))
    views["styled"] = {**view, "css": [css]}
    show(window, address, "styled", {"sha256": view["sha256"], "quirks": False})
    styles = window.evaluate(
        """() => {
          const {window, body} = stage.view;
          const p = body.querySelector("p");
          const {userSelect, filter, animationName, transitionProperty} = window.getComputedStyle(p);
          const mark = window.getComputedStyle(p, "::highlight(goldpan-1)");
          const {display} = window.getComputedStyle(body);
          const isRed = mark.backgroundColor.includes("255, 0, 0");
          return [userSelect, filter, animationName, display, isRed, p.getAnimations().length];
        }"""
    )
    assert styles == ["text", "none", "none", "block", False, 0]


def test_a_translated_page_is_built_again_and_said(window: Page, address: str, views: Views) -> None:
    show_source(window, address, views, b"<p>The first.</p><p>The second.</p>")
    window.evaluate("() => { stage.view.body.querySelector('p').textContent = 'El primero.'; }")
    until(window, "notices.length > 0")
    assert window.evaluate("notices") == ["translated"]
    assert window.evaluate("stage.view.body.querySelector('p').textContent") == "The first."


def test_a_page_that_keeps_changing_is_refused(window: Page, address: str, views: Views) -> None:
    show_source(window, address, views, b"<p>The first.</p>")
    # The clock stands still: changes count together only if they come within some seconds.
    window.evaluate("() => { performance.now = () => 1; }")
    for _ in range(4):
        window.evaluate("() => { stage.view.body.querySelector('p').textContent = 'El primero.'; }")
    until(window, "notices.length === 4")
    assert window.evaluate("notices") == [*["translated"] * 3, "refused: changed"]


LINES = b"".join(b"<p>Line %d of the page</p>" % n for n in range(60))


def styled(css: str) -> bytes:
    return (
        b"<style>"
        + css.encode()
        + b"</style><div class=text>"
        + LINES
        + b"</div><div class=cover>Sign in</div>"
    )


@pytest.mark.parametrize(
    ("css", "mode", "notices"),
    [
        ("", "page", []),
        (".cover { position: absolute; inset: 0 0 auto; height: 60000px }", "page", ["remedied"]),
        (".cover { position: absolute; inset: 0 0 auto; height: 690px }", "page", ["remedied"]),
        (".cover { position: absolute; inset: 0 0 auto; height: 60px }", "page", []),
        (".text { opacity: 0 }", "page", ["remedied"]),
        (".text { visibility: hidden !important }", "page", ["remedied"]),
        (".text { display: none }", "reading", ["covered"]),
        (".text { position: absolute; left: -9999px }", "reading", ["covered"]),
        (".text { pointer-events: none }", "page", []),
        (".text p:nth-child(-n + 15) { display: none }", "page", []),
    ],
)
def test_page_view_comes_first_unless_most_text_stays_out_of_reach(
    window: Page, address: str, views: Views, css: str, mode: str, notices: list[str]
) -> None:
    assert show_source(window, address, views, styled(css)) == mode
    assert window.evaluate("notices") == notices
    assert window.evaluate("stage.view.window.scrollY") == 0
    window.evaluate("() => stage.switchTo('page')")
    assert window.evaluate("stage.mode") == "page", "who asks for page view gets it"


LOST = b"<link rel=stylesheet href=a.css>"


@pytest.mark.parametrize(
    ("source", "mode"),
    [
        (LOST + LINES, "reading"),
        (LOST + b"<ul><li>Home<ul><li>News</ul></ul><table><td>1<td>2</table>" + LINES, "reading"),
        (LOST + b"<style>body { padding: 0 16px; font-family: sans-serif }</style>" + LINES, "reading"),
        (LOST + b"<style>@media (width > 900px) { body { width: 800px } }</style>" + LINES, "page"),
        (LOST + b"<table bgcolor=silver><td width=200>Menu<td width=500>" + LINES + b"</table>", "page"),
        (LOST + b"<style>p { float: left; width: 40% }</style>" + LINES, "page"),
        (LINES, "page"),
    ],
)
@pytest.mark.parametrize("width", [1200, 500])
def test_a_page_that_has_lost_its_layout_opens_in_reading_view(
    window: Page, address: str, views: Views, source: bytes, mode: str, width: int
) -> None:
    """However wide the window is: in a narrow one, a page for telephones has no columns either."""
    views["lost"] = build_view(parse(source))
    window.goto(f"{address}/stage")
    window.evaluate("(width) => { document.querySelector('#frame').width = width; }", width)
    window.wait_for_selector("html[data-ready]", state="attached")
    facts = {key: views["lost"][key] for key in ("sha256", "quirks")}
    assert window.evaluate(SHOW, ["lost", facts, "message"]) == mode
    assert window.evaluate("stage.reason") == ("bare" if mode == "reading" else "")
    assert window.evaluate("notices") == []
    assert window.evaluate("stage.view.window.innerWidth") == width


@pytest.mark.parametrize(
    ("css", "remedy"),
    [
        (".cover { position: absolute; inset: 0 0 auto; height: 300px }", "overlays"),
        (".text p:nth-child(-n + 20) { opacity: 0 !important }", "reveal"),
    ],
)
def test_a_remedy_brings_text_in_reach_moves_no_offset_and_is_undone(
    window: Page, address: str, views: Views, css: str, remedy: str
) -> None:
    show_source(window, address, views, styled(css))
    reach = "[testing.coverage(stage.view), stage.view.body.querySelector('.cover').checkVisibility()]"
    before, is_shown = window.evaluate(reach)
    assert is_shown
    window.evaluate("(remedy) => stage.toggleRemedy(remedy)", remedy)
    after, is_shown = window.evaluate(reach)
    assert after > before
    assert is_shown == (remedy == "reveal")
    assert window.evaluate("testing.roundTrips(100, 5)") == []
    until(window, "stage.geometry.isMeasured")
    hidden = window.evaluate("stage.geometry.hiddenBlocks()")
    assert hidden == ([60] if remedy == "overlays" else [])
    for mode in ("reading", "page"):
        window.evaluate("(mode) => stage.switchTo(mode)", mode)
    assert window.evaluate(reach)[0] == after, "it lasts as long as the page is open"
    window.evaluate("(remedy) => stage.toggleRemedy(remedy)", remedy)
    assert window.evaluate(reach) == [before, True]
    assert window.evaluate("notices") == [f"{remedy}: true", f"{remedy}: false"]


def test_a_highlight_spans_no_picture(window: Page, address: str, views: Views) -> None:
    source = b"<p>The first.</p><img src=a.png><p>The second.</p><p>A <img src=b.png>third.</p><p>Last.</p>"
    show_source(window, address, views, source)
    window.evaluate("() => stage.painter.show('goldpan-1', stage.view.blocks)")
    spans = window.evaluate(
        "() => [...stage.view.window.CSS.highlights.get('goldpan-1')].map((range) => "
        "[range.toString(), range.cloneContents().querySelectorAll('img').length])"
    )
    assert [said.strip() for said, _pictures in spans] == ["The first.", "The second.A", "third.Last."]
    assert all(pictures == 0 for _said, pictures in spans)


@pytest.mark.parametrize(
    ("css", "mode"),
    [
        (".late { position: absolute; inset: 0 8px auto }", "reading"),
        (".late { margin-top: -238px }", "page"),
        ("p { line-height: .9; margin: 0 }", "page"),
        ("p { float: left; width: 48% }", "page"),
    ],
)
def test_a_page_of_text_over_text_opens_in_reading_view(
    window: Page, address: str, views: Views, css: str, mode: str
) -> None:
    lines = b"".join(b"<p>Line %d of the page</p>" % n for n in range(40))
    source = b"<style>" + css.encode() + b"</style>" + lines + b"<div class=late>" + lines + b"</div>"
    assert show_source(window, address, views, source) == mode
    assert window.evaluate("notices") == (["covered"] if mode == "reading" else [])


def test_a_change_of_view_keeps_the_scroll_position(window: Page, address: str, views: Views) -> None:
    lines = b"".join(b"<p>Line %d of the page</p>" % n for n in range(200))
    show_source(window, address, views, b"<style>p { margin: 60px }</style>" + lines)
    window.evaluate("() => stage.switchTo('page')")
    until(window, "stage.geometry.isMeasured")
    top = "(block) => Math.round(stage.view.blockRange(block).getBoundingClientRect().top)"
    window.evaluate("() => stage.view.window.scrollTo(0, stage.geometry.top[100] - 5)")
    before = window.evaluate(top, 100)
    window.evaluate("() => stage.switchTo('reading')")
    assert abs(window.evaluate(top, 100) - before) <= 1
    window.evaluate("() => { stage.attended = () => stage.view.blocks[104]; }")
    chosen = window.evaluate(top, 104)
    window.evaluate("() => stage.switchTo('page')")
    assert abs(window.evaluate(top, 104) - chosen) <= 1


def test_a_shadow_root_dresses_itself_alone(window: Page, address: str, views: Views) -> None:
    source = (
        b"<style>p { background: rgb(9, 9, 9) }</style><p id=around>Around.</p>"
        b"<x-card><template shadowrootmode=open>"
        b"<style>:host { margin-left: 7px } p { color: rgb(1, 2, 3) }</style>"
        b"<p id=inside>Inside.</p><slot></slot>"
        b"<b-b><template shadowrootmode=open><style>p { margin-left: 5px }</style>"
        b"<p id=within>Within.</p></template></b-b></template><p id=put>Put in.</p></x-card>"
    )
    show_source(window, address, views, source)
    window.evaluate("() => stage.switchTo('page')")
    looks = window.evaluate(
        """() => Object.fromEntries([...stage.view.body.querySelectorAll("p")].map((p) => {
          const {color, marginLeft} = stage.view.window.getComputedStyle(p);
          return [p.id, [color === "rgb(1, 2, 3)", marginLeft]];
        }))"""
    )
    assert looks == {
        "around": [False, "0px"],
        "inside": [True, "0px"],
        "within": [False, "5px"],
        "put": [False, "0px"],
    }
    host = window.evaluate(
        "stage.view.window.getComputedStyle(stage.view.body.querySelector('[data-shadow]')).marginLeft"
    )
    assert host == "7px"


STARTS = """() => {
  const { view } = stage;
  const { document, body, window } = view;
  const isRight = window.getComputedStyle(body).direction === "rtl";
  const from = ({ left, right }) => isRight ? document.documentElement.clientWidth - right : left;
  const quote = window.getComputedStyle(document.querySelector("blockquote, [data-tag=blockquote]"));
  const edges = view.blocks.map((_, block) => from(view.blockRange(block).getBoundingClientRect()));
  return [edges.map(Math.round), isRight ? quote.borderRightWidth : quote.borderLeftWidth];
}"""
BOTH_WAYS = (
    "<html dir={way}><title>Ferry</title><p>News</p><ul><li>One</ul><blockquote>Two</blockquote>"
    "<table><td width=90>Three<td>Four</table><ul>{links}</ul>"
)


def test_reading_view_is_mirrored_from_right_to_left(window: Page, address: str, views: Views) -> None:
    links = "<li><a href=/>Home</a>" * 5
    starts = []
    for way in ("ltr", "rtl"):
        show_source(window, address, views, BOTH_WAYS.format(way=way, links=links).encode())
        window.evaluate("() => stage.switchTo('reading')")
        starts.append(window.evaluate(STARTS))
    assert starts[0] == starts[1]
    assert starts[0][1] == "3px"
