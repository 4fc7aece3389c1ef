"""What each element means to the canonical text.

Five kinds are told apart. Whatever is in no table is inline: custom elements, MathML, misspelt tags.
"""

# Below, from the HTML standard: elements without an end tag; those that hold text as it is; and those whose
# text loses a line break at its beginning.
VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)
RAW_TEXT = frozenset(("iframe", "noembed", "noframes", "plaintext", "script", "style", "xmp"))
DROPS_FIRST_BREAK = frozenset(("listing", "pre", "textarea"))

INLINE, BLOCK, PREFORMATTED, BREAK, DROPPED = range(5)

#: The attribute of a template that is a shadow root; a div takes its place in the tree.
SHADOW_ROOT = "shadowrootmode"

# Left out with everything inside: what no reader sees as the page's text, or sees only as a control.
_DROPPED = """
    script style noscript template iframe object embed applet frame frameset noframes noembed canvas audio
    video source track svg select option optgroup datalist textarea input meta link base title head portal map
    area param dialog xml fencedframe model selectedcontent bgsound basefont isindex keygen command
"""

_BLOCK = """
    address article aside blockquote body center dd details summary dir div dl dt fieldset figcaption figure
    footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p search section table
    caption colgroup col thead tbody tfoot tr td th ul marquee
"""

_PREFORMATTED = "pre listing xmp plaintext"

KINDS: dict[str, int] = {
    **dict.fromkeys(_DROPPED.split(), DROPPED),
    **dict.fromkeys(_BLOCK.split(), BLOCK),
    **dict.fromkeys(_PREFORMATTED.split(), PREFORMATTED),
    "br": BREAK,
}
