"""Pages as hypothesis makes them: any text inside any soup of tags."""

from hypothesis import strategies as st

_AWKWARD = [
    *("😀", "👩‍👧", "e\u0301", "\u200b", "\u202bשלום\u202c", "مرحبا", "\u00a0", "\ufeff", "\ufffe"),
    *("\x00", "\x01", "\x0c", "\r\n", "\r", "\n\n", "  ", "\t", " "),
    *("&#xD800;", "&#0;", "&#xFFFE;", "&#13;", "&nbsp;", "&amp;", "&lt;"),
]
_TAGS = """
    html head body title div p span a b i pre listing table tr td li ul br hr img svg select option textarea
    script style noscript template math mi form label button details custom-tag plaintext frameset iframe wbr
    font
"""

text = st.lists(st.one_of(st.sampled_from(_AWKWARD), st.text(max_size=8)), max_size=6).map("".join)


def _markup(tag: str) -> st.SearchStrategy[str]:
    return st.sampled_from(
        (f"<{tag}>", f"</{tag}>", f'<{tag} class="a  b" style=x:y href=/z>', f"<{tag} x/>")
    )


soup = st.lists(
    st.one_of(
        text, text, st.sampled_from(_TAGS.split()).flatmap(_markup), st.just("<!-- c -->"), st.just("<?p?>")
    ),
    max_size=40,
).map("".join)

#: Bytes that the parser is to read as this very text.
raw_soup = soup.map(lambda page: b"\xef\xbb\xbf<!doctype html>" + page.encode("utf-8", "surrogatepass"))
