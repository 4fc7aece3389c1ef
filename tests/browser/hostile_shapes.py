"""Hostile pages, continued: trees, letters and weights that break whoever reads them carelessly."""

from tests.browser.hostile import BAD, CANARY, IMG, JS, PROSE, SCRIPT, Hostile, page_of

TURNS, MARKS = "\u202e" * 500, "\u0301" * 3_000

TREES = [
    Hostile(
        "shadows in shadows",
        page_of(
            "",
            prose=f'<x-a><template shadowrootmode=open><style>*{{background:url({CANARY}1)}}</style><x-b><template shadowrootmode=closed shadowrootdelegatesfocus>'
            f'{SCRIPT}<slot name=in onslotchange="{JS}"></slot><slot></slot></template><slot slot=in></slot>{BAD}</x-b></template>{PROSE}<p slot=none>Nowhere</p></x-a>'
            f'<table><template shadowrootmode=open>{BAD}</template><tr><td>Cell</table>',
        ),
        runs=True,
    ),
    Hostile(
        "roots in formulas",
        page_of(
            f'<p>Before <math><html lang=x onload="{JS}" class=r>in <mtext>a formula</mtext></html> after</math> it</p><svg><html><body>{IMG}</body></html></svg>'
            f"<math><annotation-xml encoding='text/html'><html><body onload=\"{JS}\">{BAD}</body></html></annotation-xml></math>"
        ),
        runs=True,
    ),
    Hostile(
        "mutation by many",
        page_of(
            f"<math><mtext><table><mglyph><style><!--</style><img title='--&gt;{BAD.replace(chr(39), '')}'>{IMG}</table></mtext></math>-->"
            f"<svg><title><a id='</title>{BAD.replace(chr(39), '')}'></a></title></svg><noframes><a title='</noframes>{BAD}'></noframes>"
            f"<iframe><a title='</iframe>{BAD}'></iframe><noembed><p title='</noembed>{BAD}'></noembed><svg><desc><style></desc>{BAD}</style></svg>"
        ),
        runs=True,
    ),
    Hostile(
        "names of ours",
        page_of(
            "".join(
                f'<p id="{name}" class="{name}" title="{name}" data-tag=script data-href="javascript:{JS}" data-alt=x data-links>{name}</p><img id="{name}" name="{name}" src="{CANARY}n">'
                for name in "frame bench notices goldpan stage view editor saver note skip both CSS Highlight crypto scrollTo firstElementChild "
                "attributes childNodes nodeName tagName length item namedItem __proto__ then toJSON hasOwnProperty".split()
            )
        ),
    ),
    Hostile("data islands", page_of(f'<xml id=i><b src="{CANARY}x">Island</b></xml><span datasrc=#i datafld=b dataformatas=html>Span</span><?xml-stylesheet href="{CANARY}s"?><t:set xmlns:t="urn:t" attributeName="innerHTML" to="{BAD.replace(chr(34), "&quot;")}"/>{IMG}')),
    Hostile("quirks", b"<html><body background=%sq text=#fffffe link=red vlink=blue marginwidth=999999 onload=1><center><font color=white>%s<table height=100%% width=1e9><tr><td nowrap>Cell</table>" % (CANARY.encode(), PROSE.encode())),
    Hostile("page of frames", (f'<html><frameset rows="1,2"><frame src="{CANARY}f"><frame src="javascript:{JS}"></frameset><noframes><body>{PROSE * 3}{SCRIPT}{BAD}</body></noframes></html>').encode(), runs=True),
    Hostile("unclosed title", f'<html><head><title>Daily<meta charset=utf-8></head><body>{PROSE * 3}{SCRIPT}{BAD}</body></html>'.encode(), asks=False),
    Hostile("noscript alone", page_of(f"<noscript>{PROSE * 3}{BAD}<style>p{{background:url({CANARY}ns)}}</style></noscript>{IMG}", prose="")),
]  # fmt: skip

LETTERS = [
    Hostile("escapes of ISO-2022-JP", b"<!doctype html><meta charset=iso-2022-jp>" + PROSE.encode() + b'<p>\x1b$B!!\x1b(B<img src="\x1b$B%%" ><p title="\x1b(J\\">' + (IMG + SCRIPT + PROSE).encode() + b'\x1b$B', runs=True),
    Hostile("overlong letters", page_of(f"{IMG}<p>OVERLONG</p>").replace(b"OVERLONG", b"\xc0\xbcscript\xc0\xbe\xf8\x80\x80\x80\xbc \xe0\x80\xbc\xff\xfe\xed\xa0\x80")),
    Hostile("an encoding that is none", page_of(f"{IMG}<p>+ADw-script+AD4-</p>", head='<meta charset="x-user-defined"><meta charset="utf-7"><meta http-equiv=content-type content="text/html; charset=hz-gb-2312">')),
    Hostile("letters that turn and vanish", page_of(f"<p>\u202e\u2066\u2067\u200f\u200e{TURNS}live\u2069 \u200b\u200c\u200d\ufeff\u00ad\u2060\ufff9a\ufffab\ufffb {MARKS} &#xD83D;&#xDE00; &#x110000; &#0; \U000e0041\U000e007f \U0010ffff \ufdd0</p>{IMG}")),
    Hostile("sixteen bits undeclared", ("\ufeff" + f"<meta charset=utf-8>{SCRIPT}{IMG}{PROSE}\ud83d").encode("utf-16-be", "surrogatepass"), runs=True),
]  # fmt: skip

WEIGHTS = [
    Hostile("one huge attribute", page_of(f'<p title="{"x" * 900_000}" style="{"a:b;" * 90_000}" class="{"c " * 90_000}">Wide</p>{IMG}')),
    Hostile("entities by the thousand", page_of(f"<p>{'&amp;&lt;&nbsp;&#x202e;&NotEqualTilde;' * 20_000}</p>{IMG}")),
    Hostile("one long word", page_of(f"<p>{'x' * 500_000}</p><pre>{'y' * 200_000}</pre>{IMG}")),
    Hostile("many small elements", page_of(f"{'<i>a</i><b></b>' * 9_000}{IMG}")),
    Hostile("many shadows", page_of("<div><template shadowrootmode=open><slot></slot></template>" * 900 + f"Deep{IMG}"), asks=True),
    Hostile("many formatting elements", page_of("<p>" + "<a><b><i><u><font>" * 200 + "<p>x" * 200 + IMG)),
    Hostile("too much text", page_of("<p>" + "word " * 700_000 + IMG), refusal="text-too-long"),
    Hostile("too long a tag", page_of(f'<p title="{"x" * (5 << 20)}">{IMG}'), refusal="tag-too-long"),
    Hostile("nothing", b" \r\n\t", refusal="empty"),
]  # fmt: skip

PAGES = [*TREES, *LETTERS, *WEIGHTS]
