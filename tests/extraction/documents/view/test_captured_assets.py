"""Views with the page's own sheets and images: every address becomes a digest or nothing."""

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
import tinycss2
from hypothesis import given
from hypothesis import strategies as st

from extraction.assets.data_urls import asset_of, images_in
from extraction.documents.view.build import build_view
from extraction.documents.view.captured_assets import CapturedAssets, Picture, Sheet, resolve
from extraction.documents.view.css import clean_declarations, clean_sheets
from extraction.documents.view.stand_ins import StandIns
from extraction.parsing.parse import parse
from tests.extraction import sheets
from tests.extraction.soup import raw_soup

PAGE = "https://news.example/2026/bridge.html"
A, B = "a" * 64, "b" * 64


def assets_with(sheets: dict[str, str] | None = None, **images: str) -> CapturedAssets:
    """A assets whose sheets lie beside the page, and images in a folder of it."""
    beside = {f"https://news.example/2026/{name}": css for name, css in (sheets or {}).items()}
    pictures = {
        f"https://news.example/img/{name}.png": Picture(digest, 9, 9) for name, digest in images.items()
    }
    return CapturedAssets(PAGE, beside, pictures)


def dressed(html: str, assets: CapturedAssets) -> dict[str, Any]:
    return build_view(parse(b"\xef\xbb\xbf<!doctype html>" + html.encode()), assets)


def worn(css: str, assets: CapturedAssets | None = None) -> str:
    """A sheet of the page's own, cleaned."""
    return "".join(clean_sheets([Sheet(css, PAGE)], StandIns(), assets or assets_with(a=A)))


@pytest.mark.parametrize(
    ("css", "clean"),
    [
        ("p{background:url(/img/a.png)}", f'p{{background:url("{A}")}}'),
        ("p{background:url('../img/a.png#x')}", f'p{{background:url("{A}")}}'),
        ("p{background:\\75rl(HTTP://News.example/img/a.png)}", f'p{{background:url("{A}")}}'),
        ("p{background:image-set('/img/b.png' 1x,url(/img/a.png) 2x)}", 'p{background:url("data:,")}'),
        ("p{background:-webkit-image-set(url(/img/a.png) 1x)}", f'p{{background:url("{A}")}}'),
        ("p{--x:url(/img/a.png)}", f'p{{--x:url("{A}")}}'),
        ("p{background:url(//other.example/img/a.png)}", 'p{background:url("data:,")}'),
        ("p{background:url(https://[)}", 'p{background:url("data:,")}'),
        ("@font-face{src:url(/img/a.png)}p{}", " p{}"),
        ("@namespace url(/img/a.png);p{}", " p{}"),
        ("p{filter:url(#a);mask:url(a.svg#b)}", 'p{filter:url("data:,");mask:url("data:,")}'),
        # pinned boxes are where they are before one scrolls
        ("p{position:fixed;top:0}", "p{position:absolute;top:0}"),
        ("p{top:80px;position:sticky;color:red}", "p{top:auto;position:relative;color:red}"),
        ("p{position:var(--x)}", "p{position:static}"),
    ],
)
def test_addresses_become_digests_or_nothing(css: str, clean: str) -> None:
    assert worn(css) == clean


def test_imports_stand_where_they_are_imported() -> None:
    assets = assets_with(
        {
            "a.css": "@import 'deep/b.css' layer(x) supports(display:grid) screen and (min-width:9px);i{}",
            "deep/b.css": "@import '../a.css';b{background:url(../../img/a.png)}",
            "c.css": "u{}",
        },
        a=A,
    )
    css = "@charset 'x';@import url(a.css);@import 'lost.css';p{}@import 'c.css';"
    assert re.sub(r"\s+", " ", worn(css, assets)).strip() == (
        "@layer x{@supports (display:grid){@media screen and (min-width:9px){ "
        f'b{{background:url("{A}")}}}}}}}} i{{}} p{{}}'
    )
    assert list(assets.missing_sheets) == ["https://news.example/2026/lost.css"]


@pytest.mark.parametrize("rule", ["@import'a.css'", "@IMPORT/**/url(a.css)"])
def test_what_is_imported_may_follow_at_once(rule: str) -> None:
    assets = assets_with({"a.css": "b{}"})
    assert clean_sheets([Sheet(f"{rule};p{{}}", PAGE)], StandIns(), assets) == ["b{} p{}"]


def test_sheets_come_in_the_order_of_the_page() -> None:
    html = """<link rel=stylesheet href=a.css><style>b{}</style>
    <link rel=stylesheet href=c.css media="(width>9px)"><link rel=stylesheet href=lost.css>
    <link rel=preload as=style onload=x href=d.css><link rel=stylesheet href="data:text/css,u{}">"""
    view = dressed(html, assets_with({"a.css": "a{}", "c.css": "c{}", "d.css": "d{}"}))
    assert view["css"] == ["a{}", "b{}", "@media (width>9px){c{}}", "d{}", "u{}"]
    assert (view["lost_sheets"], view["dressed"]) == (1, True)


