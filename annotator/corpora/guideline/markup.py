"""Markdown as HTML that can do nothing: no raw HTML, no pictures, and links to a few kinds of addresses."""

from functools import lru_cache

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

EXAMPLE = "example:"


def _parser() -> MarkdownIt:
    """CommonMark without raw HTML and pictures: nothing that a text says becomes markup or a request."""
    parser = MarkdownIt("commonmark", {"html": False}).disable(["image", "html_block", "html_inline"])
    parser.validateLink = lambda address: address.startswith(("https://", "http://", EXAMPLE, "#"))  # type: ignore[method-assign]
    parser.add_render_rule("link_open", _link_open)
    return parser


def _link_open(renderer: object, tokens: list[Token], place: int, _options: object, env: dict) -> str:
    """Whatever leads away opens beside what she is doing; `env` says where examples and clauses are."""
    href = str(tokens[place].attrs["href"])
    if href.startswith(EXAMPLE):
        name, hash_, block = href.removeprefix(EXAMPLE).partition("#")
        tokens[place].attrs = {"href": f"{env['examples']}{name}/{hash_}{block}", "target": "_blank"}
    elif href.startswith("#"):
        away = {"target": "_blank"} if env["text"] else {}
        tokens[place].attrs = {"href": env["text"] + href, **away}
    else:
        tokens[place].attrs = {"href": href, "target": "_blank", "rel": "noopener noreferrer nofollow"}
    return renderer.renderToken(tokens, place, _options, env)  # type: ignore[attr-defined, no-any-return]


PARSER = _parser()
# The library makes its tables of characters with the first link, and two threads at once find them half made.
PARSER.render("<https://example.org/>")


@lru_cache(maxsize=2048)
def as_html(markdown: str, *, examples: str, text: str = "") -> SafeString:
    """Markdown as HTML. `examples` is the address below which the example pages are.

    `text` is that of the whole guideline, for a clause that is shown elsewhere: links to clauses lead there.
    """
    # Safe: the parser writes every tag itself and escapes all else.
    return mark_safe(PARSER.render(markdown, {"examples": examples, "text": text}))  # noqa: S308


def examples_in(markdown: str) -> list[str]:
    """The example pages to which a text links."""
    inline = (token for token in PARSER.parse(markdown) if token.type == "inline")
    links = (child for token in inline for child in token.children or () if child.type == "link_open")
    addresses = (str(link.attrs["href"]) for link in links)
    return [address.removeprefix(EXAMPLE) for address in addresses if address.startswith(EXAMPLE)]
