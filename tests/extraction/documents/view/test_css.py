"""Style sheets: what goes, what stays, and that no sheet takes long."""

import pytest

from extraction.documents.view.css import MAX_DECLARATIONS, MAX_SHEET, clean_declarations, clean_sheet


@pytest.mark.parametrize(
    ("css", "clean"),
    [
        ("a{background:#fff url(x) no-repeat}", 'a{background:#fff url("data:,") no-repeat}'),
        ("a{b:URL( 'x)y' )}", 'a{b:URL("data:,")}'),
        ('a{b:url("x', 'a{b:url("data:,")'),
        ("a{b:u\\rl(x)}", "a{b:u_l(x)}"),
        ("a{b:\\75rl(x)}", "a{b:_5rl(x)}"),
        ("a{b:u/**/rl(x)}", "a{b:u rl(x)}"),
        ('@import url("a;b") screen;c{}', "c{}"),
        ("@IMPORT 'x';c{}", "c{}"),
        ("@im/**/port 'x';", "@im port 'x';"),
        ("@font-face{src:url('}')}c{}", "c{}"),
        ("a{b:-webkit-image-set('x' 1x)}", "a{b:-webkit-image-set(!'x' 1x)}"),
        ("a{b:src('x')}", "a{b:src(!'x')}"),
        ("a{position:fixed}", "a{position:static}"),
        ("a{POSITION :/**/ -webkit-sticky !important}", "a{POSITION :static !important}"),
        ("a{position" + " " * 99 + ": fixed}", "a{position" + " " * 99 + ":static}"),
        ("a{position:var(--x)}b{position: if(x)}", "a{position:static(--x)}b{position:static(x)}"),
        ('a{b:"\f;c:url(x)}', 'a{b:"\n;c:url("data:,")}'),
        ("a{b:'\r\n;c:url(x)}", 'a{b:\'\n;c:url("data:,")}'),
        ("p::HighLight(goldpan-2){a:b}", "p::HighLight(!goldpan-2){a:b}"),
        ("p::high\\6cight(x),p::\\highlight(x){}", "p::high_cight(x),p::_ighlight(x){}"),
        ("a</style>b<!--c", "astyle>bc"),
        ("a{\x00\ufffeb:c}", "a{b:c}"),
    ],
)
def test_what_could_fetch_or_cover_goes(css: str, clean: str) -> None:
    assert clean_sheet(css) == clean


@pytest.mark.parametrize(
    "css",
    [
        ".md\\:flex{display:flex}",
        'a{content:"\\201C url(x) @import /* x */"}',
        'a[href="http://x"]{color:red}',
        "@media (400px<=width<600px){a{b:c}}",
        "@supports (display:grid){a{b:c}}",
        "a{table-layout:fixed;background-attachment:fixed}",
        "a{background-position:calc(1px) var(--x);--position:fixed}",
        "a{content:'it\\'s url(x)'}",
        "a{width:calc(100% - (2px + 1em))}",
    ],
)
def test_the_rest_stays_as_it_is(css: str) -> None:
    assert clean_sheet(css) == css


@pytest.mark.parametrize(
    "piece",
    [
        "url(",
        'url("',
        "url('\"",
        "/*",
        "@import ",
        '@import"',
        "@font-face",
        '@font-face{"',
        "'",
        '"\\',
        "<",
        ": ",
        "(",
    ],
)
def test_a_long_hostile_sheet_is_cleaned_in_one_go(piece: str) -> None:
    # Quadratic cleaning of a sheet of this length would outlast any patience.
    clean = clean_sheet(piece * (MAX_SHEET // len(piece)))
    assert "url(x" not in clean


def test_a_sheet_beyond_the_limit_is_left_out() -> None:
    assert clean_sheet("a" * (MAX_SHEET + 1)) == ""
    assert clean_declarations("a" * (MAX_DECLARATIONS + 1)) == ""


def test_declarations_are_cleaned_alike() -> None:
    assert (
        clean_declarations("position: sticky;b:url(x);color:red")
        == 'position:static;b:url("data:,");color:red'
    )
    assert clean_declarations("color:\x01red") == "color:red"
    assert clean_declarations("a:'\r;b:url(x)") == 'a:\'\n;b:url("data:,")'