def test_a_base_element_is_heeded() -> None:
    html = "<base href='https://cdn.example/'><link rel=stylesheet href=a.css>"
    view = dressed(html, CapturedAssets(PAGE, {"https://cdn.example/a.css": "a{}"}, {}))
    assert view["css"] == ["a{}"]


@pytest.mark.parametrize(
    ("html", "attributes"),
    [
        ("<img src=/img/a.png>", {"data-asset": A}),
        ("<img src=data:image/gif;base64,R0lGODlhAQABAAAAACw= data-src=/img/a.png>", {"data-asset": A}),
        (
            """<picture><source srcset=/img/x.webp>
            <img srcset='/img/y.png 400w, /img/a.png 800w' sizes=50vw></picture>""",
            {"data-asset": A, "data-density": "800w", "data-sizes": "50vw"},
        ),
        (
            "<picture><source srcset='/img/b.png 2x'><img src=/img/a.png></picture>",
            {"data-asset": B, "data-density": "2x"},
        ),
        (
            """<picture><source media="(max-width: 600px)" srcset=/img/b.png>
            <source media="screen and (min-width: 60em)" height=30 srcset=/img/a.png>
            <img width=9 src=/img/b.png></picture>""",
            {"data-asset": A, "height": "30"},
        ),
        ("<img src=/img/lost.png srcset='/img/lost2.png 2x'>", {}),
    ],
)
def test_images_are_named_by_their_digest(html: str, attributes: dict[str, str]) -> None:
    assets = assets_with(a=A, b=B)
    [image] = [op for op in dressed(f"<p>x{html}", assets)["ops"] if isinstance(op, list) and op[0] == "img"]
    assert image[1] == attributes
    assert list(assets.missing_images) == ([] if attributes else ["https://news.example/img/lost.png"])


def test_background_attributes_and_styles_have_their_images() -> None:
    view = dressed(
        "<table background=/img/a.png><td style='background:url(/img/b.png)'>x", assets_with(a=A, b=B)
    )
    styles = [
        op[1]["style"] for op in view["ops"] if isinstance(op, list) and len(op) > 1 and "style" in op[1]
    ]
    assert styles == [f'background-image:url("{A}");', f'background:url("{B}")']


def test_what_is_not_shown_holds_its_place() -> None:
    view = dressed("<p>a</p><script>x</script><noscript>b</noscript><p>c</p>", assets_with())
    tags = [op[1].get("data-tag") for op in view["ops"] if isinstance(op, list) and len(op) == 3]
    assert tags == ["script", "noscript"]


def test_sheets_match_what_stands_in() -> None:
    html = """<style>svg,.a>form:not(button) span{} .svg #form{} span:is(svg){} @keyframes svg{from{top:0}}
    @media x{button{}} div{&svg{}}</style><form>a<svg></svg><button>b</button></form>"""
    [css] = dressed(html, assets_with())["css"]
    rules = css.replace("\n    ", "").replace(" {", "{")
    assert rules == (
        'img:where([data-tag="svg"]),.a>div:where([data-tag="form"]):not(span:where([data-tag="button"])) '
        "span:not(:where([data-tag])){} .svg #form{} "
        'span:not(:where([data-tag])):is(img:where([data-tag="svg"])){} '
        '@keyframes svg{from{top:0}}@media x{span:where([data-tag="button"]){}} '
        'div:not(:where([data-tag])){&img:where([data-tag="svg"]){}}'
    )


@pytest.mark.parametrize(
    ("link", "is_shown"),
    [
        ("media=print", False),
        ("""media=print onload="this.media='all'" """, True),
        ("""media=print onload="this.onload=null;this.removeAttribute('media')" """, True),
        ("media=print onload=loaded()", False),
        ("media=screen", True),
    ],
)
def test_a_sheet_that_a_script_turns_on_is_on(link: str, is_shown: bool) -> None:
    html = f"<link rel=stylesheet href=late.css {link}><p>x"
    assert bool(dressed(html, assets_with({"late.css": "p{top:1px}"}))["css"]) is is_shown


def test_attributes_that_sheets_speak_of_have_names_of_ours() -> None:
    html = """<style>[data-id="7"]>p,a[href]:not([DATA-tag]) i{content:attr(data-says)} p[title]{}</style>
    <div data-id=7 data-tag=x data-other=1 aria-label=y>
    <a href=/><i data-says=hello onclick=alert(1)>b</i></a>"""
    view = dressed(html, assets_with())
    assert '[data-p-data-id="7"]' in view["css"][0]
    assert (
        "a[data-href]:not([data-p-data-tag]) i{content:attr(data-p-data-says)} p[title]{}" in view["css"][0]
    )
    assert ["div", {"data-p-data-id": "7", "data-p-data-tag": "x"}] in view["ops"]
    assert ["i", {"data-p-data-says": "hello"}] in view["ops"]
    assert "other" not in str(view["ops"]) + str(build_view(parse(html.encode())))


