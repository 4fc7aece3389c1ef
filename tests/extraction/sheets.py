"""Style sheets as an attacker writes them: what fetches, pins or repaints, broken up by all that a cleaner drops."""

import random
import re

CANARY = "http://canary.example/"

# § stands for an address.
_VALUES = """
    url(§) url('§') URL("§") image-set('§'1x) -webkit-image-set(url(§)1x) src('§') image('§') cross-fade(url(§),red)
    -webkit-cross-fade(url(§),url(§),50%) element(#a) -moz-element(#a) paint(ink) expression(alert(1)) var(--a,url(§))
    attr(title,url(§)) if(else:url(§)) url(data:image/svg+xml,<svg/>) linear-gradient(red,blue)
"""
_DECLARATIONS = """
    position:fixed position:sticky position:-webkit-sticky position:fixed!important position:var(--f)
    position:if(else:fixed) position:attr(title,fixed) --f:fixed -moz-binding:url(§) behavior:url(§) content:url(§)
    cursor:url(§),auto list-style:url(§) border-image:url(§) mask:url(§) filter:url(§#a) shape-outside:url(§)
    --a:url(§) --f:{position:fixed} font-family:f all:unset
"""
_RULES = (
    "@import '§';", "@import url(§)layer(a);", "@namespace url(§);", "@charset 'x';",
    "@font-face{font-family:f;src:url(§)}", "@font-face{font-family:f;src:local(x),url('§')}p{font-family:f}",
    "@property --f{syntax:'*';inherits:true;initial-value:fixed}", "@counter-style c{symbols:url(§)}",
    "p::highlight(goldpan-1){color:red}", "@page{background:url(§)}", "@font-feature-values f{@styleset{a:1}}",
)  # fmt: skip
_PIECES = (
    "</", "</style>", "<!--", "-->", "/**/", "/*", "*/", "@font-face{}", "@import '§';", "@import", "@charset 'x';",
    "@x;", "!important", "!", "\x00", "\x01", "\x1f", "\x7f", "\ufffe", "\ufeff", "\u00a0", "\u200d", "😀", "\ud800",
    "\\", "\\\n", "\\0", "\\d800 ", "\n", "\r", "\r\n", "\f", "\t", " ", "'", '"', ";", ":", ",", "{", "}", "{}", "(",
    ")", "()", "[", "]", "U+4", "u+f", "url(", "url('", "a", "-", "--", "#", "@", ".", "1", "1e", "%", "<", "&", "::highlight(",
)  # fmt: skip
_AROUND = (
    "%s", "%s", "@media all{%s}", "@supports (display:block){%s}", "@supports not (x:y){%s}", "@layer a{%s}",
    "@container (min-width:0){%s}", "@scope (body){%s}", "@starting-style{%s}", "body{& p,&{color:red}%s}",
    "@keyframes k{from{%s}}", "@media (a:'%s'){p{color:red}}", "p{content:\"%s\"}", "/*%s", "@unknown x{%s}", "%s/*",
)  # fmt: skip
_SELECTORS = ("p", "*", "#a,b", "p::before", "h1:not(url(§))", "b[title='</style>']", "li::marker", "\\70")


def style_sheet(dice: random.Random) -> str:
    """A few rules, each in one of its contexts."""
    return "".join(_rule(dice) for _ in range(dice.randint(1, 4)))


def declarations(dice: random.Random) -> str:
    """The value of a style attribute."""
    return ";".join(_declaration(dice) for _ in range(dice.randint(1, 4)))


def _rule(dice: random.Random) -> str:
    rule = (
        _broken(dice, dice.choice(_RULES))
        if dice.random() < 0.3
        else f"{dice.choice(_SELECTORS)}{{{declarations(dice)}}}"
    )
    return _addressed(dice, dice.choice(_AROUND).replace("%s", rule))


def _declaration(dice: random.Random) -> str:
    value = (
        f"{dice.choice(('background', 'background-image', '--a', 'content'))}:{dice.choice(_VALUES.split())}"
    )
    return _addressed(dice, _broken(dice, dice.choice((value, value, dice.choice(_DECLARATIONS.split())))))


def _broken(dice: random.Random, word: str) -> str:
    """The word with pieces or escapes in it, or as it is."""
    for _ in range(dice.choice((0, 1, 1, 2))):
        at = dice.randrange(len(word) + 1)
        if dice.random() < 0.3 and at < len(word) and word[at].isalpha():
            word = f"{word[:at]}{_spelled(dice, word[at])}{word[at + 1 :]}"
        else:
            word = word[:at] + dice.choice(_PIECES) + word[at:]
    return word


def _spelled(dice: random.Random, letter: str) -> str:
    plain = letter.upper() if letter in "abcdef" else f"\\{letter}"
    return dice.choice((letter.upper(), plain, f"\\{ord(letter):x} ", f"\\{ord(letter):06X}"))


def _addressed(dice: random.Random, css: str) -> str:
    """With an address of its own in each place of one, so that none is fetched from memory."""
    return re.sub("§", lambda _: f"{CANARY}{dice.getrandbits(40):x}", css)