def test_what_is_important_in_a_style_attribute_is_a_rule() -> None:
    html = "<p style='top:1px; color:red ! important;width:2px!important'>a<p style='x:{}!important'>b"
    view = dressed(html, assets_with())
    [css] = view["css"]
    assert css == ':is([data-important="0"], #_#_#_#_){color:red ! important;width:2px!important}'
    [first, second] = [op[1] for op in view["ops"] if isinstance(op, list) and op[0] == "p"]
    assert first["data-important"] == "0"
    assert "important" not in first["style"]
    assert "data-important" not in second


def test_controls_say_how_large_they_are() -> None:
    html = """<input size=9><input type=submit><select><option>a<option>longest<option>b</select>
    <textarea cols=9>x</textarea><svg width=2em></svg><input type=email>"""
    view = dressed(html, assets_with())
    assert [op[1] for op in view["ops"] if isinstance(op, list) and len(op) == 3] == [
        {"data-tag": "input", "size": "9", "data-width": "calc(9*.82ch + 2.4em + 0px)"},
        {"data-tag": "input", "type": "submit", "data-label": "Submit"},
        {"data-tag": "select", "data-label": "longest"},
        {
            "data-tag": "textarea",
            "data-width": "calc(9*.96ch + 15px)",
            "data-height": "calc(2*1lh + 0px)",
        },
        {"data-tag": "svg", "data-width": "2em"},
        {"data-tag": "input", "type": "email"},
    ]
    assert ':where([data-tag="svg"][data-width="2em"]){width:2em}' in view["css"][0]


def test_single_file_images_go_by_digest() -> None:
    [asset] = images_in(b"<img src='data:image/png;base64,iVBORw0KGgoAAAANSUhEUg=='><p>data:image/png,x")
    assets = CapturedAssets(PAGE, {}, {asset.url: Picture(A)})
    html = "<img src='data:image/png;base64,iVBORw0KGgoAAAANSUhEUg=='>"
    assert [op for op in dressed(f"<p>x{html}", assets)["ops"] if op == ["img", {"data-asset": A}, 1]]
    css = "p{--i:url(data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==)}"
    assert "".join(clean_sheets([Sheet(css, "")], StandIns(), assets)) == f'p{{--i:url("{A}")}}'


def test_long_data_addresses_do_not_fill_a_sheet() -> None:
    long = "data:font/woff2;base64," + "A" * 2_000_000
    css = f"@font-face{{src:url({long})}}p{{color:red}}"
    assert clean_sheets([Sheet(css)], StandIns()) == [" p{color:red}"]


@given(raw_soup)
def test_a_dressed_view_has_the_same_text(raw: bytes) -> None:
    document = parse(raw)
    plain, with_assets = build_view(document), build_view(document, assets_with({"a.css": "a{}"}, a=A))
    texts = [[op for op in view["ops"] if isinstance(op, str)] for view in (plain, with_assets)]
    assert texts[0] == texts[1]
    assert [plain[name] for name in ("starts", "blocks", "sha256")] == [
        with_assets[name] for name in ("starts", "blocks", "sha256")
    ]


HERE = {f"{sheets.CANARY}{n:x}": Picture(f"{n:x}" * 64) for n in range(0, 16, 2)}


@given(st.randoms(use_true_random=False))
def test_every_address_of_any_sheet_is_a_digest_or_nothing(dice: random.Random) -> None:
    assets = CapturedAssets(PAGE, dict.fromkeys(HERE, "@import '../b';b{c:url(x)}"), HERE)
    attacks = [sheets.style_sheet(dice), sheets.declarations(dice)]
    css, style = (re.sub(rf"({sheets.CANARY}.)[0-9a-f]+", r"\1", attack) for attack in attacks)
    cleaned = [*clean_sheets([Sheet(css, PAGE)], StandIns(), assets), clean_declarations(style, assets)]
    allowed = {"data:,", *(picture.digest for picture in HERE.values())}
    for text in cleaned:
        found = list(_addresses(tinycss2.parse_component_value_list(text)))
        assert set(found) <= allowed, text


def _addresses(nodes: list[Any]) -> Iterator[str]:
    """Whatever a browser could fetch."""
    for node in nodes:
        name = getattr(node, "lower_name", "").rpartition("-")[2]
        if node.type == "url":
            yield node.value
        elif (
            node.type == "function" and name == "url" and [each.type for each in node.arguments] == ["string"]
        ):
            yield node.arguments[0].value
            continue
        elif node.type == "function" and name in ("url", "src", "image", "set", "fade", "element", "paint"):
            yield f"{name}: {tinycss2.serialize([node])}"
        elif node.type == "at-keyword" and node.lower_value in ("import", "font-face", "namespace"):
            yield node.lower_value
        yield from _addresses(getattr(node, "arguments", None) or getattr(node, "content", None) or [])


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_address_is_resolved_or_none(base: str, reference: str) -> None:
    for found in (resolve(base, reference), resolve(PAGE, reference)):
        assert "\n" not in found
        assert "#" not in found or found.startswith(("data:", "cid:")) or "://" not in found
    asset_of(f"data:{reference}")
